/*
 * wire_walk.c - the resources of a DiscoveryResponse, of a dump, or of an Any.
 *
 * Source: envoy.service.discovery.v3, envoy.admin.v3; spec G1 to G4.
 */
#include <stdio.h>

#include "source/walk.h"
#include "source/wire/wire_field.h"

enum { RESPONSE_RESOURCES = 2, RESPONSE_TYPE_URL = 4 };
enum { ANY_TYPE_URL = 1, ANY_VALUE = 2 };
enum { WRAPPER_RESOURCE = 2, WRAPPER_NAME = 3 };

/* ---- messages that are in memory ---- */

static bool is_bytes(const struct xds_wire_field *field, uint32_t number)
{
    return field->number == number && field->type == XDS_WIRE_BYTES;
}

/* A later field takes the place of an earlier one; of one that is not there, nothing. */
static bool read_any(struct xds_slice any, struct xds_slice *type_url,
                     struct xds_slice *value)
{
    struct xds_slice content;
    struct xds_wire_field field;

    while (any.len) {
        if (!xds_wire_next(&any, &field, &content))
            return false;
        if (is_bytes(&field, ANY_TYPE_URL))
            *type_url = content;
        if (is_bytes(&field, ANY_VALUE))
            *value = content;
    }
    return xds_utf8_valid(*type_url);
}

/* Narrow a resource that is a Resource wrapper to the resource inside. */
static void open_wrapper(struct xds_resource *out)
{
    struct xds_slice rest = out->bytes, content;
    struct xds_slice type_url = {NULL, 0}, value = {"", 0}, name = {NULL, 0};
    struct xds_wire_field field;
    bool has_resource = false;

    out->wrapper = XDS_WRAPPER_UNDECODABLE;
    out->type_url = type_url;
    while (rest.len) {
        if (!xds_wire_next(&rest, &field, &content))
            return;
        if (is_bytes(&field, WRAPPER_NAME))
            name = content;
        if (!is_bytes(&field, WRAPPER_RESOURCE))
            continue;
        has_resource = true;
        if (!read_any(content, &type_url, &value))
            return;
    }
    if (!xds_utf8_valid(name))
        return;
    out->name = name;
    out->wrapper = has_resource ? XDS_WRAPPER_OK : XDS_WRAPPER_EMPTY;
    if (!has_resource)
        return;
    out->type_url = type_url;
    out->bytes = value;
}

void xds_binary_unwrap(struct xds_resource *out)
{
    if (xds_is_wrapper(out->type_url))
        open_wrapper(out);
    out->type = xds_resource_type_from_name(
        out->wrapper == XDS_WRAPPER_EMPTY || out->wrapper == XDS_WRAPPER_UNDECODABLE
            ? out->expected
            : out->type_url);
}

bool xds_binary_of_any(struct xds_slice any, struct xds_slice expected,
                       struct xds_resource *out)
{
    *out = (struct xds_resource){.format = XDS_FORMAT_BINARY, .expected = expected};
    out->bytes = xds_slice_make("", 0);
    if (!read_any(any, &out->type_url, &out->bytes))
        return false;
    xds_binary_unwrap(out);
    return true;
}

/* ---- the stream ---- */

/* Nothing on the wire has a line. */
static struct xds_place nowhere(const struct xds_binary *b)
{
    return (struct xds_place){.file = b->in->file};
}

static void report_too_large(struct xds_binary *b)
{
    const struct xds_source_fault fault =
        xds_fault_too_large(nowhere(b), XDS_TOO_MANY_BYTES);

    xds_report_at(b->report, xds_rule_row(fault.rule), XDS_NO_RESOURCE, fault.at, "%s",
                  fault.text);
}

void xds_report_wire(struct xds_report *report, uint32_t resource, struct xds_place at,
                     struct xds_slice text)
{
    xds_report_at(report, xds_rule_row(XDS_R_SRC_WIRE), resource, at, "%.*s",
                  XDS_FMT(text));
}

static void report_wire(struct xds_binary *b, size_t at, const char *text)
{
    char all[160];

    (void)snprintf(all, sizeof all, "invalid %s: %s at byte %zu",
                   b->form == XDS_BINARY_DUMP ? "dump" : "DiscoveryResponse", text, at);
    if (!xds_buffer_failed(b->in))
        xds_report_wire(b->report, XDS_NO_RESOURCE, nowhere(b), xds_slice_of(all));
}

/* One type URL counts at a time: the one before it is forgotten. */
static void expect(struct xds_binary *b, struct xds_slice type_url)
{
    if (xds_slice_eq(type_url, b->expected))
        return;
    xds_arena_reset(b->texts);
    b->expected = xds_arena_dup(b->texts, type_url);
}

static bool need(struct xds_binary *b, size_t n)
{
    b->in->keep = b->pos;
    return xds_buffer_need(b->in, b->pos, n);
}

/* Go over bytes without holding them. */
static bool pass(struct xds_binary *b, uint64_t n)
{
    while (n) {
        if (!need(b, 1))
            return false;
        const size_t there = b->in->end - b->pos;
        const size_t now = n < there ? (size_t)n : there;

        b->pos += now;
        n -= now;
    }
    return true;
}

static bool next_head(struct xds_binary *b, struct xds_wire_field *field)
{
    need(b, XDS_WIRE_HEAD);
    return xds_wire_head(xds_buffer_from(b->in, b->pos), field);
}

/* Go over the rest of a group, up to its end. */
static bool pass_group(struct xds_binary *b, uint32_t number)
{
    uint32_t open[XDS_MAX_WIRE_NESTING];
    struct xds_wire_field field;
    unsigned depth = 1;

    open[0] = number;
    while (depth > 0) {
        if (!need(b, 1) || !next_head(b, &field) || !pass(b, field.head + field.len))
            return false;
        if (field.type == XDS_WIRE_GROUP_END && open[--depth] != field.number)
            return false;
        if (field.type != XDS_WIRE_GROUP)
            continue;
        if (depth == XDS_MAX_WIRE_NESTING)
            return false;
        open[depth++] = field.number;
    }
    return true;
}

/* A field that says nothing here. */
static bool pass_field(struct xds_binary *b, const struct xds_wire_field *field)
{
    return field->type != XDS_WIRE_GROUP_END && pass(b, field->head + field->len) &&
           (field->type != XDS_WIRE_GROUP || pass_group(b, field->number));
}

/* The next type URL after `at`, if the rest of the input is small enough to look. In
 * the order in which fields are written it is after the resources, also where
 * several responses follow one another. */
static void look_for_expected(struct xds_binary *b)
{
    if (b->pos < b->expected_until || need(b, XDS_LOOK_AHEAD + 1))
        return;
    const size_t end = b->in->end;
    struct xds_slice rest = xds_buffer_from(b->in, b->pos), value;
    struct xds_wire_field field;

    b->expected_until = end;
    while (rest.len && xds_wire_next(&rest, &field, &value)) {
        if (!is_bytes(&field, RESPONSE_TYPE_URL))
            continue;
        if (xds_utf8_valid(value))
            expect(b, value);
        b->expected_until = end - rest.len;
        return;
    }
}

/* *refused: its type was meant to be one of xDS, which is reported. False: it is none. */
static bool give_any(struct xds_binary *b, struct xds_slice any, struct xds_resource *out,
                     bool *refused)
{
    *refused = false;
    if (!xds_binary_of_any(any, b->expected, out))
        return false;
    out->at = nowhere(b);
    out->name = xds_arena_keep_nul(b->texts, out->name);
    out->type_url = xds_arena_keep_nul(b->texts, out->type_url);
    if (out->type != XDS_TYPE_UNKNOWN || out->wrapper == XDS_WRAPPER_EMPTY ||
        out->wrapper == XDS_WRAPPER_UNDECODABLE ||
        xds_resource_type_from_name(b->expected) != XDS_TYPE_UNKNOWN)
        return true; /* what clients do in a response of a type is known */
    const struct xds_slice why = xds_shape_why_not(b->texts, out->type_url);

    *refused = why.data != NULL;
    if (why.data)
        xds_report_no_type(b->report, nowhere(b), why);
    return true;
}

/* The next field of the input whose value is to be read: its bytes, up to *end of the
 * input, from where pos has to go on. */
static bool hold_field(struct xds_binary *b, const struct xds_wire_field *field,
                       struct xds_slice *value, size_t *end)
{
    const size_t begin = b->pos, size = field->head + (size_t)field->len;

    if (field->len > XDS_MAX_RESOURCE_BYTES) {
        report_too_large(b);
        b->done = !pass(b, field->head + field->len);
        return false;
    }
    if (!need(b, size)) {
        b->done = true;
        report_wire(b, begin, "the resource is cut off");
        return false;
    }
    *value = xds_buffer_part(b->in, begin + field->head, begin + size);
    *end = begin + size;
    return true;
}

/* resources: false when it could not be read; pos is after it all the same. */
static bool read_resource(struct xds_binary *b, const struct xds_wire_field *field,
                          struct xds_resource *out)
{
    const size_t begin = b->pos;
    struct xds_slice any;
    bool refused;
    size_t end;

    if (field->len <= XDS_MAX_RESOURCE_BYTES)
        look_for_expected(b);
    if (!hold_field(b, field, &any, &end))
        return false;
    b->pos = end;
    if (give_any(b, any, out, &refused))
        return !refused;
    report_wire(b, begin, "the resource is not a google.protobuf.Any");
    return false;
}

/* A type URL in front of the resources counts until another one is found. */
static bool read_type_url(struct xds_binary *b, const struct xds_wire_field *field)
{
    const size_t size = field->head + (size_t)field->len;

    if (field->len > XDS_LOOK_AHEAD || !need(b, size))
        return false;
    const struct xds_slice text =
        xds_buffer_part(b->in, b->pos + field->head, b->pos + size);
    if (!xds_utf8_valid(text))
        return false;
    expect(b, text);
    b->pos += size;
    return true;
}

static bool next_of_response(struct xds_binary *b, struct xds_resource *out)
{
    struct xds_wire_field field;

    while (!b->done && need(b, 1)) {
        const size_t begin = b->pos;

        if (!next_head(b, &field)) {
            report_wire(b, begin, "expected a field");
            break;
        }
        if (is_bytes(&field, RESPONSE_RESOURCES)) {
            if (read_resource(b, &field, out))
                return true;
            continue;
        }
        const bool good = is_bytes(&field, RESPONSE_TYPE_URL) ? read_type_url(b, &field)
                                                              : pass_field(b, &field);
        if (!good) {
            report_wire(b, begin, "the field cannot be read");
            break;
        }
    }
    b->done = true;
    return false;
}

/* ---- dumps ---- */

/* Fields that lead to resources: of a ClientStatusResponse and a ConfigDump, which both
 * have a list as field 1, and of what is in them. */
static const struct {
    enum xds_dump_message in;
    uint32_t number;
    enum xds_dump_message to;
    enum xds_held_message entry;
    enum xds_resource_type type;
} dump_fields[] = {
    {XDS_DUMP_CLIENT, 1, XDS_DUMP_NODE, 0, 0},
    {XDS_DUMP_CLIENT, 2, XDS_DUMP_PER_XDS, 0, 0},
    {XDS_DUMP_CLIENT, 3, XDS_DUMP_ENTRY, XDS_HELD_GENERIC, XDS_TYPE_UNKNOWN},
    {XDS_DUMP_PER_XDS, 2, XDS_DUMP_LISTENERS, 0, 0},
    {XDS_DUMP_PER_XDS, 3, XDS_DUMP_CLUSTERS, 0, 0},
    {XDS_DUMP_PER_XDS, 4, XDS_DUMP_ROUTES, 0, 0},
    {XDS_DUMP_PER_XDS, 6, XDS_DUMP_ENDPOINTS, 0, 0},
    {XDS_DUMP_LISTENERS, 2, XDS_DUMP_ENTRY, XDS_HELD_STATIC, XDS_TYPE_LISTENER},
    {XDS_DUMP_LISTENERS, 3, XDS_DUMP_ENTRY, XDS_HELD_LISTENER, XDS_TYPE_LISTENER},
    {XDS_DUMP_CLUSTERS, 2, XDS_DUMP_ENTRY, XDS_HELD_STATIC, XDS_TYPE_CLUSTER},
    {XDS_DUMP_CLUSTERS, 3, XDS_DUMP_ENTRY, XDS_HELD_DYNAMIC, XDS_TYPE_CLUSTER},
    {XDS_DUMP_CLUSTERS, 4, XDS_DUMP_ENTRY, XDS_HELD_DYNAMIC, XDS_TYPE_CLUSTER},
    {XDS_DUMP_ROUTES, 2, XDS_DUMP_ENTRY, XDS_HELD_STATIC, XDS_TYPE_ROUTE},
    {XDS_DUMP_ROUTES, 3, XDS_DUMP_ENTRY, XDS_HELD_DYNAMIC, XDS_TYPE_ROUTE},
    {XDS_DUMP_ENDPOINTS, 2, XDS_DUMP_ENTRY, XDS_HELD_STATIC, XDS_TYPE_ENDPOINT},
    {XDS_DUMP_ENDPOINTS, 3, XDS_DUMP_ENTRY, XDS_HELD_DYNAMIC, XDS_TYPE_ENDPOINT},
};

enum { CLIENT_NODE = 1, CLIENT_PER_XDS, CLIENT_GENERIC, CLIENT_SCOPE };
enum { LIST_ITEM = 1 };

#define ADMIN "type.googleapis.com/envoy.admin.v3."

static enum xds_dump_message dump_of_type(struct xds_slice type_url)
{
    static const struct {
        const char *type_url;
        enum xds_dump_message message;
    } types[] = {
        {ADMIN "ListenersConfigDump", XDS_DUMP_LISTENERS},
        {ADMIN "ClustersConfigDump", XDS_DUMP_CLUSTERS},
        {ADMIN "RoutesConfigDump", XDS_DUMP_ROUTES},
        {ADMIN "EndpointsConfigDump", XDS_DUMP_ENDPOINTS},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(types); i++)
        if (xds_slice_is(type_url, types[i].type_url))
            return types[i].message;
    return XDS_DUMP_NODE; /* nothing leads from there to resources */
}

/* Is this field one that only a response has? */
static bool is_of_response(const struct xds_wire_field *field, struct xds_slice value)
{
    struct xds_slice type_url = {NULL, 0}, bytes;

    if (is_bytes(field, RESPONSE_TYPE_URL))
        type_url = value;
    else if (!is_bytes(field, RESPONSE_RESOURCES) || !read_any(value, &type_url, &bytes))
        return false;
    return type_url.len > 0 && xds_utf8_valid(type_url) &&
           (memchr(type_url.data, '/', type_url.len) ||
            xds_slice_starts(type_url, XDS_S("envoy.")));
}

/* Does a google.protobuf.Any begin there, as the resource of a response? */
static bool is_cut_resource(struct xds_slice rest)
{
    struct xds_wire_field field;

    return xds_wire_head(rest, &field) && is_bytes(&field, RESPONSE_RESOURCES) &&
           rest.len > field.head &&
           rest.data[field.head] == (ANY_TYPE_URL << 3 | XDS_WIRE_BYTES);
}

/* A response, or one resource: as far as the input tells that is looked at ahead. */
static void tell_response(struct xds_binary *b)
{
    struct xds_wire_field field;
    struct xds_slice value;
    bool has_list = false;

    (void)need(b, XDS_LOOK_AHEAD);
    struct xds_slice rest = xds_buffer_from(b->in, b->pos);

    while (rest.len && xds_wire_next(&rest, &field, &value)) {
        if (is_of_response(&field, value))
            return;
        has_list |= is_bytes(&field, RESPONSE_RESOURCES);
    }
    if (rest.len == 0 || (!b->in->eof && has_list)) {
        b->form = XDS_BINARY_RESOURCE;
        return;
    }
    if (!b->in->eof || xds_buffer_failed(b->in) || is_cut_resource(rest))
        return;
    char text[160];

    (void)snprintf(text, sizeof text,
                   "the input is neither JSON, YAML, text proto nor a DiscoveryResponse: "
                   "no field at byte %zu",
                   b->in->end - rest.len);
    b->done = true;
    xds_report_wire(b->report, XDS_NO_RESOURCE, nowhere(b), xds_slice_of(text));
}

/* What begins with a list of messages, and not with the version_info of a response, which
 * is a text: messages begin with a tag that is a control character. */
static void tell_form(struct xds_binary *b)
{
    const struct xds_slice admin = XDS_S(ADMIN);
    struct xds_wire_field field;

    b->form = XDS_BINARY_RESPONSE;
    need(b, XDS_WIRE_HEAD + 2 + admin.len);
    const struct xds_slice begin = xds_buffer_from(b->in, b->pos);
    if (!xds_wire_head(begin, &field) || !is_bytes(&field, LIST_ITEM) || field.len < 2) {
        tell_response(b);
        return;
    }
    const struct xds_slice item = xds_slice_from(begin, field.head);
    b->is_admin = item.len > 2 && item.data[0] == (ANY_TYPE_URL << 3 | XDS_WIRE_BYTES) &&
                  xds_slice_starts(xds_slice_from(item, 2), admin);
    for (unsigned number = CLIENT_NODE; number <= CLIENT_GENERIC; number++)
        if (item.len > 0 && item.data[0] == (char)(number << 3 | XDS_WIRE_BYTES))
            b->form = XDS_BINARY_DUMP;
    if (b->form == XDS_BINARY_RESPONSE)
        tell_response(b);
}

static void take_text(struct xds_slice text, char *out, size_t size)
{
    if (!xds_utf8_valid(text) || (text.len && memchr(text.data, '\0', text.len)))
        text.len = 0;
    text = xds_slice_clip(text, size - 1);
    if (text.len > 0)
        memcpy(out, text.data, text.len);
    out[text.len] = '\0';
}

/* The string of that key in a google.protobuf.Struct. */
static void read_metadata(struct xds_dumped_client *client, struct xds_slice metadata)
{
    enum { KEY = 1, VALUE = 2, STRING_VALUE = 3 };
    struct xds_wire_field field;
    struct xds_slice entry, value;

    while (metadata.len && xds_wire_next(&metadata, &field, &entry)) {
        struct xds_slice key = XDS_S(""), content = XDS_S("");

        while (entry.len && xds_wire_next(&entry, &field, &value)) {
            if (is_bytes(&field, KEY))
                key = value;
            if (is_bytes(&field, VALUE))
                content = value;
        }
        while (content.len && xds_wire_next(&content, &field, &value))
            if (is_bytes(&field, STRING_VALUE) && xds_slice_is(key, XDS_BOOTSTRAP_KEY))
                client->bootstrap = xds_arena_dup(client->arena, value);
    }
}

/* A ClientConfig begins: its node, wherever it is in it. */
static void read_node(struct xds_binary *b, struct xds_slice config)
{
    enum { ID = 1, METADATA = 3, AGENT_NAME = 6, AGENT_VERSION = 7 };
    struct xds_dumped_client *client = b->client;
    struct xds_wire_field field;
    struct xds_slice value, node = {NULL, 0}, scope = XDS_S("");

    while (config.len && xds_wire_next(&config, &field, &value)) {
        if (is_bytes(&field, CLIENT_NODE))
            node = value;
        if (is_bytes(&field, CLIENT_SCOPE) && xds_utf8_valid(value))
            scope = value;
    }
    xds_begin_node(client);
    while (node.len && xds_wire_next(&node, &field, &value)) {
        if (is_bytes(&field, ID))
            take_text(value, client->id, sizeof client->id);
        if (is_bytes(&field, METADATA) && !client->seen)
            read_metadata(client, value);
        if (is_bytes(&field, AGENT_NAME))
            take_text(value, client->agent, sizeof client->agent);
        if (is_bytes(&field, AGENT_VERSION) && !client->seen)
            take_text(value, client->version, sizeof client->version);
    }
    if (!client->seen)
        memcpy(client->name, client->agent, sizeof client->name);
    client->seen = true;
    xds_begin_client(client);
    if (scope.len > 0)
        xds_report_name_scope(b->report, client->configs,
                              xds_arena_keep_nul(&b->report->arena, scope));
}

static void enter(struct xds_binary *b, enum xds_dump_message message,
                  struct xds_slice bytes)
{
    b->frame[b->depth].message = message;
    b->frame[b->depth++].rest = bytes;
}

/* The next item of the list that the input is; false at its end. */
static bool enter_item(struct xds_binary *b)
{
    struct xds_slice item, type_url = {NULL, 0}, value = {NULL, 0};
    struct xds_wire_field field;

    b->pos = b->item_end > b->pos ? b->item_end : b->pos;
    while (!b->done && need(b, 1)) {
        const size_t begin = b->pos;

        if (!next_head(b, &field)) {
            report_wire(b, begin, "expected a field");
            break;
        }
        if (!is_bytes(&field, LIST_ITEM)) {
            if (pass_field(b, &field))
                continue;
            report_wire(b, begin, "the field cannot be read");
            break;
        }
        if (!hold_field(b, &field, &item, &b->item_end))
            continue;
        if (b->is_admin && read_any(item, &type_url, &value))
            enter(b, dump_of_type(type_url), value);
        if (!b->is_admin) {
            read_node(b, item);
            enter(b, XDS_DUMP_CLIENT, item);
        }
        return true;
    }
    b->done = true;
    return false;
}

/* The resource of the entry that comes next, or that there is none. */
static bool next_of_entry(struct xds_binary *b, struct xds_resource *out)
{
    struct xds_held_entry *entry = &b->entry;
    struct xds_slice *from[] = {&entry->used[0], &entry->used[1], &entry->rejected};
    size_t i = 0;

    while (i < XDS_ARRAY_LEN(from) && !from[i]->data)
        i++;
    if (i == XDS_ARRAY_LEN(from) && !b->is_absent)
        return false;
    b->held = entry->held;
    b->held.is_rejected = i + 1 == XDS_ARRAY_LEN(from);
    b->held.is_absent = i == XDS_ARRAY_LEN(from);
    xds_held_sign(&b->held, !b->is_admin, b->client);
    if (i == XDS_ARRAY_LEN(from)) {
        b->is_absent = false;
        *out = (struct xds_resource){
            .format = XDS_FORMAT_BINARY,
            .type = entry->type_url.len > 0 ? xds_resource_type_from_name(entry->type_url)
                                            : b->entry_type,
            .type_url = entry->type_url,
            .name = entry->name,
            .bytes = XDS_S(""),
            .at = nowhere(b)};
    } else {
        const struct xds_slice any = *from[i];
        bool refused;

        *from[i] = (struct xds_slice){NULL, 0};
        const bool is_any = give_any(b, any, out, &refused);

        if (!is_any)
            report_wire(b, b->pos, "the resource is not a google.protobuf.Any");
        if (!is_any || refused)
            return next_of_entry(b, out);
    }
    out->is_static = entry->is_static;
    out->held = &b->held;
    return true;
}

/* One field of the innermost message. */
static void dump_step(struct xds_binary *b)
{
    struct xds_dump_frame *frame = &b->frame[b->depth - 1];
    struct xds_wire_field field;
    struct xds_slice value;

    if (frame->rest.len == 0) {
        b->depth--;
        return;
    }
    if (!xds_wire_next(&frame->rest, &field, &value)) {
        report_wire(b, b->pos, "the field cannot be read");
        b->depth--;
        return;
    }
    for (size_t i = 0; i < XDS_ARRAY_LEN(dump_fields); i++) {
        if (dump_fields[i].in != frame->message ||
            !is_bytes(&field, dump_fields[i].number))
            continue;
        if (dump_fields[i].to == XDS_DUMP_ENTRY) {
            xds_arena_reset(b->entries);
            b->entry_type = dump_fields[i].type;
            if (!xds_held_read_wire(value, dump_fields[i].entry, b->entries, &b->entry)) {
                report_wire(b, b->pos, "the entry cannot be read");
                b->entry = (struct xds_held_entry){.has_used = false};
            }
            b->is_absent = xds_held_tells_absence(&b->entry, b->report->options.versions);
        } else if (dump_fields[i].to != XDS_DUMP_NODE)
            enter(b, dump_fields[i].to, value);
        return;
    }
}

static bool next_of_dump(struct xds_binary *b, struct xds_resource *out)
{
    for (;;) {
        if (next_of_entry(b, out))
            return true;
        if (b->depth > 0)
            dump_step(b);
        else if (!enter_item(b))
            return false;
    }
}

static bool give_whole_input(struct xds_binary *b, struct xds_resource *out)
{
    if (b->done)
        return false;
    b->done = true;
    if (need(b, XDS_MAX_RESOURCE_BYTES + 1) || b->in->full) {
        report_too_large(b);
        return false;
    }
    const enum xds_resource_type type = b->type ? b->type : b->hint;

    *out = (struct xds_resource){.format = XDS_FORMAT_BINARY,
                                 .type = type,
                                 .is_untyped = type == XDS_TYPE_UNKNOWN,
                                 .bytes = xds_buffer_from(b->in, 0),
                                 .at = nowhere(b)};
    return !xds_buffer_failed(b->in);
}

bool xds_binary_next(struct xds_binary *binary, struct xds_resource *out)
{
    if (binary->type != XDS_TYPE_UNKNOWN)
        return give_whole_input(binary, out);
    if (binary->form == XDS_BINARY_UNKNOWN)
        tell_form(binary);
    switch (binary->form) {
    case XDS_BINARY_UNKNOWN:
    case XDS_BINARY_RESPONSE:
        return next_of_response(binary, out);
    case XDS_BINARY_DUMP:
        return next_of_dump(binary, out);
    case XDS_BINARY_RESOURCE:
        return give_whole_input(binary, out);
    }
    return false;
}

void xds_binary_open(struct xds_binary *binary, struct xds_buffer *in,
                     struct xds_report *report, struct xds_arena *texts,
                     enum xds_resource_type type, struct xds_dumped_client *client,
                     struct xds_arena *entries)
{
    in->has_lines = false;
    *binary = (struct xds_binary){.in = in,
                                  .report = report,
                                  .texts = texts,
                                  .type = type,
                                  .client = client,
                                  .entries = entries};
}

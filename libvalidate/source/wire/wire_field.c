/*
 * wire_field.c - fields of a message on the wire, and the resources of
 * DiscoveryResponses.
 *
 * Source: Protocol Buffers encoding; envoy.service.discovery.v3; spec G1 to G4.
 */
#include "source/wire/wire_field.h"

#include "source/walk.h"

enum { LONGEST_VARINT = 10, LONGEST_VARINT32 = 5 };

size_t xds_wire_varint(struct xds_slice s, uint64_t *out)
{
    uint64_t value = 0;

    if (s.len && (unsigned char)s.data[0] < 0x80) { /* nearly all are that short */
        *out = (unsigned char)s.data[0];
        return 1;
    }
    for (size_t i = 0; i < s.len && i < LONGEST_VARINT; i++) {
        const uint64_t byte = (unsigned char)s.data[i];

        value |= (byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            *out = value;
            return i + 1;
        }
    }
    return 0;
}

static void note_long(struct xds_slice s, size_t n, struct xds_wire_field *out)
{
    if (n > LONGEST_VARINT32)
        out->odd |= XDS_WIRE_LONG_HEAD;
    if (xds_wire_overflows(s, n))
        out->odd |= XDS_WIRE_OVERFLOW;
}

static bool read_length(struct xds_slice rest, unsigned type, struct xds_wire_field *out)
{
    size_t n;

    switch (type) {
    case XDS_WIRE_VARINT:
        out->len = xds_wire_varint(rest, &out->value);
        if (xds_wire_overflows(rest, (size_t)out->len))
            out->odd |= XDS_WIRE_OVERFLOW;
        if (xds_wire_top_unset((size_t)out->len, out->value))
            out->odd |= XDS_WIRE_TOP_UNSET;
        if (out->value > UINT32_MAX && out->len < LONGEST_VARINT)
            out->odd |= XDS_WIRE_LONG_VALUE;
        return out->len > 0;
    case XDS_WIRE_64BIT:
        out->len = 8;
        return true;
    case XDS_WIRE_32BIT:
        out->len = 4;
        return true;
    case XDS_WIRE_BYTES:
        n = xds_wire_varint(rest, &out->len);
        note_long(rest, n, out);
        out->head += (uint32_t)n;
        return n > 0;
    case XDS_WIRE_GROUP:
    case XDS_WIRE_GROUP_END:
        return true;
    }
    return false;
}

/* The field that s begins with; except for VARINT its value need not be in s, and of
 * GROUP none is. False when it is none. */
static bool wire_head(struct xds_slice s, struct xds_wire_field *out)
{
    uint64_t tag = 0;

    *out = (struct xds_wire_field){.head = (uint32_t)xds_wire_varint(s, &tag)};
    out->number = (uint32_t)tag >> 3;
    if (out->head == 0 || out->number == 0)
        return false;
    note_long(s, out->head, out);
    if (tag > UINT32_MAX)
        out->odd |= XDS_WIRE_WIDE_TAG;
    out->type = (enum xds_wire_type)(tag & 7);
    return read_length(xds_slice_from(s, out->head), tag & 7, out);
}

/* Take the fields of a group and its end off a message. */
static bool close_group(struct xds_slice *message, struct xds_wire_field *group)
{
    uint32_t open[XDS_MAX_WIRE_NESTING];
    struct xds_wire_field field;
    unsigned depth = 1;

    open[0] = group->number;
    group->groups = 1;
    group->odd |= XDS_WIRE_GROUPED;
    while (depth > 0) {
        if (!wire_head(*message, &field) || field.len > message->len - field.head)
            return false;
        *message = xds_slice_from(*message, field.head + (size_t)field.len);
        group->odd |= field.odd;
        if (field.type == XDS_WIRE_GROUP_END && open[--depth] != field.number)
            return false;
        if (field.type != XDS_WIRE_GROUP)
            continue;
        if (depth == XDS_MAX_WIRE_NESTING)
            return false;
        open[depth++] = field.number;
        if (depth > group->groups)
            group->groups = (uint16_t)depth;
    }
    return true;
}

bool xds_wire_next_long(struct xds_slice *message, struct xds_wire_field *field,
                        struct xds_slice *value)
{
    *value = xds_slice_make(message->data, 0);
    if (!wire_head(*message, field) || field->len > message->len - field->head ||
        field->type == XDS_WIRE_GROUP_END)
        return false;
    *value = xds_slice_make(message->data + field->head, (size_t)field->len);
    *message = xds_slice_from(*message, field->head + (size_t)field->len);
    if (field->type != XDS_WIRE_GROUP)
        return true;
    const bool closed = close_group(message, field);
    field->len = value->len = (size_t)(message->data - value->data);
    return closed;
}

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

bool xds_is_wrapper(struct xds_slice type_url)
{
    const struct xds_slice name = XDS_S("envoy.service.discovery.v3.Resource");

    return xds_slice_ends(type_url, name) &&
           (type_url.len == name.len ||
            type_url.data[type_url.len - name.len - 1] == '/');
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

static void report_wire(struct xds_binary *b, size_t at, const char *text)
{
    if (!xds_buffer_failed(b->in))
        xds_report_at(b->report, xds_rule_row(XDS_R_SRC_WIRE), XDS_NO_RESOURCE,
                      nowhere(b), "invalid DiscoveryResponse: %s at byte %zu", text, at);
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
    return wire_head(xds_buffer_from(b->in, b->pos), field);
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

/* What holds U+0000 is copied, with XDS_NUL. */
static struct xds_slice keep_nul(struct xds_binary *b, struct xds_slice text)
{
    if (text.len == 0 || !memchr(text.data, '\0', text.len))
        return text;
    char *copy = xds_arena_alloc(b->texts, 2 * text.len);
    return xds_slice_make(copy, xds_text_keep_nul(text, copy));
}

static bool give_any(struct xds_binary *b, struct xds_slice any, struct xds_resource *out)
{
    *out = (struct xds_resource){
        .format = XDS_FORMAT_BINARY, .expected = b->expected, .at = nowhere(b)};
    out->bytes = xds_slice_make("", 0);
    if (!read_any(any, &out->type_url, &out->bytes))
        return false;
    xds_binary_unwrap(out);
    out->name = keep_nul(b, out->name);
    out->type_url = keep_nul(b, out->type_url);
    return true;
}

/* resources: false when it could not be read; pos is after it all the same. */
static bool read_resource(struct xds_binary *b, const struct xds_wire_field *field,
                          struct xds_resource *out)
{
    const size_t begin = b->pos;

    if (field->len > XDS_MAX_RESOURCE_BYTES) {
        report_too_large(b);
        b->done = !pass(b, field->head + field->len);
        return false;
    }
    look_for_expected(b);
    const size_t size = field->head + (size_t)field->len;
    if (!need(b, size)) {
        b->done = true;
        report_wire(b, begin, "the resource is cut off");
        return false;
    }
    b->pos += size;
    const struct xds_slice any =
        xds_buffer_part(b->in, begin + field->head, begin + size);
    if (give_any(b, any, out))
        return true;
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

static bool give_whole_input(struct xds_binary *b, struct xds_resource *out)
{
    if (b->done)
        return false;
    b->done = true;
    if (need(b, XDS_MAX_RESOURCE_BYTES + 1) || b->in->full) {
        report_too_large(b);
        return false;
    }
    *out = (struct xds_resource){.format = XDS_FORMAT_BINARY,
                                 .type = b->type,
                                 .bytes = xds_buffer_from(b->in, 0),
                                 .at = nowhere(b)};
    return !xds_buffer_failed(b->in);
}

bool xds_binary_next(struct xds_binary *binary, struct xds_resource *out)
{
    return binary->type == XDS_TYPE_UNKNOWN ? next_of_response(binary, out)
                                            : give_whole_input(binary, out);
}

void xds_binary_open(struct xds_binary *binary, struct xds_buffer *in,
                     struct xds_report *report, struct xds_arena *texts,
                     enum xds_resource_type type)
{
    in->has_lines = false;
    *binary =
        (struct xds_binary){.in = in, .report = report, .texts = texts, .type = type};
}

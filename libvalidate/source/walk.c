/*
 * walk.c - from tokens of a document to its resources, whatever its shape.
 *
 * Source: the proto3 JSON mapping of Any, spec G1 to G4.
 */
#include "source/walk.h"

#include <stdio.h>

#include "source/wire/wire_field.h"

/* Fields that only one type of resource has. */
static const struct {
    const char *key;
    enum xds_resource_type type;
    const char *other; /* the type, when gRPC does not read it */
} telling[] = {
#define XDS_TELLS(key, type, other) {key, type, other},
#include "source/telling.def"
#undef XDS_TELLS
};

/* Two keys that a document has which is not xDS, and what it is. */
static const struct {
    const char *keys[2];
    enum xds_foreign_kind kind;
    const char *what;
    const char *advice; /* where it is the only input, or NULL */
} foreign[] = {
#define XDS_FOREIGN(first, second, kind, what, advice)                                   \
    {{first, second}, XDS_FOREIGN_##kind, what, advice},
#include "source/foreign.def"
};

/* Files are texts in the data of this kind of Kubernetes object. */
#define CONFIG_MAP_ADVICE                                                                \
    "take a file out of its data: yq '.data[\"NAME\"]' FILE | xdscope lint "             \
    "--stdin-name NAME -"

/* "endpoints" is a field of ClusterLoadAssignment too: are assignments in it? An
 * object is one that has them by name, or, where lists are repeated keys, an item. */
static bool holds_assignments(struct xds_reader *reader, const struct xds_token *value)
{
    struct xds_token token = *value;

    if (token.kind == XDS_TOKEN_ARRAY)
        reader->ops->next(reader, &token);
    else if (token.kind == XDS_TOKEN_OBJECT && !reader->repeats)
        return true;
    if (token.kind != XDS_TOKEN_OBJECT)
        return false;
    reader->ops->next(reader, &token);
    return token.kind == XDS_TOKEN_KEY && xds_shape_is_assignment_key(token.text);
}

enum probe_step { PROBE_ON, PROBE_DONE, PROBE_AGAIN };

/* Text proto has bytes as they are, JSON and YAML in base64. */
static enum probe_step probe_packed(struct xds_reader *reader, struct xds_slice *found,
                                    bool is_bytes)
{
    struct xds_token value;

    reader->ops->next(reader, &value);
    if (value.kind != XDS_TOKEN_STRING)
        reader->ops->skip(reader, &value);
    else if (is_bytes && reader->repeats)
        *found = xds_arena_dup(reader->scratch, value.text);
    else
        *found = xds_plain_text(&value, reader->scratch);
    return PROBE_ON;
}

static enum probe_step probe_string(struct xds_reader *reader, struct xds_probe *found,
                                    bool is_type)
{
    struct xds_token value;

    reader->ops->next(reader, &value);
    if (value.kind != XDS_TOKEN_STRING) {
        reader->ops->skip(reader, &value);
        return PROBE_ON;
    }
    const struct xds_slice text = xds_plain_text(&value, reader->scratch);
    *(is_type ? &found->type_url : &found->name) = text;
    if (!is_type || xds_is_wrapper(text))
        return PROBE_ON;
    found->container = xds_shape_is_container(text);
    return PROBE_DONE;
}

/* What the key alone tells. Once the type is known there is no more to tell. */
static void probe_name_of_key(struct xds_probe *found, struct xds_slice key)
{
    const char first = key.len > 0 ? key.data[0] : '\0';

    if (found->tells || found->tells_other)
        return;
    for (size_t i = 0; !found->typed && i < XDS_ARRAY_LEN(telling); i++)
        if (telling[i].key[0] == first && xds_shape_key_is(key, telling[i].key)) {
            found->tells = telling[i].type;
            found->tells_other = telling[i].other;
            return;
        }
    for (size_t i = 0; i < XDS_ARRAY_LEN(foreign); i++)
        for (size_t half = 0; half < 2; half++)
            if (foreign[i].keys[half][0] == first &&
                xds_slice_is(key, foreign[i].keys[half]))
                found->halves[half] |= 1u << i;
}

static enum probe_step probe_kind(struct xds_reader *reader, struct xds_probe *found)
{
    struct xds_token value;

    reader->ops->next(reader, &value);
    if (value.kind == XDS_TOKEN_STRING)
        found->kind = xds_plain_text(&value, reader->scratch);
    else
        reader->ops->skip(reader, &value);
    return found->halves[0] & found->halves[1] ? PROBE_DONE : PROBE_ON;
}

static enum probe_step probe_key(struct xds_reader *reader, struct xds_probe *found,
                                 const struct xds_token *key)
{
    const bool is_type = xds_token_is(key, "@type");
    const bool is_endpoints = xds_slice_is(key->text, "endpoints");
    const bool resource = xds_slice_is(key->text, "resource");
    const bool in_document = found->place == XDS_PLACE_DOCUMENT;
    struct xds_token value;

    if (is_type || xds_slice_is(key->text, "name"))
        return probe_string(reader, found, is_type);
    if (xds_shape_key_is(key->text, "type_url")) {
        found->container |= in_document; /* unless it is an Any, with a value */
        return probe_packed(reader, &found->packed, false);
    }
    if (found->packed.len > 0 && xds_slice_is(key->text, "value"))
        return probe_packed(reader, &found->packed_value, true);
    if (xds_is_wrapper(found->type_url) && xds_token_is(key, "@value"))
        return probe_packed(reader, &found->packed_value, true);
    if (in_document || !found->typed)
        probe_name_of_key(found, key->text);
    if (in_document && xds_slice_is(key->text, "kind"))
        return probe_kind(reader, found);
    if (in_document && found->halves[0] & found->halves[1])
        return PROBE_DONE;
    const bool container =
        in_document && xds_shape_find(XDS_PLACE_ROOT, key->text) != NULL;
    if (container && !is_endpoints) {
        found->container = true;
        /* A gRPC bootstrap has a node as well. */
        if (!xds_slice_is(key->text, "node"))
            return PROBE_DONE;
    }
    reader->ops->next(reader, &value);
    if (is_endpoints && container && !found->know_endpoints) {
        found->container = holds_assignments(reader, &value);
        return found->container ? PROBE_DONE : PROBE_AGAIN;
    }
    if (resource) {
        found->has_resource = true;
        found->resource = value.kind;
    }
    reader->ops->skip(reader, &value);
    return PROBE_ON;
}

/* One skip the keys; *again: another one is needed that knows of "endpoints". */
static bool probe_pass(struct xds_reader *reader, struct xds_probe *found, bool *again)
{
    struct xds_token key;
    enum probe_step step = PROBE_ON;

    reader->ops->mark(reader);
    while (step == PROBE_ON && !reader->failed) {
        reader->ops->next(reader, &key);
        step = key.kind == XDS_TOKEN_KEY ? probe_key(reader, found, &key) : PROBE_DONE;
    }
    *again = step == PROBE_AGAIN;
    const bool good = !reader->failed;
    reader->ops->rewind(reader);
    return good;
}

/* Read the keys of an object that was just entered, as far as they tell something, and
 * come back to its first key. A wrapper by type is no container. False on a fault; if the
 * reader is not dead then, the object is too large. */
static bool probe_object(struct xds_reader *reader, struct xds_probe *found,
                         enum xds_place_kind place, bool typed)
{
    bool again;

    *found = (struct xds_probe){.place = place, .typed = typed};
    if (!probe_pass(reader, found, &again))
        return false;
    if (!again)
        return true;
    *found = (struct xds_probe){.place = place, .typed = typed, .know_endpoints = true};
    return probe_pass(reader, found, &again);
}

static struct xds_walk_frame *top(struct xds_walk *walk)
{
    return &walk->frame[walk->depth - 1];
}

static void next_token(struct xds_walk *walk, struct xds_token *out)
{
    walk->reader->ops->next(walk->reader, out);
}

/* A fault that is met here ends the document: the next token is an error. */
static void skip_value(struct xds_walk *walk, const struct xds_token *first)
{
    walk->reader->ops->skip(walk->reader, first);
}

static struct xds_place place_of(struct xds_walk *walk, const struct xds_token *token)
{
    return walk->reader->ops->place(walk->reader, token);
}

/* ---- findings ---- */

#define TEMPLATE                                                                         \
    "the input looks like a template, which must be rendered first, for example with "   \
    "\"helm template\": "

static bool is_template(struct xds_walk *walk)
{
    const struct xds_buffer *in = walk->in;
    const size_t from = walk->looked > in->begin ? walk->looked : in->begin;

    walk->looked = in->end > from + 2 ? in->end - 2 : from; /* a sign is three bytes */
    return xds_shape_is_template(xds_buffer_from(in, from));
}

/* A read error shows up as a text that ends too early: it is not the text's fault. */
static void report_fault(struct xds_walk *walk)
{
    const struct xds_source_fault *fault = &walk->reader->fault;

    walk->complained = true;
    if (!xds_buffer_failed(walk->in) && !walk->is_template) {
        walk->is_template = is_template(walk);
        xds_report_at(walk->report, xds_rule_row(fault->rule), XDS_NO_RESOURCE, fault->at,
                      "%s%s", walk->is_template ? TEMPLATE : "", fault->text);
    }
    if (walk->reader->failed)
        walk->depth = 0;
}

static bool first_complaint(struct xds_walk *walk)
{
    const bool first = !walk->complained;

    walk->complained = true;
    return first;
}

static void report_shape(struct xds_walk *walk, struct xds_place at, const char *text)
{
    xds_report_at(walk->report, xds_rule_row(XDS_R_SRC_SHAPE), XDS_NO_RESOURCE, at, "%s",
                  text);
}

static void complain_shape(struct xds_walk *walk, const struct xds_token *at,
                           const char *text)
{
    if (first_complaint(walk))
        report_shape(walk, place_of(walk, at), text);
}

#define NO_HEADER                                                                        \
    "cannot tell the resource type: no comment \"# proto-message: NAME\"; use --type "   \
    "or a file name like X.routes.txtpb"
#define NO_TYPE                                                                          \
    "cannot tell the resource type: no @type; use --type or a file name like "           \
    "X.routes.yaml"
#define GO_ADVICE                                                                        \
    "cannot tell the resource type: it is JSON of Go structs, by encoding/json; print "  \
    "each resource with protojson"

/* In a folder, what is not xDS is only counted. */
static bool add_other(struct xds_walk *walk, struct xds_place at)
{
    if (walk->in_folder)
        xds_report_add_foreign(walk->report, XDS_FOREIGN_UNKNOWN, at,
                               XDS_S("no key of it is one of xDS"));
    return walk->in_folder;
}

static void complain_type(struct xds_walk *walk, struct xds_place at)
{
    const char *why = walk->has_go            ? GO_ADVICE
                      : walk->reader->repeats ? NO_HEADER
                                              : NO_TYPE;

    if (!first_complaint(walk))
        return;
    if (walk->has_go)
        walk->report->input.kind = "JSON of Go structs";
    if (xds_is_settings(xds_report_file(walk->report, at.file))) {
        walk->report->input.kind = "the settings of xdscope, which it reads by itself";
        report_shape(
            walk, at,
            "input is the settings of xdscope, which it reads by itself, not xDS");
    } else if (walk->inside && !walk->has_go)
        xds_report_no_type(walk->report, at,
                           xds_shape_map_advice(walk->texts, walk->inside));
    else
        xds_report_no_type(walk->report, at, xds_slice_of(why));
}

static bool take_bootstrap(struct xds_walk *walk, const struct xds_token *first,
                           struct xds_resource *out)
{
    struct xds_taken taken;

    walk->has_xds = true;
    *out = (struct xds_resource){
        .format = walk->format, .at = place_of(walk, first), .is_bootstrap = true};
    if (!walk->reader->ops->take(walk->reader, first, &taken)) {
        report_fault(walk);
        return false;
    }
    out->bytes = taken.bytes;
    out->tokens = taken.tokens;
    return true;
}

/* A document of something else, which is known by two of its keys. */
static bool leave_foreign(struct xds_walk *walk, const struct xds_token *first,
                          const struct xds_probe *found, struct xds_resource *out)
{
    const unsigned both = found->halves[0] & found->halves[1];
    const char *open = found->kind.len ? " (" : "", *close = found->kind.len ? ")" : "";
    size_t i = 0;

    while (!(both >> i & 1))
        i++;
    if (foreign[i].kind == XDS_FOREIGN_BOOTSTRAP && walk->report->options.bootstraps)
        return take_bootstrap(walk, first, out);
    const struct xds_slice what =
        xds_arena_printf(walk->texts, "%s%s%.*s%s", foreign[i].what, open,
                         XDS_FMT(xds_slice_clip(found->kind, 80)), close);
    walk->report->input.kind = foreign[i].what;
    const char *advice =
        xds_slice_is(found->kind, "ConfigMap") ? CONFIG_MAP_ADVICE : foreign[i].advice;
    /* Of bootstraps one is used, this one or another. */
    const bool counts = !xds_foreign_is_bootstrap(foreign[i].kind) ||
                        !walk->report->options.bootstrap.is_set;
    if (walk->in_folder && counts)
        xds_report_add_foreign(walk->report, foreign[i].kind, place_of(walk, first),
                               what);
    else if (!walk->in_folder)
        complain_shape(walk, first,
                       xds_arena_printf(walk->texts, "input is %.*s, not xDS%s%s",
                                        XDS_FMT(what), advice ? ": " : "",
                                        advice ? advice : "")
                           .data);
    skip_value(walk, first);
    return false;
}

/* ---- what a dump says of its resources ---- */

/* What to say of the resource at hand; NULL when it is in no dump. */
static const struct xds_held *held_of(struct xds_walk *walk, bool in_entry,
                                      bool is_absent)
{
    const struct xds_walk_frame *frame = top(walk);

    if (!in_entry && !frame->in_client)
        return NULL;
    walk->held = in_entry ? walk->entry.held : (struct xds_held){.client = 0};
    walk->held.is_rejected = frame->is_rejected;
    walk->held.is_absent = is_absent;
    xds_held_sign(&walk->held, frame->in_client, walk->client);
    return &walk->held;
}

/* ---- resources ---- */

/* It is xDS, and what was searched for it has some. */
static void recognise(struct xds_walk *walk)
{
    walk->has_xds = true;
    walk->searched.line = 0;
}

/* What tells the type, in this order: @type, the place, the response, the hint, a key. */
static bool settle_type(const struct xds_walk *walk, struct xds_resource *out,
                        const struct xds_probe *found, enum xds_resource_type of_place)
{
    if (out->type_url.len) {
        out->type = xds_resource_type_from_name(out->type_url);
        return true;
    }
    out->type = of_place;
    if (out->type == XDS_TYPE_UNKNOWN && out->expected.len) {
        out->type = xds_resource_type_from_name(out->expected);
        if (out->type == XDS_TYPE_UNKNOWN)
            out->type_url = out->expected;
        return true;
    }
    if (out->type == XDS_TYPE_UNKNOWN)
        out->type = walk->hint;
    if (out->type == XDS_TYPE_UNKNOWN && !walk->other_hint)
        out->type = found->tells;
    if (out->type != XDS_TYPE_UNKNOWN)
        return true;
    out->type_url =
        xds_slice_of(walk->other_hint ? walk->other_hint : found->tells_other);
    /* As on the wire, a wrapper without a resource needs no type. */
    return out->type_url.len > 0 || out->wrapper == XDS_WRAPPER_EMPTY ||
           out->wrapper == XDS_WRAPPER_UNDECODABLE;
}

/* Is it a type that was meant to be one of xDS? Then the resource is not read. What
 * clients do in a response of one of the types is known. */
static bool refuse_type(struct xds_walk *walk, const struct xds_token *first,
                        const struct xds_resource *of)
{
    struct xds_slice why = {NULL, 0};

    if (xds_resource_type_from_name(of->expected) == XDS_TYPE_UNKNOWN)
        why = xds_shape_why_not(walk->texts, of->type_url);
    if (!why.data)
        return false;
    walk->report->input.kind = "xDS";
    xds_report_no_type(walk->report, place_of(walk, first), why);
    skip_value(walk, first);
    return true;
}

/* Take the object that was just entered as a resource. */
static bool take_resource(struct xds_walk *walk, const struct xds_token *first,
                          const struct xds_probe *found, enum xds_resource_type of_place,
                          struct xds_resource *out)
{
    struct xds_taken taken;

    recognise(walk);
    if (!settle_type(walk, out, found, of_place)) {
        complain_type(walk, place_of(walk, first));
        skip_value(walk, first);
        return false;
    }
    if (out->type == XDS_TYPE_UNKNOWN && refuse_type(walk, first, out))
        return false;
    out->format = walk->format;
    out->at = place_of(walk, first);
    out->is_static = top(walk)->is_static;
    out->held = held_of(walk, top(walk)->in_entry, false);
    out->is_static |= top(walk)->in_entry && walk->entry.is_static;
    if (!walk->reader->ops->take(walk->reader, first, &taken)) {
        report_fault(walk);
        return false;
    }
    out->bytes = taken.bytes;
    out->tokens = taken.tokens;
    return true;
}

static bool take_packed(struct xds_walk *walk, const struct xds_token *first,
                        const struct xds_probe *found, struct xds_resource *out)
{
    struct xds_slice value;

    if (!xds_probe_bytes(walk->reader, found, &value)) {
        complain_shape(walk, first,
                       "the bytes of a google.protobuf.Any must be text in base64");
        skip_value(walk, first);
        return false;
    }
    if (!take_resource(walk, first, found, XDS_TYPE_UNKNOWN, out))
        return false;
    out->bytes = value;
    out->tokens = NULL;
    out->format = XDS_FORMAT_BINARY;
    xds_binary_unwrap(out);
    return true;
}

/* ---- containers ---- */

static bool push(struct xds_walk *walk, const struct xds_token *first,
                 struct xds_walk_frame frame)
{
    if (walk->depth == XDS_WALK_LEVELS) {
        complain_shape(walk, first, "the input nests containers too deep");
        skip_value(walk, first);
        return false;
    }
    frame.is_list = first->kind == XDS_TOKEN_ARRAY;
    frame.is_static = top(walk)->is_static || walk->in_static;
    frame.in_client |= top(walk)->in_client;
    frame.in_entry |= top(walk)->in_entry;
    frame.is_rejected = top(walk)->is_rejected || frame.place == XDS_PLACE_ERROR;
    walk->frame[walk->depth++] = frame;
    return false;
}

static struct xds_walk_frame frame_of(const struct xds_walk *walk,
                                      enum xds_place_kind place,
                                      enum xds_resource_type type)
{
    const struct xds_walk_frame *outer = &walk->frame[walk->depth - 1];
    const bool inherits =
        place == XDS_PLACE_ANYS || place == XDS_PLACE_WRAPPER || outer->is_list;

    return (struct xds_walk_frame){
        .place = place,
        .type = type,
        .by_name = place == XDS_PLACE_RESOURCES || place == XDS_PLACE_ANYS ||
                   place == XDS_PLACE_NAMED || place == XDS_PLACE_SEARCH,
        .expected = inherits ? outer->expected : (struct xds_slice){NULL, 0}};
}

static bool push_wrapper(struct xds_walk *walk, const struct xds_token *first,
                         const struct xds_probe *found, enum xds_resource_type type)
{
    struct xds_walk_frame frame = frame_of(walk, XDS_PLACE_WRAPPER, type);
    const bool is_any = xds_is_wrapper(found->type_url);

    frame.name = found->name;
    frame.wrapper = is_any ? XDS_WRAPPER_OK : XDS_WRAPPER_NONE;
    frame.expected = top(walk)->expected;
    return push(walk, first, frame);
}

/* Is the object of a document none that is known, and is xDS to be looked for in it? */
static bool is_searched(struct xds_walk *walk, const struct xds_probe *found)
{
    if (found->place == XDS_PLACE_SEARCH)
        return !xds_shape_is_xds(found->type_url);
    if (found->type_url.len || found->tells || found->tells_other || found->has_resource)
        return false;
    return (!walk->hint && !walk->other_hint) || xds_leads_to_type(walk->reader);
}

/* Look for an "@type" of xDS below; what is in another message is not looked at. */
static bool search(struct xds_walk *walk, const struct xds_token *first,
                   const struct xds_probe *found)
{
    if (walk->search == 0) {
        walk->search = walk->depth + 1;
        walk->searched = place_of(walk, first);
    }
    if (found->type_url.len == 0 && found->tells)
        walk->inside = found->tells;
    if (found->type_url.len == 0 && walk->depth < walk->search + XDS_SEARCH_LEVELS)
        return push(walk, first, frame_of(walk, XDS_PLACE_SEARCH, XDS_TYPE_UNKNOWN));
    skip_value(walk, first);
    return false;
}

/* An object that is a resource, wraps one, or (in a document) holds some. */
static bool visit_object(struct xds_walk *walk, const struct xds_token *first,
                         enum xds_place_kind place, enum xds_resource_type type,
                         struct xds_resource *out)
{
    const bool wrapped = top(walk)->place == XDS_PLACE_WRAPPER;
    const bool typed = type != XDS_TYPE_UNKNOWN || top(walk)->expected.len > 0 ||
                       walk->hint || walk->other_hint;
    struct xds_probe found;

    if (!probe_object(walk->reader, &found, place, typed)) {
        /* The keys could not be read. A fault that does not end the document is one of
         * size. */
        const bool failed = walk->reader->failed;

        if (!failed)
            walk->reader->fault.at = place_of(walk, first);
        report_fault(walk);
        if (!failed)
            skip_value(walk, first);
        return false;
    }
    if (found.halves[0] & found.halves[1] && found.type_url.len == 0)
        return leave_foreign(walk, first, &found, out);
    const bool is_packed = xds_shape_is_packed(&found);

    if (found.container && place != XDS_PLACE_RESOURCE && !is_packed) {
        if (found.type_url.len)
            recognise(walk);
        else if (walk->vague.line == 0)
            walk->vague = place_of(walk, first);
        return push(walk, first, frame_of(walk, XDS_PLACE_ROOT, XDS_TYPE_UNKNOWN));
    }
    if (place != XDS_PLACE_RESOURCE && !is_packed && is_searched(walk, &found))
        return search(walk, first, &found);

    const bool is_any = !wrapped && xds_is_wrapper(found.type_url);
    const bool may_wrap = is_any || (!wrapped && !found.type_url.len);
    if (may_wrap && found.has_resource && found.resource == XDS_TOKEN_OBJECT)
        return push_wrapper(walk, first, &found, type);
    *out = (struct xds_resource){.type_url = found.type_url,
                                 .expected = top(walk)->expected};
    if (wrapped) {
        /* Tell of a resource what the wrapper around it says, once. */
        struct xds_walk_frame *wrapper = top(walk);

        out->name = wrapper->name;
        out->wrapper = wrapper->wrapper;
        wrapper->name = (struct xds_slice){NULL, 0};
    }
    if (is_any && found.packed_value.data)
        return take_packed(walk, first, &found, out);
    if (is_any) {
        /* A wrapper without an object in "resource" is handed on as it is. */
        const bool absent = !found.has_resource || found.resource == XDS_TOKEN_NULL;

        out->wrapper = absent ? XDS_WRAPPER_EMPTY : XDS_WRAPPER_UNDECODABLE;
        out->name = found.name;
        out->type_url = (struct xds_slice){NULL, 0};
    }
    if ((place == XDS_PLACE_RESOURCE || is_packed) && found.packed.len &&
        !found.type_url.len) {
        out->type_url = found.packed;
        return take_packed(walk, first, &found, out);
    }
    return take_resource(walk, first, &found, type, out);
}

static void set_expected(struct xds_walk *walk, const struct xds_token *value)
{
    struct xds_walk_frame *frame = top(walk);

    if (value->kind != XDS_TOKEN_STRING)
        skip_value(walk, value);
    else if (value->escaped || !xds_slice_eq(value->text, frame->expected))
        frame->expected = xds_plain_text(value, walk->texts);
    /* node's CSDS has the name of the message alone. */
    if (frame->place == XDS_PLACE_GENERIC && frame->expected.len > 0 &&
        !memchr(frame->expected.data, '/', frame->expected.len))
        frame->expected = xds_arena_printf(walk->texts, "type.googleapis.com/%.*s",
                                           XDS_FMT(frame->expected));
}

/* The response's type URL may be after its resources. */
static void look_for_expected(struct xds_walk *walk)
{
    const struct xds_reader_ops *ops = walk->reader->ops;
    struct xds_token token;

    if (top(walk)->expected.len || top(walk)->looked || !ops->near_end(walk->reader))
        return;
    top(walk)->looked = true;
    ops->mark(walk->reader);
    next_token(walk, &token);
    skip_value(walk, &token);
    while (!walk->reader->failed) {
        next_token(walk, &token);
        if (token.kind != XDS_TOKEN_KEY)
            break;
        const bool is_type = xds_shape_key_is(token.text, "type_url");
        next_token(walk, &token);
        if (is_type) {
            set_expected(walk, &token);
            break;
        }
        skip_value(walk, &token);
    }
    ops->rewind(walk->reader);
    walk->reader->failed = false; /* a fault will be met again, in its turn */
}

/* A value where the shape has a container. */
static bool visit_container(struct xds_walk *walk, const struct xds_token *first,
                            enum xds_place_kind place, enum xds_resource_type type)
{
    if (first->kind == XDS_TOKEN_OBJECT || first->kind == XDS_TOKEN_ARRAY)
        return push(walk, first, frame_of(walk, place, type));
    if (first->kind != XDS_TOKEN_NULL)
        complain_shape(walk, first,
                       "input is not an xDS snapshot: expected an object or a list");
    return false;
}

static bool visit_document(struct xds_walk *walk, const struct xds_token *first,
                           struct xds_resource *out)
{
    if (first->kind == XDS_TOKEN_OBJECT)
        return visit_object(walk, first, XDS_PLACE_DOCUMENT, XDS_TYPE_UNKNOWN, out);
    if (first->kind == XDS_TOKEN_ARRAY || first->kind == XDS_TOKEN_NULL)
        return visit_container(walk, first, XDS_PLACE_DOCUMENT, XDS_TYPE_UNKNOWN);
    if (!add_other(walk, place_of(walk, first)))
        complain_shape(walk, first,
                       "input is not an xDS snapshot: expected an object or a list");
    return false;
}

/* ---- dumps ---- */

/* An entry of a dump: its fields come in any order, and what they say is known before its
 * resources. */
static bool visit_entry(struct xds_walk *walk, const struct xds_token *first,
                        enum xds_place_kind place, enum xds_resource_type type,
                        struct xds_resource *out)
{
    struct xds_reader *reader = walk->reader;
    struct xds_held_entry *entry = &walk->entry;

    xds_arena_reset(walk->entries);
    reader->ops->mark(reader);
    xds_held_read(reader, walk->entries, entry);
    const bool good = !reader->failed;
    reader->ops->rewind(reader);
    if (!good && !reader->failed) {
        reader->fault.at = place_of(walk, first);
        report_fault(walk);
        skip_value(walk, first);
        return false;
    }
    reader->failed = false; /* a fault will be met again, in its turn */

    struct xds_walk_frame frame = frame_of(walk, place, type);

    frame.in_entry = good;
    if (!good || !xds_held_tells_absence(entry, walk->report->options.versions))
        return push(walk, first, frame);
    if (entry->type_url.len > 0)
        type = xds_resource_type_from_name(entry->type_url);
    *out = (struct xds_resource){.format = XDS_FORMAT_BINARY,
                                 .type = type,
                                 .type_url = entry->type_url,
                                 .name = entry->name,
                                 .is_static = entry->is_static,
                                 .bytes = XDS_S(""),
                                 .at = place_of(walk, first)};
    out->held = held_of(walk, true, true);
    recognise(walk);
    skip_value(walk, first);
    return true;
}

static bool visit_client(struct xds_walk *walk, const struct xds_token *first)
{
    const unsigned depth = walk->depth;

    (void)visit_container(walk, first, XDS_PLACE_CLIENT, XDS_TYPE_UNKNOWN);
    if (walk->depth > depth && first->kind == XDS_TOKEN_OBJECT) {
        top(walk)->in_client = true;
        xds_begin_node(walk->client);
        xds_begin_client(walk->client);
    }
    return false;
}

static bool visit_node(struct xds_walk *walk, const struct xds_token *first)
{
    struct xds_dumped_client *client = walk->client;

    if (first->kind == XDS_TOKEN_OBJECT) {
        /* Of several clients the first one says who judges. */
        client->reads_agent = !client->seen;
        client->seen = true;
    }
    return visit_container(walk, first, XDS_PLACE_NODE, XDS_TYPE_UNKNOWN);
}

static void keep_text(struct xds_walk *walk, const struct xds_token *value, char *out,
                      size_t size)
{
    if (value->kind == XDS_TOKEN_STRING)
        (void)snprintf(out, size, "%.*s",
                       XDS_FMT(xds_plain_text(value, walk->reader->scratch)));
    else
        skip_value(walk, value);
}

static void visit_node_id(struct xds_walk *walk, const struct xds_token *first)
{
    struct xds_dumped_client *client = walk->client;

    keep_text(walk, first, client->id, sizeof client->id);
    if (top(walk)->in_client && client->is_new && client->n > 1 && client->id[0] &&
        strcmp(client->id, client->id_before) == 0)
        client->n--;
}

static void visit_scope(struct xds_walk *walk, const struct xds_token *first)
{
    if (first->kind == XDS_TOKEN_STRING)
        xds_report_name_scope(walk->report, walk->client->configs,
                              xds_plain_text(first, walk->reader->scratch));
    else
        skip_value(walk, first);
}

static void visit_agent(struct xds_walk *walk, const struct xds_token *first,
                        enum xds_place_kind place)
{
    struct xds_dumped_client *client = walk->client;

    if (place == XDS_PLACE_AGENT_NAME) {
        keep_text(walk, first, client->agent, sizeof client->agent);
        if (client->reads_agent)
            memcpy(client->name, client->agent, sizeof client->name);
    } else if (client->reads_agent)
        keep_text(walk, first, client->version, sizeof client->version);
    else
        skip_value(walk, first);
}

static void visit_bootstrap(struct xds_walk *walk, const struct xds_token *first)
{
    struct xds_dumped_client *client = walk->client;

    if (client->reads_agent && first->kind == XDS_TOKEN_STRING)
        client->bootstrap =
            xds_arena_dup(client->arena, xds_plain_text(first, walk->reader->scratch));
    else
        skip_value(walk, first);
}

static bool visit_resource(struct xds_walk *walk, const struct xds_token *first,
                           enum xds_resource_type type, struct xds_resource *out)
{
    if (first->kind == XDS_TOKEN_OBJECT)
        return visit_object(walk, first, XDS_PLACE_RESOURCE, type, out);
    if (first->kind != XDS_TOKEN_NULL)
        complain_shape(walk, first,
                       "input is not an xDS snapshot: a resource must be an object");
    skip_value(walk, first);
    return false;
}

static bool visit(struct xds_walk *walk, const struct xds_token *first,
                  enum xds_place_kind place, enum xds_resource_type type,
                  struct xds_resource *out)
{
    if (first->kind == XDS_TOKEN_ERROR) {
        report_fault(walk);
        return false;
    }
    if (walk->reader->repeats && first->kind == XDS_TOKEN_OBJECT)
        place = xds_shape_item_place(place); /* there are no maps of resources */
    switch (place) {
    case XDS_PLACE_SKIP:
        skip_value(walk, first);
        return false;
    case XDS_PLACE_RESPONSE_TYPE:
        set_expected(walk, first);
        return false;
    case XDS_PLACE_CLIENT:
        return visit_client(walk, first);
    case XDS_PLACE_NODE:
        return visit_node(walk, first);
    case XDS_PLACE_NODE_ID:
        visit_node_id(walk, first);
        return false;
    case XDS_PLACE_SCOPE:
        visit_scope(walk, first);
        return false;
    case XDS_PLACE_BOOTSTRAP_NAMES:
        visit_bootstrap(walk, first);
        return false;
    case XDS_PLACE_AGENT_NAME:
    case XDS_PLACE_AGENT_VERSION:
        visit_agent(walk, first, place);
        return false;
    case XDS_PLACE_DOCUMENT:
        return visit_document(walk, first, out);
    case XDS_PLACE_SEARCH:
        if (first->kind == XDS_TOKEN_OBJECT)
            return visit_object(walk, first, XDS_PLACE_SEARCH, XDS_TYPE_UNKNOWN, out);
        if (first->kind == XDS_TOKEN_ARRAY)
            return visit_container(walk, first, XDS_PLACE_SEARCH, XDS_TYPE_UNKNOWN);
        skip_value(walk, first);
        return false;
    case XDS_PLACE_RESOURCE:
        return visit_resource(walk, first, type, out);
    case XDS_PLACE_METADATA:
        if (!walk->reader->repeats || first->kind != XDS_TOKEN_OBJECT)
            return visit_container(walk, first, place, type);
        xds_read_metadata_text(walk->reader, walk->client);
        return false;
    case XDS_PLACE_NAMED:
    case XDS_PLACE_ROOT:
    case XDS_PLACE_RESOURCES:
    case XDS_PLACE_ANYS:
    case XDS_PLACE_WRAPPER:
    case XDS_PLACE_BOOTSTRAP:
    case XDS_PLACE_STATIC:
    case XDS_PLACE_DUMP:
    case XDS_PLACE_PER_XDS:
    case XDS_PLACE_ERROR:
        return visit_container(walk, first, place, type);
    case XDS_PLACE_DUMP_ENTRY:
    case XDS_PLACE_GENERIC:
        if (first->kind == XDS_TOKEN_OBJECT && !top(walk)->in_entry)
            return visit_entry(walk, first, place, type, out);
        return visit_container(walk, first, place, type);
    }
    return false;
}

static bool visit_member(struct xds_walk *walk, const struct xds_token *key,
                         struct xds_resource *out)
{
    const struct xds_walk_frame *frame = top(walk);

    walk->has_go |= frame->place == XDS_PLACE_SEARCH && xds_shape_is_go(key->text);
    const struct xds_shape *shape = xds_shape_find(frame->place, key->text);
    enum xds_place_kind place = shape ? shape->to : XDS_PLACE_SKIP;
    enum xds_resource_type type = shape ? shape->type : XDS_TYPE_UNKNOWN;
    struct xds_misspelt misspelt = {.meant = NULL};
    struct xds_token value;

    if (!shape && !frame->by_name)
        xds_misspelt_look(walk->reader, walk->texts, frame->place, key, &misspelt);
    if (shape && shape->in == XDS_PLACE_CLIENT && shape->to != XDS_PLACE_NODE &&
        !frame->in_client) {
        /* A ClientConfig without a ClientStatusResponse around it. */
        top(walk)->in_client = true;
        xds_begin_client(walk->client);
    }
    walk->in_static = shape && strncmp(shape->key, "static_", 7) == 0;
    if (shape && shape->in != XDS_PLACE_WRAPPER)
        walk->has_xds |= !xds_shape_is_common(shape);
    if (frame->by_name)
        place = xds_shape_item_place(frame->place);
    if (frame->by_name || frame->place == XDS_PLACE_WRAPPER)
        type = frame->type;
    if (place == XDS_PLACE_ANYS)
        look_for_expected(walk);
    next_token(walk, &value);
    xds_misspelt_report(walk->report, &misspelt, &value);
    return visit(walk, &value, place, type, out);
}

/* At its end it is known whether xDS was in what was searched, or in a container. */
static void leave_container(struct xds_walk *walk)
{
    if (walk->depth == walk->search) {
        walk->search = 0;
        if (walk->searched.line > 0 && !add_other(walk, walk->searched))
            complain_type(walk, walk->searched);
    }
    if (--walk->depth == 0 && walk->vague.line > 0 && !walk->has_xds && !walk->complained)
        (void)add_other(walk, walk->vague);
}

/* One token of the innermost container; true when it became a resource. */
static bool step(struct xds_walk *walk, struct xds_resource *out)
{
    const struct xds_walk_frame *frame = top(walk);
    struct xds_token token;

    next_token(walk, &token);
    if (token.kind == XDS_TOKEN_KEY)
        return visit_member(walk, &token, out);
    if (token.kind == XDS_TOKEN_OBJECT_END || token.kind == XDS_TOKEN_ARRAY_END ||
        token.kind == XDS_TOKEN_END) {
        leave_container(walk);
        return false;
    }
    walk->in_static = false;
    return visit(walk, &token, xds_shape_item_place(frame->place), frame->type, out);
}

static bool begin_document(struct xds_walk *walk)
{
    if (!walk->reader->ops->begin(walk->reader))
        return false;
    xds_arena_reset(walk->texts);
    walk->documents++;
    walk->complained = walk->has_xds = walk->has_go = false;
    walk->inside = XDS_TYPE_UNKNOWN;
    walk->vague.line = 0;
    walk->in_static = false;
    walk->search = 0;
    xds_begin_node(walk->client);
    walk->depth = 1;
    walk->frame[0] = (struct xds_walk_frame){.place = XDS_PLACE_DOCUMENT};
    return true;
}

bool xds_walk_next(struct xds_walk *walk, struct xds_resource *out)
{
    for (;;) {
        if (walk->depth == 0 && !begin_document(walk))
            return false;
        /* Only the name in a wrapper must outlive the step that read it. */
        if (top(walk)->place != XDS_PLACE_WRAPPER)
            xds_arena_reset(walk->reader->scratch);
        if (step(walk, out))
            return true;
        if (xds_buffer_failed(walk->in))
            return false;
    }
}

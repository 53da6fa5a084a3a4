/*
 * status.c - what a client says of all that it holds, in another format.
 *
 * Source: envoy.service.status.v3.ClientStatusResponse (csds.proto).
 */
#include "convert/inner.h"

#include "decode/wire.h"
#include "source/wire/wire_field.h"

struct status {
    struct xds_slice bytes;
    const struct xds_convert_options *options;
    struct xds_arena arena;
    struct xds_arena levels; /* of the sink: they outlast what the arena holds */
    struct xds_kept kept;
    struct xds_sink sink;
    struct xds_out out;
    size_t lost;
    enum xds_status result;
};

/* NULL: it is no such message, and result says so. */
static const ProtobufCMessage *
decode(struct status *s, const ProtobufCMessageDescriptor *type, struct xds_slice bytes)
{
    struct xds_any root = {0};

    xds_kept_init(&s->kept, &s->arena);
    xds_decode_message(&s->arena, type, bytes, &root, &s->kept);
    if (root.state == XDS_ANY_TYPED) {
        struct xds_lost lost = {.arena = &s->arena,
                                .kept = &s->kept,
                                .from = XDS_FORMAT_BINARY,
                                .to = s->options->format};

        xds_lost_find_in(&lost, root.message);
        s->lost += lost.n;
        return root.message;
    }
    s->result = XDS_ERR_USAGE;
    return NULL;
}

/* ---- JSON and YAML: one entry after the other, so that memory is that of one ---- */

/* Messages with a list that may be large, whose items are of the next level. */
static const struct level {
    const ProtobufCMessageDescriptor *type;
    uint32_t list; /* the number of its field; 0: none */
} levels[] = {
    {&envoy__service__status__v3__client_status_response__descriptor, 1},
    {&envoy__service__status__v3__client_config__descriptor, 3},
    {&envoy__service__status__v3__client_config__generic_xds_config__descriptor, 0},
};

static bool next_field(struct status *s, struct xds_slice *bytes,
                       struct xds_wire_field *field, struct xds_slice *value)
{
    if (bytes->len == 0)
        return false;
    if (xds_wire_next(bytes, field, value))
        return true;
    s->result = XDS_ERR_USAGE;
    return false;
}

static bool is_item(const struct level *level, const struct xds_wire_field *field)
{
    return field->number == level->list && field->type == XDS_WIRE_BYTES;
}

/* The bytes of all other fields; *n is how many items there are. */
static struct xds_slice without_items(struct status *s, const struct level *level,
                                      struct xds_slice bytes, size_t *n)
{
    struct xds_text rest = {.arena = &s->arena};
    struct xds_slice left = bytes, value;
    struct xds_wire_field field;

    *n = 0;
    if (level->list == 0)
        return bytes;
    for (const char *at = left.data; next_field(s, &left, &field, &value);
         at = left.data) {
        if (is_item(level, &field))
            (*n)++;
        else
            xds_text_add(&rest, xds_slice_make(at, (size_t)(left.data - at)));
    }
    return rest.len ? xds_slice_make(rest.data, rest.len) : XDS_S("");
}

static void put(struct status *s, enum xds_sink_event event)
{
    s->sink.put(&s->sink, event, XDS_S(""));
}

static void write_level(struct status *s, struct xds_mapping *m,
                        const struct level *level, struct xds_slice bytes)
{
    struct xds_wire_field field;
    struct xds_slice value;
    size_t n;
    const struct xds_slice rest = without_items(s, level, bytes, &n);
    const ProtobufCMessage *message = decode(s, level->type, rest);

    if (s->result != XDS_OK)
        return;
    put(s, XDS_SINK_OBJECT);
    xds_mapping_fields(m, message);
    xds_arena_reset(&s->arena);
    if (n > 0) {
        xds_mapping_key(
            m, protobuf_c_message_descriptor_get_field(level->type, level->list));
        put(s, XDS_SINK_ARRAY);
        while (s->result == XDS_OK && next_field(s, &bytes, &field, &value))
            if (is_item(level, &field))
                write_level(s, m, level + 1, value);
        put(s, XDS_SINK_ARRAY_END);
    }
    put(s, XDS_SINK_OBJECT_END);
}

static void write_mapping(struct status *s)
{
    const bool is_json = s->options->format == XDS_FORMAT_JSON;
    struct xds_mapping mapping = {.sink = &s->sink,
                                  .arena = &s->arena,
                                  .kept = &s->kept,
                                  .json_names = s->options->json_names};

    if (is_json)
        xds_sink_json(&s->sink, &s->out, 0);
    else
        xds_sink_yaml(&s->sink, &s->out, &s->levels);
    write_level(s, &mapping, levels, s->bytes);
    if (is_json && s->result == XDS_OK)
        xds_out_char(&s->out, '\n');
}

/* ---- text proto ---- */

static void write_text(struct status *s)
{
    struct xds_text_writer writer = {
        .out = &s->out, .arena = &s->arena, .kept = &s->kept, .types = &s->kept.types};
    const ProtobufCMessage *message = decode(s, levels[0].type, s->bytes);

    if (!message)
        return;
    xds_text_header(&s->out, xds_slice_of(message->descriptor->name));
    xds_text_fields(&writer, message);
}

static void write_status(void *arg)
{
    struct status *s = arg;

    if (s->options->format == XDS_FORMAT_TEXT_PROTO)
        write_text(s);
    else
        write_mapping(s);
}

enum xds_status xds_convert_status(struct xds_slice bytes,
                                   const struct xds_convert_options *options,
                                   const struct xds_printer *to, size_t *lost)
{
    struct status s = {.bytes = bytes, .options = options};
    struct xds_arena *const arenas[] = {&s.arena, &s.levels};

    *lost = 0;
    if (options->format == XDS_FORMAT_BINARY)
        return XDS_ERR_USAGE;
    xds_arena_init(&s.arena, XDS_MAX_DECODED_BYTES);
    xds_arena_init(&s.levels, XDS_MAX_DECODED_BYTES);
    xds_out_init(&s.out, to);

    enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), write_status, &s);

    if (status == XDS_OK)
        status = s.result;
    if (status == XDS_OK)
        status = xds_out_finish(&s.out);
    xds_arena_release(&s.levels);
    xds_arena_release(&s.arena);
    *lost = s.lost;
    return status;
}

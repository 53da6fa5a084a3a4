/*
 * status.c - what a client says of all that it holds, in another format.
 *
 * Source: envoy.service.status.v3.ClientStatusResponse (csds.proto).
 */
#include "convert/inner.h"

#include "decode/wire.h"

struct status {
    struct xds_slice bytes;
    const struct xds_convert_options *options;
    struct xds_arena arena;
    struct xds_kept kept;
    struct xds_sink sink;
    struct xds_out out;
    size_t lost;
    enum xds_status result;
};

static void write_mapping(struct status *s, const ProtobufCMessage *message)
{
    const bool is_json = s->options->format == XDS_FORMAT_JSON;
    struct xds_mapping mapping = {.sink = &s->sink,
                                  .arena = &s->arena,
                                  .kept = &s->kept,
                                  .json_names = s->options->json_names};

    if (is_json)
        xds_sink_json(&s->sink, &s->out);
    else
        xds_sink_yaml(&s->sink, &s->out);
    xds_mapping_message(&mapping, message);
    if (!xds_sink_finish(&s->sink))
        s->result = XDS_ERR_NO_MEMORY;
    if (is_json)
        xds_out_char(&s->out, '\n');
    s->lost = mapping.lost;
}

static void write_text(struct status *s, const ProtobufCMessage *message)
{
    struct xds_text_writer writer = {
        .out = &s->out, .arena = &s->arena, .kept = &s->kept};

    xds_text_header(&s->out, xds_slice_of(message->descriptor->name));
    xds_text_fields(&writer, message);
    s->lost = writer.lost;
}

static void write_status(void *arg)
{
    struct status *s = arg;
    struct xds_any root = {0};

    xds_kept_init(&s->kept, &s->arena);
    xds_decode_message(&s->arena,
                       &envoy__service__status__v3__client_status_response__descriptor,
                       s->bytes, &root, &s->kept);
    s->result = root.state == XDS_ANY_TYPED ? XDS_OK : XDS_ERR_USAGE;
    if (s->result != XDS_OK)
        return;
    if (s->options->format == XDS_FORMAT_TEXT_PROTO)
        write_text(s, root.message);
    else
        write_mapping(s, root.message);
    s->lost += s->kept.n_unknown;
}

enum xds_status xds_convert_status(struct xds_slice bytes,
                                   const struct xds_convert_options *options,
                                   const struct xds_printer *to, size_t *lost)
{
    struct status s = {.bytes = bytes, .options = options};
    struct xds_arena *const arenas[] = {&s.arena};

    *lost = 0;
    if (options->format == XDS_FORMAT_BINARY)
        return XDS_ERR_USAGE;
    xds_arena_init(&s.arena, XDS_MAX_DECODED_BYTES);
    xds_out_init(&s.out, to);

    enum xds_status status = xds_arena_guard(arenas, 1, write_status, &s);

    if (status == XDS_OK)
        status = s.result;
    if (status == XDS_OK)
        status = xds_out_finish(&s.out);
    xds_sink_release(&s.sink);
    xds_arena_release(&s.arena);
    *lost = s.lost;
    return status;
}

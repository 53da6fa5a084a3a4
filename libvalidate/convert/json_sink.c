/*
 * json_sink.c - events of the JSON mapping as JSON text.
 *
 * Source: RFC 8259.
 */
#include "convert/sink.h"

static void new_line(struct xds_sink *sink)
{
    xds_out_char(sink->out, '\n');
    for (unsigned i = 0; i < sink->depth; i++)
        xds_out_text(sink->out, "  ");
}

/* What is before a key or a value. */
static void separate(struct xds_sink *sink)
{
    if (sink->after_key || sink->depth == 0) {
        sink->after_key = false;
        return;
    }
    if (!sink->fresh)
        xds_out_char(sink->out, ',');
    sink->fresh = false;
    new_line(sink);
}

static void begin(struct xds_sink *sink, char bracket)
{
    separate(sink);
    xds_out_char(sink->out, bracket);
    sink->depth++;
    sink->fresh = true;
}

static void end(struct xds_sink *sink, char bracket)
{
    sink->depth--;
    if (!sink->fresh)
        new_line(sink);
    xds_out_char(sink->out, bracket);
    sink->fresh = false;
}

static void put_string(struct xds_sink *sink, struct xds_slice text)
{
    sink->out->comma = false;
    xds_json_string(sink->out, text);
}

static void put(struct xds_sink *sink, enum xds_sink_event event, struct xds_slice text)
{
    switch (event) {
    case XDS_SINK_OBJECT:
        begin(sink, '{');
        return;
    case XDS_SINK_OBJECT_END:
        end(sink, '}');
        return;
    case XDS_SINK_ARRAY:
        begin(sink, '[');
        return;
    case XDS_SINK_ARRAY_END:
        end(sink, ']');
        return;
    case XDS_SINK_KEY:
        separate(sink);
        put_string(sink, text);
        xds_out_text(sink->out, ": ");
        sink->after_key = true;
        return;
    case XDS_SINK_STRING:
        separate(sink);
        put_string(sink, text);
        return;
    case XDS_SINK_PLAIN:
        separate(sink);
        xds_out_raw(sink->out, text);
        return;
    }
}

void xds_sink_json(struct xds_sink *sink, struct xds_out *out)
{
    sink->put = put;
    sink->out = out;
    sink->failed = sink->fresh = sink->after_key = false;
    sink->depth = 0;
}

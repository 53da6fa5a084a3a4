/*
 * sink.c - events of the JSON mapping as JSON and as YAML text.
 *
 * Source: RFC 8259; YAML 1.2.2, 10.3.2; YAML 1.1 types; libyaml.
 */
#include "base/ascii.h"
#include "convert/inner.h"

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

static void put_json(struct xds_sink *sink, enum xds_sink_event event,
                     struct xds_slice text)
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
    sink->put = put_json;
    sink->out = out;
    sink->failed = sink->fresh = sink->after_key = false;
    sink->depth = 0;
}

/* Words that some version of YAML takes for a boolean or for null. */
static bool is_special_word(struct xds_slice text)
{
    static const char *const words[] = {"true", "false", "yes",  "no", "on",
                                        "off",  "null",  "none", "y",  "n"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(words); i++)
        if (xds_slice_eq_fold(text, xds_slice_of(words[i])))
            return true;
    return false;
}

/* Numbers of all bases, times and dates begin with a digit and end with a digit or with
 * one of these. "5s", a duration, does not. */
static bool may_be_number(struct xds_slice text)
{
    const char first = text.data[0], last = xds_ascii_lower(text.data[text.len - 1]);

    return xds_ascii_digit(first) &&
           (xds_ascii_digit(last) || strchr("abcdefxo_.:-z", last));
}

static bool is_plain(struct xds_slice text)
{
    if (text.len == 0 || is_special_word(text) || may_be_number(text))
        return false;
    if (!xds_ascii_alpha(text.data[0]) && !xds_ascii_digit(text.data[0]) &&
        text.data[0] != '/' && text.data[0] != '_')
        return false;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];

        if (!xds_ascii_alpha(c) && !xds_ascii_digit(c) && !strchr("/_.-", c) &&
            !(c == ':' && i + 1 < text.len && text.data[i + 1] != ' '))
            return false;
    }
    return true;
}

/* libyaml writes whole characters. It takes most that text must not hold for printable
 * ones; only strings in double quotes have any, where an escape is the same. */
static int write_out(void *data, unsigned char *text, size_t len)
{
    struct xds_slice rest = xds_slice_make((const char *)text, len);
    const char *done = rest.data;
    uint32_t rune;

    while (rest.len > 0) {
        const char *at = rest.data;

        if (!xds_utf8_next(&rest, &rune)) {
            rest = xds_slice_from(rest, 1);
            continue;
        }
        if (rune < 0x80 || !xds_rune_is_unsafe(rune))
            continue;
        xds_out_raw(data, xds_slice_make(done, (size_t)(at - done)));
        xds_out_rune(data, rune);
        done = rest.data;
    }
    xds_out_raw(data, xds_slice_make(done, (size_t)(rest.data - done)));
    return 1;
}

static void emit(struct xds_sink *sink, yaml_event_t *event, int made)
{
    if (!made || !yaml_emitter_emit(&sink->emitter, event))
        sink->failed = true;
}

static void put_scalar(struct xds_sink *sink, struct xds_slice text,
                       yaml_scalar_style_t style)
{
    yaml_event_t event;
    char *plain = NULL;

    if (text.len > INT32_MAX) {
        sink->failed = true;
        return;
    }
    if (xds_slice_search(text, XDS_NUL) < text.len) {
        plain = malloc(text.len);
        sink->failed = !plain;
        if (!plain)
            return;
        text = xds_slice_make(plain, xds_text_restore_nul(text, plain));
    }
    emit(sink, &event,
         yaml_scalar_event_initialize(&event, NULL, NULL,
                                      (const yaml_char_t *)xds_slice_text(text),
                                      (int)text.len, 1, 1, style));
    free(plain);
}

static void put_yaml(struct xds_sink *sink, enum xds_sink_event event,
                     struct xds_slice text)
{
    yaml_event_t made;

    if (sink->failed)
        return;
    switch (event) {
    case XDS_SINK_OBJECT:
        emit(sink, &made,
             yaml_mapping_start_event_initialize(&made, NULL, NULL, 1,
                                                 YAML_BLOCK_MAPPING_STYLE));
        return;
    case XDS_SINK_OBJECT_END:
        emit(sink, &made, yaml_mapping_end_event_initialize(&made));
        return;
    case XDS_SINK_ARRAY:
        emit(sink, &made,
             yaml_sequence_start_event_initialize(&made, NULL, NULL, 1,
                                                  YAML_BLOCK_SEQUENCE_STYLE));
        return;
    case XDS_SINK_ARRAY_END:
        emit(sink, &made, yaml_sequence_end_event_initialize(&made));
        return;
    case XDS_SINK_KEY:
    case XDS_SINK_STRING:
        put_scalar(sink, text,
                   is_plain(text) ? YAML_PLAIN_SCALAR_STYLE
                                  : YAML_DOUBLE_QUOTED_SCALAR_STYLE);
        return;
    case XDS_SINK_PLAIN:
        put_scalar(sink, text, YAML_PLAIN_SCALAR_STYLE);
        return;
    }
}

void xds_sink_yaml(struct xds_sink *sink, struct xds_out *out)
{
    yaml_event_t event;

    sink->put = put_yaml;
    sink->out = out;
    sink->failed = !yaml_emitter_initialize(&sink->emitter);
    sink->has_emitter = !sink->failed;
    if (sink->failed)
        return;
    yaml_emitter_set_output(&sink->emitter, write_out, out);
    yaml_emitter_set_unicode(&sink->emitter, 1);
    yaml_emitter_set_width(&sink->emitter, -1);
    emit(sink, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    if (!sink->failed)
        emit(sink, &event,
             yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
}

bool xds_sink_finish(struct xds_sink *sink)
{
    yaml_event_t event;

    if (sink->has_emitter && !sink->failed)
        emit(sink, &event, yaml_document_end_event_initialize(&event, 1));
    if (sink->has_emitter && !sink->failed)
        emit(sink, &event, yaml_stream_end_event_initialize(&event));
    xds_sink_release(sink);
    return !sink->failed;
}

void xds_sink_release(struct xds_sink *sink)
{
    if (sink->has_emitter)
        yaml_emitter_delete(&sink->emitter);
    sink->has_emitter = false;
}

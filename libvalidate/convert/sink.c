/*
 * sink.c - events of the JSON mapping as JSON and as YAML text.
 *
 * Source: RFC 8259; YAML 1.2.2, 10.3.2; YAML 1.1 types. YAML is written as libyaml 0.2.5
 *         does it, byte for byte.
 */
#include "base/ascii.h"
#include "convert/inner.h"

static void new_line(struct xds_sink *sink)
{
    xds_out_char(sink->out, '\n');
    xds_out_blanks(sink->out, sink->indent + 2 * (size_t)sink->depth);
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

void xds_sink_json(struct xds_sink *sink, struct xds_out *out, unsigned indent)
{
    *sink = (struct xds_sink){.put = put_json, .out = out, .indent = indent};
}

/* ---- YAML: texts ---- */

/* Words that some version of YAML takes for a boolean or for null. */
static bool is_special_word(struct xds_slice text)
{
    static const char *const words[] = {"true", "false", "yes",  "no", "on",
                                        "off",  "null",  "none", "y",  "n"};

    if (text.len > strlen("false"))
        return false;
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

/* Characters of texts without quotes: 2 also as the first one. */
static const unsigned char plain_classes[256] = {
    ['-'] = 1, ['.'] = 1, [':'] = 1, ['/'] = 2, ['_'] = 2, ['0'] = 2, 2, 2, 2, 2, 2, 2,
    2,         2,         2,         ['A'] = 2, 2,         2,         2, 2, 2, 2, 2, 2,
    2,         2,         2,         2,         2,         2,         2, 2, 2, 2, 2, 2,
    2,         2,         2,         2,         2,         ['a'] = 2, 2, 2, 2, 2, 2, 2,
    2,         2,         2,         2,         2,         2,         2, 2, 2, 2, 2, 2,
    2,         2,         2,         2,         2,         2,         2,
};

static bool is_plain(struct xds_slice text)
{
    if (text.len == 0 || plain_classes[(unsigned char)text.data[0]] < 2)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (plain_classes[(unsigned char)text.data[i]] == 0)
            return false;
    return text.data[text.len - 1] != ':' && !is_special_word(text) &&
           !may_be_number(text);
}

/* In a key, a break needs a line of its own for the value. */
static bool is_break(uint32_t rune)
{
    return rune == '\n' || rune == '\r' || rune == 0x85 || rune == 0x2028 ||
           rune == 0x2029;
}

/* What YAML takes for printable. It has most of what text must not hold. */
static bool is_printable(uint32_t rune)
{
    return (rune >= 0xa0 && rune <= 0xfffd && rune != 0xfeff && !is_break(rune)) ||
           (rune >= ' ' && rune <= '~');
}

/* The letter of a character's own escape, or 0. */
static char escape_letter(uint32_t rune)
{
    static const char of_controls[] = "0......abtnvfr.............e";

    if (rune < sizeof of_controls - 1)
        return of_controls[rune] == '.' ? '\0' : of_controls[rune];
    switch (rune) {
    case '"':
    case '\\':
        return (char)rune;
    case 0x85:
        return 'N';
    case 0x2028:
        return 'L';
    case 0x2029:
        return 'P';
    default:
        return '\0';
    }
}

static void put_rune(struct xds_out *out, struct xds_slice text, uint32_t rune)
{
    static const char digits[] = "0123456789ABCDEF";
    const unsigned n = rune <= 0xff ? 2 : rune <= 0xffff ? 4 : 8;
    const char letter = escape_letter(rune);

    if (letter) {
        xds_out_char(out, '\\');
        xds_out_char(out, letter);
    } else if (is_printable(rune)) {
        if (xds_rune_is_unsafe(rune))
            xds_out_rune(out, rune);
        else
            xds_out_raw(out, text);
    } else {
        xds_out_char(out, '\\');
        xds_out_char(out, n == 2 ? 'x' : n == 4 ? 'u' : 'U');
        for (unsigned i = n; i-- > 0;)
            xds_out_char(out, digits[rune >> (4 * i) & 15]);
    }
}

/* The first character, and the text after it. */
static struct xds_slice next_rune(struct xds_slice *text, uint32_t *rune)
{
    const struct xds_slice all = *text;

    if (xds_utf8_next(text, rune))
        return xds_slice_make(all.data, all.len - text->len);
    if (xds_slice_starts(all, XDS_NUL)) {
        *rune = 0;
        *text = xds_slice_from(all, XDS_NUL.len);
        return XDS_NUL;
    }
    *rune = 0xfffd;
    *text = xds_slice_from(all, 1);
    return XDS_S("\xef\xbf\xbd");
}

static void put_quoted(struct xds_out *out, struct xds_slice text)
{
    uint32_t rune;

    xds_out_char(out, '"');
    while (text.len > 0) {
        const size_t run = xds_plain_run(text);

        xds_out_raw(out, xds_slice_make(text.data, run));
        text = xds_slice_from(text, run);
        if (text.len > 0) {
            const struct xds_slice first = next_rune(&text, &rune);

            put_rune(out, first, rune);
        }
    }
    xds_out_char(out, '"');
}

/* A longer key, or one with a line break, is written as "? KEY", its value after ": ". */
#define LONGEST_KEY 128

static bool is_simple_key(struct xds_slice text)
{
    uint32_t rune;
    size_t len = 0;

    while (text.len > 0) {
        const size_t run = xds_plain_run(text);

        len += run;
        text = xds_slice_from(text, run);
        if (text.len > 0) {
            const struct xds_slice first = next_rune(&text, &rune);

            len += rune == 0 ? 1 : first.len;
            if (is_break(rune))
                return false;
        }
    }
    return len <= LONGEST_KEY;
}

/* ---- YAML: lines ---- */

struct xds_sink_level {
    unsigned indent; /* of its lines, unless it is empty */
    bool is_list, is_empty;
};

static struct xds_sink_level *innermost(struct xds_sink *sink)
{
    return &sink->level[sink->depth - 1];
}

/* To the indent of the level: on the line of a "-", "?" or ":", or a new one. */
static void begin_item(struct xds_sink *sink, unsigned indent)
{
    switch (sink->at) {
    case XDS_SINK_AT_START:
        break;
    case XDS_SINK_AFTER_MARK:
        xds_out_char(sink->out, ' ');
        return;
    case XDS_SINK_AFTER_KEY:
    case XDS_SINK_AFTER_VALUE:
        xds_out_char(sink->out, '\n');
        break;
    }
    xds_out_blanks(sink->out, indent);
}

/* The first item of a level decides that it is written in lines. A list that is the value
 * of a key is not indented. */
static struct xds_sink_level *open_level(struct xds_sink *sink)
{
    struct xds_sink_level *level = innermost(sink);
    const bool is_flat = level->is_list && sink->at == XDS_SINK_AFTER_KEY;

    if (!level->is_empty)
        return level;
    level->is_empty = false;
    level->indent = sink->depth < 2 ? 0 : level[-1].indent + (is_flat ? 0 : 2);
    return level;
}

static void before_value(struct xds_sink *sink)
{
    if (sink->depth == 0 || !innermost(sink)->is_list)
        return;
    begin_item(sink, open_level(sink)->indent);
    xds_out_char(sink->out, '-');
    sink->at = XDS_SINK_AFTER_MARK;
}

static void put_value(struct xds_sink *sink, struct xds_slice text, bool quoted)
{
    if (sink->at != XDS_SINK_AT_START)
        xds_out_char(sink->out, ' ');
    if (quoted)
        put_quoted(sink->out, text);
    else
        xds_out_raw(sink->out, text);
    sink->at = XDS_SINK_AFTER_VALUE;
}

static void put_key(struct xds_sink *sink, struct xds_slice text)
{
    const unsigned indent = open_level(sink)->indent;
    const bool plain = is_plain(text), simple = is_simple_key(text);

    begin_item(sink, indent);
    if (!simple)
        xds_out_text(sink->out, "? ");
    if (plain)
        xds_out_raw(sink->out, text);
    else
        put_quoted(sink->out, text);
    if (!simple) {
        xds_out_char(sink->out, '\n');
        xds_out_blanks(sink->out, indent);
    }
    xds_out_char(sink->out, ':');
    sink->at = simple ? XDS_SINK_AFTER_KEY : XDS_SINK_AFTER_MARK;
}

static void begin_level(struct xds_sink *sink, bool is_list)
{
    before_value(sink);
    sink->level = xds_arena_room(sink->arena, sink->level, sink->depth, &sink->cap,
                                 sizeof *sink->level);
    sink->level[sink->depth++] =
        (struct xds_sink_level){.is_list = is_list, .is_empty = true};
}

static void end_level(struct xds_sink *sink)
{
    const struct xds_sink_level level = *innermost(sink);

    sink->depth--;
    if (level.is_empty)
        put_value(sink, level.is_list ? XDS_S("[]") : XDS_S("{}"), false);
    if (sink->depth == 0)
        xds_out_char(sink->out, '\n');
}

static void put_yaml(struct xds_sink *sink, enum xds_sink_event event,
                     struct xds_slice text)
{
    switch (event) {
    case XDS_SINK_OBJECT:
    case XDS_SINK_ARRAY:
        begin_level(sink, event == XDS_SINK_ARRAY);
        return;
    case XDS_SINK_OBJECT_END:
    case XDS_SINK_ARRAY_END:
        end_level(sink);
        return;
    case XDS_SINK_KEY:
        put_key(sink, text);
        return;
    case XDS_SINK_STRING:
    case XDS_SINK_PLAIN:
        before_value(sink);
        put_value(sink, text, event == XDS_SINK_STRING && !is_plain(text));
        return;
    }
}

void xds_sink_yaml(struct xds_sink *sink, struct xds_out *out, struct xds_arena *arena)
{
    *sink = (struct xds_sink){
        .put = put_yaml, .out = out, .arena = arena, .at = XDS_SINK_AT_START};
}

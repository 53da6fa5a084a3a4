/*
 * log_fields.c - the field list of C-core's ValidationErrors, taken apart.
 *
 * Source: spec listener 0.3, spec cluster 0.3.
 */
#include "catalogue/log_fields.h"

static bool at_text(struct xds_slice s, size_t i, struct xds_slice text)
{
    return xds_slice_starts(xds_slice_from(s, i), text);
}

/* ---- where a message ends ---- */

/* Inside a message. */
struct scan {
    struct xds_slice text;
    size_t at;
    size_t depth; /* of brackets */
    size_t list;  /* depth of the field list that the message holds, 0 for none */
};

/* Behind a quoted text. A quote without its other half is a character like others. */
static void skip_quoted(struct scan *scan)
{
    struct xds_slice quoted = xds_slice_from(scan->text, scan->at + 1);
    const size_t len = xds_slice_find(quoted, '"');

    if (len == quoted.len)
        return;
    quoted.len = len;
    if (xds_slice_search(quoted, XDS_S("; field:")) > len)
        scan->at += len + 1;
}

static void open_bracket(struct scan *scan)
{
    scan->depth++;
    if (scan->list == 0 && at_text(scan->text, scan->at, XDS_S("[field:")))
        scan->list = scan->depth;
}

/* False at the bracket that ends the list around the message. One that no bracket opened
 * may be part of a text, such as that of a regex: something else follows it then. */
static bool close_bracket(struct scan *scan)
{
    const struct xds_slice behind = xds_slice_from(scan->text, scan->at + 1);

    if (scan->depth == 0)
        return behind.len > 0 &&
               xds_slice_find(XDS_S("]; ,)\"'\\}"), behind.data[0]) == 9;
    if (scan->list == scan->depth)
        scan->list = 0;
    scan->depth--;
    return true;
}

/* A semicolon parts messages, unless it is in a field list of this one. */
static bool parts_messages(const struct scan *scan, bool many)
{
    if (scan->list > 0 || !at_text(scan->text, scan->at, XDS_S("; ")))
        return false;
    return (many && scan->depth == 0) || at_text(scan->text, scan->at, XDS_S("; field:"));
}

static size_t message_len(struct xds_slice text, bool many)
{
    struct scan scan = {.text = text};

    for (; scan.at < text.len; scan.at++) {
        const char c = text.data[scan.at];

        if (c == '"')
            skip_quoted(&scan);
        else if (c == '[')
            open_bracket(&scan);
        else if (c == ']' && !close_bracket(&scan))
            break;
        else if (c == ';' && parts_messages(&scan, many))
            break;
    }
    return scan.at;
}

/* ---- the list ---- */

struct xds_log_fields xds_log_fields_of(struct xds_slice line)
{
    return (struct xds_log_fields){.rest = line};
}

/* Where " error:" or " errors:[" begins; after the end when neither does. */
static size_t find_error(struct xds_slice s, bool *many)
{
    const struct xds_slice word = XDS_S(" error");
    size_t at = 0;

    for (;;) {
        at += xds_slice_search(xds_slice_from(s, at), word);
        if (at > s.len)
            return at;
        *many = at_text(s, at + word.len, XDS_S("s:["));
        if (*many || at_text(s, at + word.len, XDS_S(":")))
            return at;
        at += word.len;
    }
}

/* Behind the next "field:PATH error:" or "field:PATH errors:[". */
static bool next_field(struct xds_log_fields *fields)
{
    const size_t field = xds_slice_search(fields->rest, XDS_S("field:"));
    struct xds_slice rest = xds_slice_from(fields->rest, field + XDS_S("field:").len);
    const size_t len = find_error(rest, &fields->many);

    if (field > fields->rest.len || len > rest.len)
        return false;
    fields->path = xds_slice_make(rest.data, len);
    fields->rest = xds_slice_from(
        rest, len + (fields->many ? XDS_S(" errors:[").len : XDS_S(" error:").len));
    return true;
}

bool xds_log_fields_next(struct xds_log_fields *fields, struct xds_slice *path,
                         struct xds_slice *message)
{
    const bool more = fields->many && at_text(fields->rest, 0, XDS_S("; ")) &&
                      !at_text(fields->rest, 0, XDS_S("; field:"));

    if (more)
        fields->rest = xds_slice_from(fields->rest, 2);
    else if (!next_field(fields))
        return false;
    *path = fields->path;
    *message = xds_slice_make(fields->rest.data, message_len(fields->rest, fields->many));
    fields->rest = xds_slice_from(fields->rest, message->len);
    return true;
}

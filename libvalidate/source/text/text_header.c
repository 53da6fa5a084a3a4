/*
 * text_header.c - the comments in front of a text proto, which may tell its message.
 *
 * Source: the headers of txtpb files, Protocol Buffers text format.
 */
#include "source/text/text_token.h"

#include "base/ascii.h"

/* The name after "# proto-message:", or an absent text. */
static struct xds_slice header_of(struct xds_slice line)
{
    const struct xds_slice mark = XDS_S("proto-message:");
    struct xds_slice rest = line;

    while (rest.len && (rest.data[0] == '#' || rest.data[0] == ' '))
        rest = xds_slice_from(rest, 1);
    if (!xds_slice_starts(rest, mark))
        return xds_slice_make(NULL, 0);
    return xds_slice_trim(xds_slice_from(rest, mark.len));
}

bool xds_text_has_header(struct xds_slice begin)
{
    struct xds_slice line;

    while (begin.len) {
        begin = xds_slice_cut(begin, '\n', &line);
        line = xds_slice_trim(line);
        if (line.len && line.data[0] != '#')
            return false;
        if (line.len && header_of(line).len)
            return true;
    }
    return false;
}

static size_t line_len(struct xds_text *t)
{
    size_t n = 0;

    for (;; n++) {
        const int c = xds_text_peek(t, n);

        if (c == XDS_TEXT_NO_CHAR || c == '\n')
            return n;
    }
}

/* The comment at the present place, up to the end of its line. */
static void read_comment(struct xds_text *t)
{
    struct xds_token at;

    xds_text_begin(t, &at);
    xds_text_meet_comment(t);
    const size_t len = line_len(t);
    const struct xds_slice name =
        header_of(xds_buffer_part(t->recorder.in, t->pos, t->pos + len));
    t->pos += len;
    xds_text_end_comment(t, &at);
    if (name.len == 0 || t->n_pending)
        return;
    xds_text_add_pending(t, XDS_TOKEN_KEY, XDS_S("@type"), &at);
    xds_text_add_pending(
        t, XDS_TOKEN_STRING,
        xds_arena_concat(&t->document, XDS_S("type.googleapis.com/"), name), &at);
}

void xds_text_read_header(struct xds_text *t)
{
    for (;;) {
        t->recorder.in->keep = t->pos;
        const int c = xds_text_peek(t, 0);

        if (c == '#')
            read_comment(t);
        else if (c != XDS_TEXT_NO_CHAR && xds_ascii_blank((char)c))
            t->pos++;
        else
            return;
    }
}

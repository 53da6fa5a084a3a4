/*
 * excerpt.c - the line of the input that a finding is about, with a caret below it.
 *
 * Fails:  silently: a finding is without its excerpt.
 * Source: Unicode 15, East Asian Width (UAX #11) and general categories, by block.
 */
#include "print/findings/findings.h"
#include "print/write/document.h"
#include "secret/secret.h"

enum {
    SHOWN = 100,             /* columns of a long line, fewer on a narrow terminal */
    FEWEST = 20,             /* of them */
    GUTTER = 5,              /* digits of a line number */
    MARGIN = GUTTER + 3 + 6, /* it, the bar, and dots at both ends */
    MOST_CELLS = 2 * SHOWN,  /* the caret is at most SHOWN after the first one */
};

/* One column of the input, as it is printed. */
struct cell {
    struct xds_slice text;
    unsigned width; /* columns of the terminal */
};

struct window {
    char text[XDS_LINE_PART]; /* that the cells are of */
    bool is_plain;            /* each byte of it is a cell, and cells[] is not filled */
    struct cell cells[MOST_CELLS];
    size_t n, caret;
    size_t start, end; /* the cells that are shown */
    bool cut_before, cut_behind;
};

enum look {
    LOOK_JOINED, /* combines with what is before */
    LOOK_WIDE,   /* takes two columns */
};

static const struct block {
    uint32_t first, last;
    enum look look;
} blocks[] = {
    {0x0300, 0x036f, LOOK_JOINED}, {0x1100, 0x115f, LOOK_WIDE},
    {0x1ab0, 0x1aff, LOOK_JOINED}, {0x1dc0, 0x1dff, LOOK_JOINED},
    {0x20d0, 0x20ff, LOOK_JOINED}, {0x2e80, 0x303e, LOOK_WIDE},
    {0x3041, 0xa4cf, LOOK_WIDE},   {0xac00, 0xd7a3, LOOK_WIDE},
    {0xf900, 0xfaff, LOOK_WIDE},   {0xfe00, 0xfe0f, LOOK_JOINED},
    {0xfe20, 0xfe2f, LOOK_JOINED}, {0xfe30, 0xfe6f, LOOK_WIDE},
    {0xff00, 0xff60, LOOK_WIDE},   {0xffe0, 0xffe6, LOOK_WIDE},
    {0x1f300, 0x1f64f, LOOK_WIDE}, {0x1f680, 0x1f6ff, LOOK_WIDE},
    {0x1f900, 0x1f9ff, LOOK_WIDE}, {0x20000, 0x3fffd, LOOK_WIDE},
};

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* How many bytes in front of s continue a character. */
static size_t continuation(struct xds_slice s)
{
    size_t n = 0;

    while (n < s.len && continues_character(s.data[n]))
        n++;
    return n;
}

/* A column is a byte and all that continue it, whether they make a character or not. */
static struct cell next_cell(struct xds_slice *s)
{
    const bool is_short = s->len == 1 || !continues_character(s->data[1]);
    const size_t len = is_short ? 1 : 1 + continuation(xds_slice_from(*s, 1));
    const struct xds_slice bytes = xds_slice_make(s->data, len);
    struct xds_slice rest = bytes;
    uint32_t rune;

    *s = xds_slice_make(s->data + len, s->len - len);
    if (is_short && bytes.data[0] >= 0x20 && bytes.data[0] < 0x7f) /* nearly always */
        return (struct cell){bytes, 1};
    if (bytes.data[0] == '\t')
        return (struct cell){XDS_S(" "), 1};
    if (!xds_utf8_next(&rest, &rune) || rest.len > 0)
        rune = 0;
    if (xds_rune_is_unsafe(rune))
        return (struct cell){XDS_S("\xef\xbf\xbd"), 1};
    for (size_t i = 0; i < XDS_ARRAY_LEN(blocks) && blocks[i].first <= rune; i++) {
        if (rune > blocks[i].last)
            continue;
        switch (blocks[i].look) {
        case LOOK_JOINED:
            return (struct cell){bytes, 0};
        case LOOK_WIDE:
            return (struct cell){bytes, 2};
        }
    }
    return (struct cell){bytes, 1};
}

static bool ends_word(char c)
{
    return c == ' ' || c == '"';
}

/* So many bytes in front are printable ASCII, as nearly all text is: each is a cell. One
 * loop without a way out of it, so that compilers look at many bytes at a time. */
static bool is_plain(struct xds_slice text, size_t n)
{
    unsigned char odd = n < text.len && continues_character(text.data[n]);

    for (size_t i = 0; i < n; i++)
        odd |= (unsigned char)(text.data[i] - 0x20) >= 0x7f - 0x20;
    return !odd;
}

/* What is left of the text without a cell. */
static struct xds_slice fill_cells(struct window *w, struct xds_slice text, size_t cells)
{
    if (w->is_plain) {
        w->n = text.len < cells ? text.len : cells;
        return xds_slice_from(text, w->n);
    }
    for (w->n = 0; w->n < cells && text.len > 0; w->n++)
        w->cells[w->n] = next_cell(&text);
    return text;
}

static size_t room(const struct xds_printer *to)
{
    if (to->columns == 0 || to->columns >= SHOWN + MARGIN)
        return SHOWN;
    return to->columns > FEWEST + MARGIN ? to->columns - MARGIN : FEWEST;
}

static bool read_window(struct window *w, const struct xds_printer *to,
                        struct xds_slice file, struct xds_place at)
{
    const uint32_t shown = (uint32_t)room(to);
    const uint32_t from = at.column > shown ? at.column - shown : 1;
    const size_t before = shown * 2 / 5; /* the caret, in a long line */
    struct xds_slice text;

    if (!to->line(to->line_user, file, at.line, from, &text))
        return false;
    w->caret = at.column - from;
    /* How many cells there can be use for. */
    const size_t cells = shown + (w->caret > before ? w->caret - before : 0);
    w->cut_before = from > 1;
    w->cut_behind = text.len >= XDS_LINE_PART;
    if (w->cut_behind)
        text.len = XDS_LINE_PART;
    text = xds_slice_from(text, continuation(text));
    const size_t front = text.len < cells ? text.len : cells;
    w->is_plain = is_plain(text, front);

    /* As much as the cells need, of which so many bytes are known to have one each. The
     * last word is whole: what is in it after the last cell may make it a secret. */
    const size_t known = w->is_plain ? front : 0;
    size_t n = known, columns = known;

    for (; n < text.len && (columns < cells || !ends_word(text.data[n])); n++)
        columns += !continues_character(text.data[n]);

    const struct xds_slice part = xds_slice_make(text.data, n);
    w->cut_behind = w->cut_behind || part.len < text.len;
    text = xds_slice_make(w->text, xds_redact(part, w->text));
    text = fill_cells(w, text, cells);
    w->cut_behind = w->cut_behind || text.len > 0;
    /* A line that is short enough is shown whole, a longer one around the caret. */
    w->end = w->n;
    w->start = w->end <= shown ? 0 : w->end - shown;
    w->cut_before = w->cut_before || w->start > 0;
    return w->n > 0 && w->caret <= w->n;
}

static size_t digits(uint32_t number)
{
    size_t n = 1;

    while (number >= 10) {
        number /= 10;
        n++;
    }
    return n;
}

static size_t width(const struct window *w, size_t from, size_t to)
{
    size_t sum = 0;

    if (w->is_plain)
        return to - from;
    for (size_t i = from; i < to; i++)
        sum += w->cells[i].width;
    return sum;
}

/* The cells from one on whose text is in one piece; gives the one after. */
static size_t print_piece(struct xds_out *out, const struct window *w, size_t i)
{
    if (w->is_plain) {
        xds_out_raw(out, xds_slice_make(w->text + i, w->end - i));
        return w->end;
    }
    struct xds_slice text = w->cells[i].text;

    while (++i < w->end && w->cells[i].text.data == text.data + text.len)
        text.len += w->cells[i].text.len;
    xds_out_raw(out, text);
    return i;
}

/* How many cells from the caret on are marked; 0 after the line's end. */
static size_t marked(const struct window *w, struct xds_place at)
{
    const size_t shown = w->end - w->caret;

    if (at.end_line != at.line || at.end_column <= at.column)
        return shown < 1 ? shown : 1;
    const size_t wanted = at.end_column - at.column;
    return wanted < shown ? wanted : shown;
}

void xds_out_excerpt(struct xds_out *out, struct xds_slice file, struct xds_place at)
{
    const size_t number = digits(at.line);
    const size_t gutter = number > GUTTER ? number : GUTTER;
    struct window w;

    if (!(out->to->line && at.line > 0 && at.column > 0 &&
          read_window(&w, out->to, file, at)))
        return;
    xds_doc_block(out, true);
    xds_out_blanks(out, gutter - number);
    xds_out_u64(out, at.line);
    xds_out_text(out, " | ");
    if (w.cut_before)
        xds_out_text(out, "...");
    for (size_t i = w.start; i < w.end;)
        i = print_piece(out, &w, i);
    if (w.cut_behind)
        xds_out_text(out, "...");
    xds_out_char(out, '\n');
    xds_out_blanks(out, gutter);
    xds_out_text(out, " | ");

    char marks[2 * SHOWN + 1] = "^";
    const size_t n = width(&w, w.caret, w.caret + marked(&w, at));

    for (size_t i = 1; i < n; i++)
        marks[i] = '~';
    xds_out_blanks(out, (w.cut_before ? strlen("...") : 0) + width(&w, w.start, w.caret));
    xds_out_styled(out, XDS_STYLE_GREEN, marks);
    xds_out_char(out, '\n');
    xds_doc_block(out, false);
}

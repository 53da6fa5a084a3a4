/* picture.c - collect the boxes and arrows of a picture. */
#include "print/decision/decision.h"
#include "print/picture/picture.h"
#include "print/write/json.h"

/* Columns of a line of a sentence; bytes of one piece of a label. */
enum { SENTENCE_LINE = 26, LABEL_PIECE = 120 };

static void begin_label(struct xds_picture *p)
{
    p->text = (struct xds_text){.arena = p->arena};
    xds_out_init(&p->label, &p->to);
}

/* Put what was written after p->text; memory cannot fail here. */
static void flush_label(struct xds_picture *p)
{
    p->label.failed |= xds_out_finish(&p->label) != XDS_OK;
}

/* The end of the last line is none in a label. */
static struct xds_slice end_label(struct xds_picture *p)
{
    flush_label(p);
    if (p->text.len > 0 && p->text.data[p->text.len - 1] == '\n')
        p->text.len--;
    return xds_slice_make(xds_slice_text((struct xds_slice){p->text.data, 0}),
                          p->text.len);
}

/* A blank at or after so many columns of a line becomes its end. */
static void break_lines(char *text, size_t len, size_t columns)
{
    size_t column = 0;

    for (size_t i = 0; i < len; i++) {
        if (text[i] == ' ' && column >= columns)
            text[i] = '\n';
        if (text[i] == '\n')
            column = 0;
        else
            column += ((unsigned char)text[i] & 0xc0u) != 0x80u;
    }
}

static void put_cut(struct xds_out *out, struct xds_slice text)
{
    const struct xds_slice part = xds_slice_clip(text, LABEL_PIECE);

    xds_out_clean(out, part);
    if (part.len < text.len)
        xds_out_text(out, "...");
}

void xds_picture_text(struct xds_picture *p, const char *format, ...)
{
    XDS_OUT_ARGS(&p->label, put_cut, format);
}

void xds_picture_locality(struct xds_picture *p, const struct xds_locality *l)
{
    xds_out_text(&p->label, "locality\n");
    (void)xds_out_locality(&p->label, put_cut, l);
}

void xds_picture_sentence(struct xds_picture *p, struct xds_slice text)
{
    flush_label(p);
    const size_t from = p->text.len;

    put_cut(&p->label, text);
    flush_label(p);
    if (p->text.len > from)
        break_lines(p->text.data + from, p->text.len - from, SENTENCE_LINE);
}

void xds_picture_init(struct xds_picture *p, struct xds_arena *arena)
{
    p->arena = arena;
    p->title = XDS_S("");
    p->items = NULL;
    p->n = p->cap = 0;
    p->to = xds_text_printer(&p->text);
    begin_label(p);
}

static struct xds_picture_item *last(struct xds_picture *p)
{
    return &p->items[p->n - 1];
}

static void push(struct xds_picture *p, struct xds_dot_node from, struct xds_dot_node to)
{
    p->items = xds_arena_room(p->arena, p->items, p->n, &p->cap, sizeof *p->items);
    p->items[p->n++] = (struct xds_picture_item){.from = from, .to = to};
}

void xds_picture_title_end(struct xds_picture *p, size_t columns)
{
    p->title = end_label(p);
    break_lines(p->text.data, p->text.len, columns);
}

void xds_picture_node_begin(struct xds_picture *p, struct xds_dot_node node)
{
    push(p, node, (struct xds_dot_node){NULL, 0});
    begin_label(p);
}

void xds_picture_node_end(struct xds_picture *p, enum xds_dot_shape shape,
                          enum xds_dot_look look)
{
    last(p)->label = end_label(p);
    last(p)->shape = shape;
    last(p)->look = look;
}

void xds_picture_edge(struct xds_picture *p, struct xds_dot_node from,
                      struct xds_dot_node to, enum xds_dot_look look)
{
    push(p, from, to);
    last(p)->look = look;
}

void xds_picture_node(struct xds_picture *p, struct xds_dot_node node,
                      enum xds_dot_shape shape, enum xds_dot_look look,
                      const char *format, ...)
{
    xds_picture_node_begin(p, node);
    XDS_OUT_ARGS(&p->label, put_cut, format);
    xds_picture_node_end(p, shape, look);
}

void xds_picture_edge_text(struct xds_picture *p, struct xds_dot_node from,
                           struct xds_dot_node to, enum xds_dot_look look,
                           const char *format, ...)
{
    push(p, from, to);
    begin_label(p);
    XDS_OUT_ARGS(&p->label, put_cut, format);
    last(p)->label = end_label(p);
    last(p)->look = look;
}

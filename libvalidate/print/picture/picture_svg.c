/*
 * picture_svg.c - a picture as inline SVG of an HTML page.
 *
 * Source: SVG 2; attributes, not style, so that the page's policy can forbid the latter.
 */
#include "print/picture/picture.h"
#include "print/write/markup.h"

/* html.css lets a larger one not shrink below about this width. */
enum { LARGE = 1000 };

struct drawing {
    struct xds_out *out;
    struct xds_layout layout;
};

static const char *class_of(enum xds_dot_look look)
{
    static const char *const names[] = {
        [XDS_DOT_PLAIN] = "plain",   [XDS_DOT_TAKEN] = "taken",
        [XDS_DOT_LOST] = "lost",     [XDS_DOT_OVERRIDE] = "override",
        [XDS_DOT_FAILED] = "failed",
    };

    return names[look];
}

/* A long way stays on the level where it begins, below what is between. */
static void draw_path(struct xds_out *out, const struct xds_box *from,
                      const struct xds_box *to, enum xds_dot_look look)
{
    enum { BEND = 44 };
    const bool is_far = to->column > from->column + 1 && to->x > BEND;
    const uint32_t start = is_far ? to->x - BEND : from->x + from->width;
    const uint32_t bend = start < to->x ? start + (to->x - start) / 2 : start;

    xds_out_format(out, "<path class=\"%s\" d=\"M%u %u", class_of(look),
                   from->x + from->width, xds_box_middle(from));
    if (is_far)
        xds_out_format(out, "H%u", start);
    xds_out_line(out, "C%u %u %u %u %u %u\"/>", bend, xds_box_middle(from), bend,
                 xds_box_middle(to), to->x, xds_box_middle(to));
}

/* Where the edge arrives: its lines end there one after the other, the last one above
 * the edge. */
static void draw_label(struct xds_out *out, const struct xds_box *to,
                       struct xds_slice label)
{
    enum { LINE = 12, ABOVE = 6, BESIDE = 7 };
    struct xds_slice rest = label, line;
    uint32_t lines = 0;

    while (xds_picture_next_line(&rest, &line))
        lines++;
    for (uint32_t i = 0; xds_picture_next_line(&label, &line); i++) {
        const uint32_t up = ABOVE + (lines - 1 - i) * LINE;

        xds_html_format(
            out,
            "<text class=\"label\" text-anchor=\"end\" x=\"%u\" y=\"%u\">%.*s</text>\n",
            to->x - BESIDE, xds_box_middle(to) > up ? xds_box_middle(to) - up : 0,
            XDS_FMT(line));
    }
}

static void draw_edge(struct drawing *d, const struct xds_picture_item *item, bool label)
{
    const size_t from = xds_layout_find(&d->layout, item->from);
    const size_t to = xds_layout_find(&d->layout, item->to);

    if (from == XDS_NO_BOX || to == XDS_NO_BOX)
        return;
    if (label)
        draw_label(d->out, &d->layout.boxes[to], item->label);
    else
        draw_path(d->out, &d->layout.boxes[from], &d->layout.boxes[to], item->look);
}

/* What matters more is drawn later, over the others. */
static void draw_edges(struct drawing *d, const struct xds_picture *picture)
{
    static const enum xds_dot_look order[] = {XDS_DOT_LOST, XDS_DOT_PLAIN, XDS_DOT_TAKEN,
                                              XDS_DOT_OVERRIDE, XDS_DOT_FAILED};

    for (size_t k = 0; k < XDS_ARRAY_LEN(order); k++)
        for (size_t i = 0; i < picture->n; i++)
            if (picture->items[i].to.kind && picture->items[i].look == order[k])
                draw_edge(d, &picture->items[i], false);
    for (size_t i = 0; i < picture->n; i++)
        if (picture->items[i].to.kind && picture->items[i].label.len > 0)
            draw_edge(d, &picture->items[i], true);
}

/* The first line says what it is, the second one its name. */
static void draw_lines(struct xds_out *out, const struct xds_box *box)
{
    for (size_t i = 0; i < box->n_lines; i++) {
        const uint32_t line = (uint32_t)(i + 1) * XDS_BOX_LINE;
        const bool is_kind = i == 0 && box->n_lines > 1;

        xds_html_format(out, "<text class=\"%s\" x=\"%u\" y=\"%u\">%.*s</text>",
                        is_kind ? "kind" : "name", box->x + XDS_BOX_PAD,
                        box->y + XDS_BOX_PAD - 5 + line, XDS_FMT(box->lines[i]));
    }
}

void xds_svg_picture(struct xds_out *out, struct xds_arena *arena,
                     const struct xds_picture *picture,
                     const struct xds_picture_form *form)
{
    struct drawing d = {.out = out};

    xds_picture_layout(&d.layout, arena, picture, form);
    xds_html_format(out,
                    "<svg class=\"picture%s\" xmlns=\"http://www.w3.org/2000/svg\" "
                    "width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" role=\"group\" "
                    "aria-label=\"Path of the RPC\">\n",
                    d.layout.width > LARGE ? " large" : "", d.layout.width,
                    d.layout.height, d.layout.width, d.layout.height);
    draw_edges(&d, picture);
    for (size_t i = 0; i < d.layout.n; i++) {
        const struct xds_box *box = &d.layout.boxes[i];
        const char *link = box->kind ? box->kind->link : NULL;

        if (link)
            xds_html_format(out, "<a href=\"%s\">", link);
        xds_html_format(out, "<g class=\"node %s\">", class_of(box->item->look));

        /* The whole label, its lines one after the other. */
        struct xds_slice label = box->item->label, line;
        const char *separator = "";

        xds_out_text(out, "<title>");
        while (xds_picture_next_line(&label, &line)) {
            xds_html_format(out, "%s%.*s", separator, XDS_FMT(line));
            separator = " ";
        }
        xds_out_text(out, "</title>");
        if (box->item->shape != XDS_DOT_TEXT)
            xds_html_format(
                out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"5\"/>",
                box->x, box->y, box->width, box->height);
        draw_lines(out, box);
        xds_out_text(out, link ? "</g></a>\n" : "</g>\n");
    }
    xds_out_text(out, "</svg>\n");
}

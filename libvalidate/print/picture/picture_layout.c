/*
 * picture_layout.c - where the boxes are in a picture that reads from left to right.
 *
 * Fails:  never; an edge that goes back, or to a node that is not there, is not minded.
 */
#include "print/picture/picture.h"

enum {
    CHARACTER = 7,    /* width at 12 px, on the safe side */
    SMALL = 6,        /* the same of an edge's label */
    GAP = 40,         /* between columns, at least */
    ROW_GAP = 12,     /* between boxes of a column */
    MARGIN = 4,       /* around the picture; half of a bold line */
    LABEL_SPACE = 16, /* beside an edge's label */
    REACH = 200,      /* below the first of those that belong to a box */
};

static size_t xds_picture_width(struct xds_slice text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += ((unsigned char)text.data[i] & 0xc0u) != 0x80u;
    return n;
}

bool xds_picture_next_line(struct xds_slice *label, struct xds_slice *line)
{
    if (!label->data)
        return false;
    *label = xds_slice_cut(*label, '\n', line);
    return true;
}

/* The first characters, with an ellipsis in place of the rest. */
static struct xds_slice cut(struct xds_arena *arena, struct xds_slice text)
{
    size_t end = 0, n = 0;

    if (xds_picture_width(text) <= XDS_BOX_COLUMNS)
        return text;
    while (n < XDS_BOX_COLUMNS) {
        end++;
        n += end == text.len || ((unsigned char)text.data[end] & 0xc0u) != 0x80u;
    }
    return xds_arena_concat(arena, xds_slice_make(text.data, end), XDS_S("\xe2\x80\xa6"));
}

static const struct xds_picture_kind *find_kind(const struct xds_picture_form *form,
                                                const char *kind)
{
    for (size_t i = 0; i < form->n; i++)
        if (strcmp(form->kinds[i].kind, kind) == 0)
            return &form->kinds[i];
    return NULL;
}

size_t xds_layout_find(const struct xds_layout *layout, struct xds_dot_node node)
{
    for (size_t i = 0; i < layout->n; i++) {
        const struct xds_dot_node of = layout->boxes[i].item->from;

        if (of.number == node.number && strcmp(of.kind, node.kind) == 0)
            return i;
    }
    return XDS_NO_BOX;
}

static void make_boxes(struct xds_layout *l, struct xds_arena *arena,
                       const struct xds_picture *picture,
                       const struct xds_picture_form *form)
{
    l->boxes = XDS_NEW_ARRAY(arena, struct xds_box, picture->n);
    for (size_t i = 0; i < picture->n; i++) {
        const struct xds_picture_item *item = &picture->items[i];

        if (item->to.kind)
            continue;
        struct xds_box *box = &l->boxes[l->n++];

        box->item = item;
        box->up = XDS_NO_BOX;
        box->kind = find_kind(form, item->from.kind);
        box->column = box->kind ? box->kind->column : 0;

        struct xds_slice label = box->item->label, line;
        size_t widest = 0;

        while (box->n_lines < XDS_BOX_LINES && xds_picture_next_line(&label, &line)) {
            const struct xds_slice part = cut(arena, line);
            const size_t width = xds_picture_width(part);

            box->lines[box->n_lines++] = part;
            widest = width > widest ? width : widest;
        }
        box->width = (uint32_t)(widest * CHARACTER) + 2 * XDS_BOX_PAD;
        box->height = (uint32_t)(box->n_lines * XDS_BOX_LINE) + 2 * XDS_BOX_PAD - 4;
    }
}

/* The first edge from further left counts. */
static void hang(struct xds_layout *l, size_t from, size_t to)
{
    struct xds_box *box = &l->boxes[to];

    if (box->up != XDS_NO_BOX || from == to)
        return;
    if (!box->kind && l->boxes[from].column + 1 < XDS_PICTURE_COLUMNS)
        box->column = l->boxes[from].column + 1;
    if (l->boxes[from].column < box->column)
        box->up = from;
}

/* Left of a column there is room for the labels of the edges that come from its
 * neighbour; longer ways have room enough. */
static void measure_gaps(const struct xds_layout *l, const struct xds_picture *picture,
                         uint32_t gaps[XDS_PICTURE_COLUMNS])
{
    for (size_t i = 0; i < picture->n; i++) {
        const struct xds_picture_item *item = &picture->items[i];
        const size_t to = item->to.kind ? xds_layout_find(l, item->to) : XDS_NO_BOX;

        if (to == XDS_NO_BOX || item->label.len == 0)
            continue;

        /* The widest line of the label. */
        struct xds_slice label = item->label, line;
        size_t widest = 0;

        while (xds_picture_next_line(&label, &line)) {
            const size_t width = xds_picture_width(line);

            widest = width > widest ? width : widest;
        }
        widest = widest > XDS_BOX_COLUMNS ? XDS_BOX_COLUMNS : widest;

        const uint32_t wanted = widest ? (uint32_t)(widest * SMALL) + LABEL_SPACE : 0;
        uint32_t *gap = &gaps[l->boxes[to].column];

        *gap = wanted > *gap ? wanted : *gap;
    }
}

/* Box i and all that belong to it. What belongs to a box is further right, so the
 * depth is at most XDS_PICTURE_COLUMNS. */
static void move_down(struct xds_layout *l, size_t i, uint32_t by)
{
    l->boxes[i].y += by;
    for (size_t k = 0; k < l->n; k++)
        if (l->boxes[k].up == i)
            move_down(l, k, by);
}

/* What belongs to a box: the first and the last of it, and the one that continues with
 * its way, if one does. */
struct family {
    const struct xds_box *first, *last, *heir;
};

/* Where the box would be best: in one line with what continues with its way; else in the
 * middle, but of a long list near its beginning, where the reader begins. */
static uint32_t centre_of(const struct family *family)
{
    const uint32_t start = xds_box_middle(family->first);
    const uint32_t half = (xds_box_middle(family->last) - start) / 2;

    if (family->heir)
        return xds_box_middle(family->heir);
    return start + (half < REACH ? half : REACH);
}

/* Below `top`; gives where the next box may begin. Each box has a band of its own with
 * all that belong to it. */
static uint32_t place_rows(struct xds_layout *l, size_t i, uint32_t top)
{
    struct xds_box *box = &l->boxes[i];
    struct family family = {NULL};
    uint32_t bottom = top, centre = top + box->height / 2, wanted = centre;

    for (size_t k = 0; k < l->n; k++) {
        if (l->boxes[k].up != i)
            continue;
        bottom = place_rows(l, k, bottom);
        const struct xds_box *member = &l->boxes[k];

        if (!family.first)
            family.first = member;
        if (!family.heir &&
            (member->item->look == XDS_DOT_TAKEN || member->item->look == XDS_DOT_FAILED))
            family.heir = member;
        family.last = member;
    }
    if (family.first)
        wanted = centre_of(&family);
    for (size_t k = 0; k < l->n && wanted < centre; k++)
        if (l->boxes[k].up == i) /* the box is taller than they are */
            move_down(l, k, centre - wanted);
    bottom += wanted < centre ? centre - wanted : 0;
    centre = wanted > centre ? wanted : centre;
    box->y = centre - box->height / 2;

    const uint32_t own = box->y + box->height + ROW_GAP;

    return own > bottom ? own : bottom;
}

void xds_picture_layout(struct xds_layout *out, struct xds_arena *arena,
                        const struct xds_picture *picture,
                        const struct xds_picture_form *form)
{
    uint32_t bottom = MARGIN;

    *out = (struct xds_layout){.n = 0};
    make_boxes(out, arena, picture, form);
    for (size_t i = 0; i < picture->n; i++) {
        const struct xds_picture_item *item = &picture->items[i];

        if (!item->to.kind)
            continue;
        const size_t from = xds_layout_find(out, item->from);
        const size_t to = xds_layout_find(out, item->to);

        if (from != XDS_NO_BOX && to != XDS_NO_BOX)
            hang(out, from, to);
    }

    /* All boxes of a column are as wide as the widest. */
    uint32_t width[XDS_PICTURE_COLUMNS] = {0}, gap[XDS_PICTURE_COLUMNS] = {0};
    uint32_t x[XDS_PICTURE_COLUMNS], right = MARGIN;

    for (size_t i = 0; i < out->n; i++)
        if (out->boxes[i].width > width[out->boxes[i].column])
            width[out->boxes[i].column] = out->boxes[i].width;
    measure_gaps(out, picture, gap);
    for (size_t c = 0; c < XDS_PICTURE_COLUMNS; c++) {
        if (width[c] > 0 && right > MARGIN)
            right += gap[c] > GAP ? gap[c] : GAP;
        x[c] = right;
        right += width[c];
    }
    for (size_t i = 0; i < out->n; i++) {
        out->boxes[i].x = x[out->boxes[i].column];
        out->boxes[i].width = width[out->boxes[i].column];
    }
    out->width = right + MARGIN;
    for (size_t i = 0; i < out->n; i++)
        if (out->boxes[i].up == XDS_NO_BOX)
            bottom = place_rows(out, i, bottom);
    out->height = bottom;
}

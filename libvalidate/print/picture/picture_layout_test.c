/* picture_layout_test.c - boxes keep apart, and the way is a straight line. */
#include <criterion/criterion.h>

#include "print/picture/picture.h"

static const struct xds_picture_kind kinds[] = {
    {"a", 0, "#a"}, {"b", 1, NULL}, {"c", 2, NULL}, {"d", 3, NULL}};
static const struct xds_picture_form form = {kinds, XDS_ARRAY_LEN(kinds)};

struct job {
    struct xds_arena arena;
    struct xds_picture picture;
    struct xds_layout layout;
    void (*draw)(struct xds_picture *picture);
};

static void run(void *arg)
{
    struct job *job = arg;

    xds_picture_init(&job->picture, &job->arena);
    job->draw(&job->picture);
    xds_picture_layout(&job->layout, &job->arena, &job->picture, &form);
}

static struct job job;

static const struct xds_layout *lay_out(void (*draw)(struct xds_picture *picture))
{
    struct xds_arena *const arenas[] = {&job.arena};

    job.draw = draw;
    xds_arena_init(&job.arena, 0);
    cr_assert_eq(xds_arena_guard(arenas, 1, run, &job), XDS_OK);
    return &job.layout;
}

static struct xds_dot_node at(const char *kind, size_t number)
{
    return (struct xds_dot_node){kind, number};
}

static void node(struct xds_picture *p, struct xds_dot_node node, const char *label,
                 enum xds_dot_look look)
{
    xds_picture_node_begin(p, node);
    xds_out_text(&p->label, label);
    xds_picture_node_end(p, XDS_DOT_BOX, look);
}

static void edge(struct xds_picture *p, struct xds_dot_node from, struct xds_dot_node to,
                 const char *label)
{
    xds_picture_edge_text(p, from, to, XDS_DOT_PLAIN, "%s", label);
}

static const struct xds_box *box(struct xds_dot_node of)
{
    const size_t i = xds_layout_find(&job.layout, of);

    cr_assert_neq(i, XDS_NO_BOX);
    return &job.layout.boxes[i];
}

static uint32_t middle(const struct xds_box *b)
{
    return b->y + b->height / 2;
}

static void expect_apart(const struct xds_layout *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct xds_box *a = &l->boxes[i];

        cr_expect_leq(a->x + a->width, l->width);
        cr_expect_leq(a->y + a->height, l->height);
        for (size_t k = i + 1; k < l->n; k++) {
            const struct xds_box *b = &l->boxes[k];

            cr_expect(a->x + a->width <= b->x || b->x + b->width <= a->x ||
                          a->y + a->height <= b->y || b->y + b->height <= a->y,
                      "boxes %zu and %zu overlap", i, k);
        }
    }
}

static void draw_tree(struct xds_picture *p)
{
    node(p, at("a", 0), "a box\nof\nfive\nlong\nlines", XDS_DOT_TAKEN);
    for (size_t i = 0; i < 3; i++) {
        node(p, at("b", i), "b", i == 1 ? XDS_DOT_TAKEN : XDS_DOT_LOST);
        edge(p, at("a", 0), at("b", i), "label");
        for (size_t k = 0; k < i + 1; k++) {
            const struct xds_dot_node c = at("c", i * 10 + k);

            node(p, c, "c\nname", i == 1 && k == 1 ? XDS_DOT_FAILED : XDS_DOT_PLAIN);
            edge(p, at("b", i), c, "");
        }
    }
}

Test(picture_layout, boxes_keep_apart)
{
    expect_apart(lay_out(draw_tree));
    cr_expect_eq(job.layout.n, 10);
}

Test(picture_layout, the_way_is_a_straight_line)
{
    lay_out(draw_tree);
    cr_expect_eq(middle(box(at("a", 0))), middle(box(at("b", 1))));
    cr_expect_eq(middle(box(at("b", 1))), middle(box(at("c", 11))));
}

Test(picture_layout, columns_go_from_left_to_right)
{
    lay_out(draw_tree);
    cr_expect_lt(box(at("a", 0))->x, box(at("b", 0))->x);
    cr_expect_eq(box(at("b", 0))->x, box(at("b", 2))->x);
    cr_expect_lt(box(at("b", 0))->x, box(at("c", 0))->x);
}

static void draw_tall(struct xds_picture *p)
{
    node(p, at("a", 0), "1\n2\n3\n4\n5\n6\n7", XDS_DOT_PLAIN);
    node(p, at("b", 0), "b", XDS_DOT_PLAIN);
    edge(p, at("a", 0), at("b", 0), "");
}

Test(picture_layout, a_tall_box_moves_what_belongs_to_it)
{
    expect_apart(lay_out(draw_tall));
    cr_expect_eq(box(at("a", 0))->n_lines, XDS_BOX_LINES);
    cr_expect_eq(middle(box(at("a", 0))), middle(box(at("b", 0))));
}

static void draw_many(struct xds_picture *p)
{
    node(p, at("a", 0), "a", XDS_DOT_PLAIN);
    for (size_t i = 0; i < 100; i++) {
        node(p, at("b", i), "b", XDS_DOT_PLAIN);
        edge(p, at("a", 0), at("b", i), "");
    }
}

Test(picture_layout, the_beginning_of_a_long_list_is_seen_with_its_box)
{
    expect_apart(lay_out(draw_many));
    cr_expect_lt(box(at("a", 0))->y, 300);
}

/* Edges that go back, to nowhere, in a circle, or come twice. */
static void draw_odd(struct xds_picture *p)
{
    node(p, at("b", 0), "b", XDS_DOT_PLAIN);
    node(p, at("a", 0), "a", XDS_DOT_PLAIN);
    node(p, at("a", 1), "a", XDS_DOT_PLAIN);
    node(p, at("x", 0), "", XDS_DOT_PLAIN);
    edge(p, at("b", 0), at("a", 0), "back");
    edge(p, at("a", 0), at("a", 0), "itself");
    edge(p, at("a", 0), at("b", 0), "first");
    edge(p, at("a", 1), at("b", 0), "second");
    edge(p, at("a", 0), at("gone", 0), "nowhere");
    edge(p, at("b", 0), at("x", 0), "a kind without column");
    edge(p, at("x", 0), at("b", 0), "circle");
}

Test(picture_layout, odd_edges_do_not_matter)
{
    expect_apart(lay_out(draw_odd));
    cr_expect_eq(box(at("b", 0))->up, xds_layout_find(&job.layout, at("a", 0)));
    cr_expect_eq(box(at("x", 0))->column, 2);
}

static void draw_long(struct xds_picture *p)
{
    node(
        p, at("a", 0),
        "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"
        "0123456789abcdefghijklmnop+",
        XDS_DOT_PLAIN);
    node(p, at("a", 1), "012345678901234567890123456789012345", XDS_DOT_PLAIN);
}

Test(picture_layout, a_long_line_is_cut_between_characters)
{
    lay_out(draw_long);
    const struct xds_slice cut = box(at("a", 0))->lines[0];

    cr_expect(xds_slice_is(
        cut,
        "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"
        "0123456789abcdefghijklmnop\xe2\x80\xa6"));
    cr_expect_eq(box(at("a", 1))->lines[0].len, 36);
}

/* radix_test.c - the tree finds what a plain comparison with each text finds. */
#include <criterion/criterion.h>

#include "base/radix.h"

enum { TEXTS = 40, ROUNDS = 2000, LONGEST = 6 };

static uint64_t seed;

static unsigned below(unsigned n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % n;
}

static struct xds_slice random_text(char room[LONGEST], const char *letters)
{
    const size_t len = below(LONGEST + 1);

    for (size_t i = 0; i < len; i++)
        room[i] = letters[below((unsigned)strlen(letters))];
    return xds_slice_make(room, len);
}

static bool begins(struct xds_slice text, struct xds_slice head, bool fold)
{
    return text.len >= head.len &&
           (fold ? xds_slice_eq_fold(xds_slice_make(text.data, head.len), head)
                 : xds_slice_starts(text, head));
}

/* Values count how often a text was put. */
struct tree {
    struct xds_arena arena;
    struct xds_radix_node root;
    char rooms[TEXTS][LONGEST];
    struct xds_slice texts[TEXTS];
    size_t n;
};

static void fill(void *arg)
{
    struct tree *t = arg;

    for (size_t i = 0; i < t->n; i++) {
        t->texts[i] = random_text(t->rooms[i], "ab/");
        struct xds_radix_node *node = xds_radix_at(&t->arena, &t->root, t->texts[i]);
        node->value = (char *)node->value + 1;
    }
}

static size_t count_plainly(const struct tree *t, struct xds_slice text, bool fold)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        n += begins(text, t->texts[i], fold);
    return n;
}

static size_t count_on_the_way(const struct tree *t, struct xds_slice text, bool fold)
{
    const struct xds_radix_node *node = &t->root;
    size_t n = 0;

    for (; node; node = xds_radix_step(node, &text, fold))
        n += (uintptr_t)node->value;
    return n;
}

Test(radix, finds_all_that_a_text_begins_with)
{
    struct tree t = {.n = 0};
    struct xds_arena *const arenas[] = {&t.arena};
    char room[LONGEST];

    for (uint64_t round = 0; round < ROUNDS; round++) {
        const bool fold = round % 2;

        seed = round;
        t.root = (struct xds_radix_node){.n = 0};
        t.n = below(TEXTS + 1);
        xds_arena_reset(&t.arena);
        cr_assert_eq(xds_arena_guard(arenas, 1, fill, &t), XDS_OK);
        for (size_t i = 0; i < 20; i++) {
            const struct xds_slice text = random_text(room, fold ? "aAbB/" : "aAb/");

            cr_assert_eq(count_on_the_way(&t, text, fold), count_plainly(&t, text, fold),
                         "round %u, \"%.*s\"", (unsigned)round, XDS_FMT(text));
        }
    }
    xds_arena_release(&t.arena);
}

/* Of all bytes, and where a text ends in the midst of another one. */
Test(radix, a_step_takes_the_whole_label_or_nothing)
{
    struct tree t = {.n = 0};
    struct xds_slice rest = XDS_S("a");

    (void)xds_radix_at(&t.arena, &t.root, XDS_S("abc"));
    cr_expect_null(xds_radix_step(&t.root, &rest, false));
    cr_expect_null(xds_radix_step(&t.root, &rest, true));
    cr_expect_eq(rest.len, 1);
    (void)xds_radix_at(&t.arena, &t.root, XDS_S("a"));
    const struct xds_radix_node *node = xds_radix_step(&t.root, &rest, false);
    cr_assert_not_null(node);
    cr_expect_eq(rest.len, 0);
    cr_expect_null(xds_radix_step(node, &rest, false));
    xds_arena_release(&t.arena);
}

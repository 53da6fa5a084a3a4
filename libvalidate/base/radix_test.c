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
    struct xds_radix_maker maker;
    struct xds_radix packed;
    char rooms[TEXTS][LONGEST];
    struct xds_slice texts[TEXTS];
    size_t n;
};

static void *keep(void *value, void *user)
{
    (void)user;
    return value;
}

static void fill(void *arg)
{
    struct tree *t = arg;

    xds_radix_init(&t->maker, &t->arena);
    for (size_t i = 0; i < t->n; i++) {
        t->texts[i] = random_text(t->rooms[i], "ab/");
        void **slot = xds_radix_at(&t->maker, t->texts[i]);
        *slot = (char *)*slot + 1;
    }
    t->packed = xds_radix_pack(&t->maker, keep, NULL);
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
    const struct xds_radix_entry *entry = t->packed.entries;
    size_t n = 0;

    for (; entry; entry = xds_radix_step(&t->packed, entry, &text, fold))
        n += (uintptr_t)entry->value;
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

static const struct xds_radix_entry *step(const struct xds_radix *tree,
                                          const struct xds_radix_entry *from,
                                          const char *text, bool fold, size_t left)
{
    struct xds_slice rest = xds_slice_of(text);
    const struct xds_radix_entry *entry = xds_radix_step(tree, from, &rest, fold);

    cr_expect_eq(rest.len, left, "%s", text);
    return entry;
}

Test(radix, a_step_takes_the_whole_label_or_nothing)
{
    struct xds_radix_maker maker;
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    xds_radix_init(&maker, &arena);
    *xds_radix_at(&maker, XDS_S("abc")) = &maker;
    *xds_radix_at(&maker, XDS_S("abd")) = &arena;
    const struct xds_radix tree = xds_radix_pack(&maker, keep, NULL);

    cr_expect_null(step(&tree, tree.entries, "a", false, 1));
    cr_expect_null(step(&tree, tree.entries, "A", true, 1));
    cr_expect_null(step(&tree, tree.entries, "x", false, 1));
    cr_expect_null(step(&tree, tree.entries, "Abc", false, 3));
    cr_expect_not_null(step(&tree, tree.entries, "ABc", true, 1));
    const struct xds_radix_entry *ab = step(&tree, tree.entries, "abd", false, 1);

    cr_assert_not_null(ab);
    cr_expect_null(ab->value);
    cr_expect_null(step(&tree, ab, "", false, 0));
    const struct xds_radix_entry *abd = step(&tree, ab, "d", false, 0);

    cr_assert_not_null(abd);
    cr_expect_eq(abd->value, (void *)&arena);
    cr_expect_null(step(&tree, abd, "d", false, 1));
    xds_arena_release(&arena);
}

/* tree_test.c - trees are built, found under both spellings and copied. */
#include <criterion/criterion.h>

#include "model/tree.h"

static struct xds_arena arena;

static void open_arena(void)
{
    xds_arena_init(&arena, 0);
}

static void close_arena(void)
{
    xds_arena_release(&arena);
}

TestSuite(tree, .init = open_arena, .fini = close_arena);

Test(tree, members_keep_the_order_in_which_they_were_put)
{
    struct xds_tree object = xds_tree_object();
    char names[40][4];

    for (size_t i = 0; i < 40; i++) {
        names[i][0] = (char)('a' + i % 26);
        names[i][1] = (char)('a' + i / 26);
        names[i][2] = '\0';
        xds_tree_put(&arena, &object, names[i], xds_tree_number((double)i));
    }
    cr_assert_eq(object.n, 40);
    for (size_t i = 0; i < 40; i++) {
        cr_expect(xds_slice_is(object.items[i].key, names[i]));
        cr_expect_eq(object.items[i].number, (double)i);
    }
}

static const struct spelling {
    const char *a, *b;
    bool same;
} spellings[] = {
    {"matchFraction", "match_fraction", true},
    {"match_fraction", "match_fraction", true},
    {"matchFraction", "matchFraction", true},
    {"route", "Route", false},
    {"match", "match_fraction", false},
    {"match_", "match", false},
    {"", "", true},
};

Test(tree, both_spellings_of_a_field_are_one_name)
{
    for (const struct spelling *s = spellings; s < spellings + XDS_ARRAY_LEN(spellings);
         s++)
        cr_expect_eq(xds_tree_same_field(xds_slice_of(s->a), xds_slice_of(s->b)), s->same,
                     "%s %s", s->a, s->b);
}

Test(tree, a_copy_owns_its_texts)
{
    char text[] = "t", key[] = "k";
    struct xds_tree object = xds_tree_pair(
        &arena, key, xds_tree_list(&arena, xds_tree_string(xds_slice_of(text))));
    const struct xds_tree copy = xds_tree_copy(&arena, &object);

    text[0] = key[0] = 'x';
    cr_assert_not_null(xds_tree_member(&copy, "k"));
    cr_expect(xds_slice_is(xds_tree_member(&copy, "k")->items[0].text, "t"));
}

Test(tree, whole_numbers_that_a_double_cannot_hold_are_texts)
{
    const struct xds_tree small = xds_tree_i64(&arena, INT64_C(1) << 53);
    const struct xds_tree large = xds_tree_i64(&arena, INT64_MIN);

    cr_expect_eq(small.kind, XDS_TREE_NUMBER);
    cr_expect_eq(large.kind, XDS_TREE_STRING);
    cr_expect(xds_slice_is(large.text, "-9223372036854775808"));
    cr_expect(xds_slice_is(xds_tree_ns(&arena, 2500000000).text, "2.500000000s"));
}

static const struct duration {
    int64_t seconds;
    int32_t nanos;
    const char *text;
} durations[] = {
    {0, 0, "0.000000000s"},
    {2, 500000000, "2.500000000s"},
    {0, -500000000, "-0.500000000s"},
    {-1, -5, "-1.000000005s"},
    {-1, 1, "-0.999999999s"},
    {1, -1, "0.999999999s"},
    {1, 2000000000, "3.000000000s"},
    {INT64_MAX, 999999999, "4611686018427387903.999999999s"},
    {INT64_MIN, -999999999, "-4611686018427387903.999999999s"},
};

Test(tree, a_duration_is_one_number_whatever_the_signs_of_its_parts)
{
    for (const struct duration *d = durations; d < durations + XDS_ARRAY_LEN(durations);
         d++) {
        const struct xds_tree tree = xds_tree_duration(&arena, d->seconds, d->nanos);

        cr_expect(xds_slice_is(tree.text, d->text), "%.*s, not %s", XDS_FMT(tree.text),
                  d->text);
    }
}

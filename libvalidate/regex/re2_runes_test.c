/* re2_runes_test.c - texts that differ only in case fold alike, and no others do. */
#include <criterion/criterion.h>

#include "regex/regex.h"
#include "regex/re2.h"

static const struct row {
    const char *a, *b;
    bool alike;
} rows[] = {
    {"", "", true},
    {"Shop", "sHOP", true},
    {"shop", "shoq", false},
    {"\xc3\x89t\xc3\xa9", "\xc3\xa9T\xc3\x89", true}, /* Éte, éTÉ */
    {"k", "\xe2\x84\xaa", true},                      /* the Kelvin sign */
    {"s", "\xc5\xbf", true},                          /* the long s */
    {"\xcf\x83", "\xcf\x82", true},                   /* both small sigmas */
    {"\xc4\x80", "\xc4\x81", true},                   /* a pair of the table */
    {"\xc4\x81", "\xc4\x82", false},                  /* and its neighbour */
    {"\xf0\x90\x90\x80", "\xf0\x90\x90\xa8", true},   /* Deseret, four bytes */
    {"\xc3\x9f", "ss", false},                        /* no full folding */
    {"a\xff", "A\xff", true},                         /* what is not UTF-8 stays */
    {"\xff", "\xfe", false},
    {"\xc3", "\xc3", true},
};

Test(fold, texts_that_differ_only_in_case_fold_alike)
{
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++)
        cr_expect_eq(xds_slice_eq(xds_fold_case(&arena, xds_slice_of(r->a)),
                                  xds_fold_case(&arena, xds_slice_of(r->b))),
                     r->alike, "%s %s", r->a, r->b);
    xds_arena_release(&arena);
}

Test(fold, a_text_is_never_longer_folded)
{
    struct xds_arena arena;
    uint8_t text[4];

    xds_arena_init(&arena, 0);
    for (uint32_t rune = 0; rune <= 0x1ffff; rune++) {
        const struct xds_slice s =
            xds_slice_make((const char *)text, xds_utf8_put(text, rune));
        cr_assert(xds_fold_case(&arena, s).len <= s.len, "%x", rune);
        xds_arena_reset(&arena);
    }
    xds_arena_release(&arena);
}

/* text_test.c - text that grows. */
#include <criterion/criterion.h>

#include "base/text.h"

Test(text, grows_by_pieces_and_always_ends_with_nul)
{
    struct xds_arena arena;
    struct xds_text text = {.arena = &arena};

    xds_arena_init(&arena, 0);
    xds_text_add(&text, XDS_S(""));
    cr_expect_str_eq(text.data, "");
    for (unsigned i = 0; i < 1000; i++)
        xds_text_add(&text, XDS_S("ab"));
    cr_expect_eq(text.len, 2000);
    cr_expect_eq(strlen(text.data), 2000);
    xds_text_add_number(&text, UINT64_MAX);
    cr_expect_str_eq(text.data + 2000, "18446744073709551615");
    xds_arena_release(&arena);
}

/* tree_text_test.c - text of a tree, read again. */
#include <criterion/criterion.h>

#include "config/json_read.h"
#include "model/tree_text.h"

Test(tree_text, its_text_reads_as_the_same_tree)
{
    static const char *const texts[] = {
        "{\"a\":[1,-2.5,true,false,null,\"\"],\"b\":{}}",
        "[1e300,0.10000000000000001,123456789012345]",
        "\"quote \\\" back \\\\ line \\u000a bell \\u0007 \xc3\xa9\"",
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(texts); i++) {
        struct xds_arena arena;
        struct xds_tree tree, again;
        struct xds_json_fault fault;

        xds_arena_init(&arena, 0);
        cr_assert(xds_tree_read(&arena, xds_slice_of(texts[i]), &tree, &fault));
        const struct xds_slice text = xds_tree_to_text(&arena, &tree);

        cr_assert(xds_tree_read(&arena, text, &again, &fault), "%.*s", XDS_FMT(text));
        cr_expect(xds_slice_eq(xds_tree_to_text(&arena, &again), text), "%.*s",
                  XDS_FMT(text));
        cr_expect_eq(again.kind, tree.kind);
        cr_expect_eq(again.n, tree.n);
        xds_arena_release(&arena);
    }
}

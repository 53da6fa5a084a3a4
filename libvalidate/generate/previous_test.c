/* previous_test.c - what was printed for the update before, and what was not. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "generate/config.h"

static struct xds_previous previous;

static void open_previous(void)
{
    xds_previous_init(&previous);
}

static void close_previous(void)
{
    xds_previous_release(&previous);
}

TestSuite(previous, .init = open_previous, .fini = close_previous);

static bool read_text(const char *text)
{
    return xds_previous_read(&previous, xds_slice_of(text));
}

Test(previous, without_a_text_there_is_nothing_before)
{
    cr_expect(xds_previous_read(&previous, xds_slice_make(NULL, 0)));
    cr_expect_null(xds_previous_service_config(&previous));
    cr_expect_null(xds_previous_cluster(&previous, XDS_S("a")));
    cr_expect(read_text(" \n\t\n"));
    cr_expect_null(previous.last);
}

Test(previous, the_service_config_is_the_document_or_stands_in_it)
{
    cr_assert(read_text("{\"service_config\": {\"loadBalancingConfig\": []}}"));
    cr_expect_not_null(
        xds_tree_member(xds_previous_service_config(&previous), "loadBalancingConfig"));
    cr_assert(read_text("{\n  \"loadBalancingConfig\": []\n}"));
    cr_expect_eq(xds_previous_service_config(&previous), previous.last);
}

Test(previous, of_lines_each_is_a_document_and_the_last_one_of_a_cluster_counts)
{
    cr_assert(read_text("{\"cluster\": \"a\", \"n\": 1}\r\n\n"
                        "{\"cluster\": \"b\"}\n{\"cluster\": 7}\n"
                        "{\"cluster\": \"a\", \"n\": 2}\n"));
    cr_assert_not_null(xds_previous_cluster(&previous, XDS_S("b")));
    cr_assert_not_null(xds_previous_cluster(&previous, XDS_S("a")));
    cr_expect_eq(
        xds_tree_member(xds_previous_cluster(&previous, XDS_S("a")), "n")->number, 2);
    cr_expect_null(xds_previous_cluster(&previous, XDS_S("c")));
}

static const struct bad {
    const char *text, *where;
} bad_texts[] = {
    {"{", "line 1, column 2: "},
    {"\n\n  {\"a\": 01}", "line 3, column 9: "},
    {"[]", "line 1, column 1: "},
    {"{}\n{}\n {\"a\" 1}\n", "line 3, column 7: "},
    {"{}\n null", "line 2, column 2: "},
    {"{\"a\": 1,\n \"b\": \"\xff\"}", "line 2, column 8: "},
};

Test(previous, what_cannot_be_read_is_told_with_its_place)
{
    for (const struct bad *b = bad_texts; b < bad_texts + XDS_ARRAY_LEN(bad_texts); b++) {
        cr_expect_not(read_text(b->text), "%s", b->text);
        cr_expect(xds_slice_starts(previous.error, xds_slice_of(b->where)),
                  "%s: %.*s, not %s", b->text, XDS_FMT(previous.error), b->where);
    }
    cr_assert(read_text("{}"));
    cr_expect_null(previous.error.data);
}

Test(previous, a_text_is_read_once)
{
    static const char text[] = "{\"a\": 1}";

    cr_assert(read_text(text));
    const struct xds_tree *first = previous.last;

    cr_assert(read_text(text));
    cr_expect_eq(previous.last, first);
    cr_assert(read_text("{\"b\": 1}"));
    cr_expect_not_null(xds_tree_member(previous.last, "b"));
}

Test(previous, what_needs_too_much_memory_is_refused)
{
    const size_t len = (size_t)16 << 20;
    char *text = malloc(len);

    cr_assert_not_null(text);
    for (size_t i = 0; i < len; i += 2)
        memcpy(text + i, i ? "1," : "[ ", 2);
    text[len - 1] = ']';
    cr_expect_not(xds_previous_read(&previous, xds_slice_make(text, len)));
    cr_expect(xds_slice_is(previous.error, "it needs more than 512 MiB of memory"));
    free(text);
}

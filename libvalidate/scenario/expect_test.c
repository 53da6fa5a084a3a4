/* expect_test.c - what counts as equal, and where what differs is reported. */
#include <criterion/criterion.h>

#include "base/text.h"
#include "source/tree_read.h"
#include "scenario/scenario.h"

/* Quotes are written as apostrophes. differs: the paths, blank between. */
static const struct row {
    const char *want, *got, *differs;
} rows[] = {
    /* texts */
    {"{'a': 'x'}", "{'a': 'x'}", ""},
    {"{'a': 'x'}", "{'a': 'y'}", "a"},
    {"{'a': '1500ms'}", "{'a': '1.5s'}", ""},
    {"{'a': '60m'}", "{'a': '3600s'}", ""},
    {"{'a': '1s'}", "{'a': '1m'}", "a"},
    {"{'a': '10'}", "{'a': '10s'}", "a"},
    /* numbers */
    {"{'a': 0.3333333}", "{'a': 0.33333333333}", ""},
    {"{'a': 0.333}", "{'a': 0.33333333333}", "a"},
    {"{'a': 7}", "{'a': '7'}", "a"},
    {"{'a': 1e9}", "{'a': 1000000001}", ""},
    {"{'a': -1}", "{'a': 1}", "a"},
    /* nothing */
    {"{'a': null}", "{'a': null}", ""},
    {"{'a': null}", "{}", ""},
    {"{'a': null}", "{'a': 'x'}", "a"},
    {"{'a': []}", "{'a': null}", ""},
    {"{'a': 0}", "{'a': null}", ""},
    {"{'a': ''}", "{'a': null}", ""},
    {"{'a': {}}", "{'a': null}", ""},
    {"{'a': {'b': []}}", "{'a': {}}", ""},
    {"{'a': []}", "{}", "a"}, /* a slip of the pen, not an empty list */
    {"{'a': 'x'}", "{'a': null}", "a"},
    /* is there something? */
    {"{'a': true}", "{'a': 'text'}", ""},
    {"{'a': true}", "{'a': ['x']}", ""},
    {"{'a': true}", "{'a': 0}", "a"},
    {"{'a': true}", "{'a': -1}", ""},
    {"{'a': false}", "{'a': []}", ""},
    {"{'a': false}", "{'a': {'b': 1}}", "a"},
    {"{'a': false}", "{'a': false}", ""},
    {"{'a': true}", "{'a': null}", "a"},
    /* lists of names are sets, but those whose order tells something */
    {"{'a': ['x', 'y']}", "{'a': ['y', 'x']}", ""},
    {"{'a': ['x', 'x', 'y']}", "{'a': ['x', 'y', 'y']}", "a"},
    {"{'a': ['x']}", "{'a': ['x', 'y']}", "a"},
    {"{'child_names': ['x', 'y']}", "{'child_names': ['y', 'x']}", "child_names"},
    {"{'pick': {'actual_address_list': ['x', 'y']}}",
     "{'pick': {'actual_address_list': ['y', 'x']}}", "pick.actual_address_list"},
    {"{'child_numbers': [0, 1]}", "{'child_numbers': [1, 0]}", "child_numbers"},
    {"{'service_configs_sent': [['a', 'b'], ['c']]}",
     "{'service_configs_sent': [['b', 'a'], ['c']]}", ""},
    {"{'service_configs_sent': [['a', 'b'], ['c']]}",
     "{'service_configs_sent': [['c'], ['a', 'b']]}",
     "service_configs_sent[0] service_configs_sent[1]"},
    /* a part of an object is enough, wherever it is */
    {"{'a': {'b': 1}}", "{'a': {'b': 1, 'c': 2}}", ""},
    {"{'a': {'b': 1, 'd': 2}}", "{'a': {'b': 2, 'c': 2}}", "a.b a.d"},
    {"{'a': [{'b': 1}, {'b': 2}]}", "{'a': [{'b': 1, 'c': 3}, {'b': 3}]}", "a[1].b"},
    {"{'a': [{'b': 1}]}", "{'a': []}", "a"},
    {"{'a': {'b': 1}}", "{'a': [1]}", "a"},
    {"{'a': 1, 'b': 2, 'c': 3}", "{'a': 2, 'b': 2, 'c': 4}", "a c"},
};

static struct xds_tree read(struct xds_arena *arena, const char *text)
{
    char *json = xds_arena_alloc(arena, strlen(text) + 1);
    struct xds_json_fault fault;
    struct xds_tree tree;

    for (size_t i = 0; i <= strlen(text); i++)
        json[i] = text[i] == '\'' ? '"' : text[i];
    cr_assert(xds_tree_read(arena, xds_slice_of(json), &tree, &fault), "%s", text);
    return tree;
}

static void compare_rows(void *arg)
{
    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        const struct xds_tree want = read(arg, r->want), got = read(arg, r->got);
        struct xds_mismatches out = {.arena = arg};
        struct xds_text paths = {.arena = arg};

        xds_text_add(&paths, XDS_S(""));
        xds_expect_compare(&out, &want, &got);
        for (size_t i = 0; i < out.n; i++) {
            xds_text_add(&paths, i ? XDS_S(" ") : XDS_S(""));
            xds_text_add(&paths, out.list[i].path);
        }
        cr_expect_str_eq(paths.data, r->differs, "%s beside %s: %s", r->want, r->got,
                         paths.data);
    }
}

static void many(void *arg)
{
    struct xds_tree want = xds_tree_object(), got = xds_tree_object();
    struct xds_mismatches out = {.arena = arg};

    for (int i = 0; i < 100; i++) {
        const char *key = xds_arena_printf(arg, "k%d", i).data;

        xds_tree_put(arg, &want, key, xds_tree_number(i));
        xds_tree_put(arg, &got, key, xds_tree_number(i % 10));
    }
    xds_expect_compare(&out, &want, &got);
    cr_expect_eq(out.n, 90);
    cr_expect_str_eq(out.list[89].path.data, "k99");
    cr_expect_eq(out.list[89].got->number, 9);
}

static void in_arena(void (*body)(void *))
{
    struct xds_arena arena;
    struct xds_arena *const list[] = {&arena};

    xds_arena_init(&arena, 0);
    cr_expect_eq(xds_arena_guard(list, 1, body, &arena), XDS_OK);
    xds_arena_release(&arena);
}

Test(expect, each_row_differs_where_it_says)
{
    in_arena(compare_rows);
}

Test(expect, every_difference_is_told)
{
    in_arena(many);
}

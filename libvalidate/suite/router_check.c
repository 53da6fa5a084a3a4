/*
 * router_check.c - the test files of Envoy's router_check_tool, as test files of ours.
 *
 * How:    each of its tests becomes a case; what gRPC does not have is a note.
 * Source: test/tools/router_check/validation.proto of Envoy, both spellings of input.
 */
#include "suite/inner.h"

/* The members of a test that are used, or of which a note says why not. */
struct part {
    const char *key;
    const char *why; /* NULL: it is used */
};

static const struct part inputs[] = {
    {"authority", NULL},
    {":authority", NULL},
    {"path", NULL},
    {":path", NULL},
    {"additional_request_headers", NULL},
    {"additional_headers", NULL}, /* of older files, as "field" and "value" */
    {"random_value", NULL},
    {"method", "gRPC clients send POST, whatever the test says"},
    {":method", "gRPC clients send POST, whatever the test says"},
    {"ssl", "routes of gRPC do not ask for TLS"},
    {"internal", "gRPC has no internal requests"},
    {"runtime", "gRPC has no runtime keys; the default value of a fraction counts"},
    {"additional_response_headers", "gRPC does not change headers of responses"},
};

static const struct part asserts[] = {
    {"cluster_name", NULL},
    {"virtual_host_name", NULL},
    {"virtual_cluster_name", "gRPC has no virtual clusters"},
    {"host_rewrite", "of host rewriting gRPC has auto_host_rewrite only"},
    {"path_rewrite", "gRPC does not rewrite paths"},
    {"path_redirect", "gRPC does not redirect"},
    {"code_redirect", "gRPC does not redirect"},
    {"header_fields", "gRPC does not change headers"},
    {"custom_header_fields", "gRPC does not change headers"},
    {"request_header_fields", "gRPC does not change headers"},
    {"response_header_fields", "gRPC does not change headers"},
    {"request_header_matches", "gRPC does not change headers"},
    {"response_header_matches", "gRPC does not change headers"},
};

struct reader {
    struct xds_suite *suite;
    struct xds_tree cases;
    struct xds_strmap names; /* of the cases */
    struct xds_suite_unjudged *unjudged;
};

/* Once for each member, with how often it is met. */
static void note_part(struct reader *r, const struct xds_tree *member, const char *why)
{
    struct xds_suite_file *file = r->suite->file;
    struct xds_suite_unjudged *found = r->unjudged;

    for (size_t i = 0; i < file->n_unjudged; i++)
        if (xds_slice_eq(found[i].member, member->key)) {
            found[i].times++;
            return;
        }
    found[file->n_unjudged++] = (struct xds_suite_unjudged){
        xds_arena_dup(&r->suite->run_arena, member->key), why, member->key_line, 1};
}

static bool check_parts(struct reader *r, const struct xds_tree *object, const char *what,
                        const struct part *parts, size_t n)
{
    for (size_t i = 0; i < object->n; i++) {
        const struct xds_tree *member = &object->items[i];
        size_t k = 0;

        while (k < n && !xds_tree_same_field(member->key, xds_slice_of(parts[k].key)))
            k++;
        if (k == n)
            return xds_suite_wrong_case(r->suite, member,
                                        "%s of router_check_tool has no member \"%.*s\"",
                                        what, XDS_FMT(member->key));
        if (parts[k].why)
            note_part(r, member, parts[k].why);
    }
    return true;
}

static const struct xds_tree *either(const struct xds_tree *object, const char *name,
                                     const char *other)
{
    const struct xds_tree *value = xds_tree_field(object, name);

    return value ? value : xds_tree_member(object, other);
}

/* The headers of the input, as pairs. */
static struct xds_tree headers_of(struct reader *r, const struct xds_tree *input)
{
    const struct xds_tree *list =
        either(input, "additional_request_headers", "additional_headers");
    struct xds_arena *arena = &r->suite->document;
    struct xds_tree out = xds_tree_array();

    for (size_t i = 0; list && list->kind == XDS_TREE_ARRAY && i < list->n; i++) {
        const struct xds_tree *key = either(&list->items[i], "key", "field");
        const struct xds_tree *value = xds_tree_field(&list->items[i], "value");
        struct xds_tree pair = xds_tree_list(arena, key ? *key : list->items[i]);

        if (value)
            xds_tree_add(arena, &pair, *value);
        pair.line = list->items[i].line;
        pair.column = list->items[i].column;
        xds_tree_add(arena, &out, pair);
    }
    return out;
}

/* A random value of 0, the default, draws what the smallest number draws. */
static bool draws_otherwise(const struct xds_tree *input)
{
    const struct xds_tree *value = xds_tree_field(input, "random_value");

    return value && !(value->kind == XDS_TREE_NUMBER && value->number <= 0) &&
           !xds_slice_is(value->text, "0");
}

static struct xds_tree request_of(struct reader *r, const struct xds_tree *input)
{
    enum { DRAWS = 8 };
    const struct xds_tree *authority = either(input, "authority", ":authority");
    const struct xds_tree *path = either(input, "path", ":path");
    struct xds_arena *arena = &r->suite->document;
    struct xds_tree out = xds_tree_object(), random = xds_tree_array();

    out.line = input->line;
    out.column = input->column;
    if (authority)
        xds_tree_put(arena, &out, "authority", *authority);
    if (path)
        xds_tree_put(arena, &out, "path", *path);
    xds_tree_put(arena, &out, "headers", headers_of(r, input));
    for (size_t i = 0; i < DRAWS && !draws_otherwise(input); i++)
        xds_tree_add(arena, &random, xds_tree_number(0));
    xds_tree_put(arena, &out, "random", random);
    return out;
}

/* {name: VALUE}, or null where it is empty: there is none then. */
static void expect_name(struct reader *r, struct xds_tree *expect, const char *key,
                        const struct xds_tree *value)
{
    struct xds_arena *arena = &r->suite->document;
    struct xds_tree named = {.kind = XDS_TREE_NULL};

    if (!value)
        return;
    if (value->kind != XDS_TREE_STRING || value->text.len > 0)
        named = xds_tree_pair(arena, "name", *value);
    named.line = value->line;
    named.column = value->column;
    xds_tree_put(arena, expect, key, named);
}

static struct xds_tree expect_of(struct reader *r, const struct xds_tree *input,
                                 const struct xds_tree *validate)
{
    const struct xds_tree *cluster = xds_tree_field(validate, "cluster_name");
    struct xds_tree out = xds_tree_object();

    out.line = validate->line;
    out.column = validate->column;
    if (cluster && draws_otherwise(input))
        note_part(r, cluster, "gRPC draws other numbers for a random_value above 0");
    else
        expect_name(r, &out, "cluster", cluster);
    expect_name(r, &out, "virtual_host", xds_tree_field(validate, "virtual_host_name"));
    return out;
}

/* Several tests of router_check_tool may have one name, or none. */
static struct xds_tree name_of(struct reader *r, const struct xds_tree *name,
                               size_t index)
{
    struct xds_arena *arena = &r->suite->document;
    struct xds_tree out =
        name ? *name : xds_tree_string(xds_arena_printf(arena, "test %zu", index));

    if (xds_strmap_get(&r->names, out.text))
        out.text = xds_arena_printf(arena, "%.*s, test %zu", XDS_FMT(out.text), index);
    *xds_strmap_at(&r->names, out.text) = r;
    return out;
}

static bool read_test(struct reader *r, const struct xds_tree *test, size_t index)
{
    struct xds_arena *arena = &r->suite->document;
    const struct xds_tree *name = xds_tree_field(test, "test_name");
    const struct xds_tree *input = xds_tree_field(test, "input");
    const struct xds_tree *validate = xds_tree_field(test, "validate");
    struct xds_tree out = xds_tree_object(), expect;

    if (!input || !validate || input->kind != XDS_TREE_OBJECT ||
        validate->kind != XDS_TREE_OBJECT)
        return xds_suite_wrong_case(r->suite, test,
                                    "a test of router_check_tool must have the objects "
                                    "\"input\" and \"validate\"");
    if (name && name->kind != XDS_TREE_STRING)
        return xds_suite_wrong_case(r->suite, name,
                                    "\"test_name\" of router_check_tool must be text, in "
                                    "quotes if it looks like a number");
    if (!check_parts(r, input, "the input", inputs, XDS_ARRAY_LEN(inputs)) ||
        !check_parts(r, validate, "what is validated", asserts, XDS_ARRAY_LEN(asserts)))
        return false;
    expect = expect_of(r, input, validate);
    if (expect.n == 0)
        return true;
    out.line = test->line;
    out.column = test->column;
    xds_tree_put(arena, &out, "name", name_of(r, name, index));
    xds_tree_put(arena, &out, "request", request_of(r, input));
    xds_tree_put(arena, &out, "expect", expect);
    xds_tree_add(arena, &r->cases, out);
    return true;
}

bool xds_suite_from_router_check(struct xds_suite *suite, struct xds_tree *members)
{
    const struct xds_tree *tests =
        members->kind == XDS_TREE_OBJECT ? xds_tree_member(members, "tests") : members;
    /* Each member has a snake_case and a lowerCamelCase spelling. */
    const size_t most = 2 * (XDS_ARRAY_LEN(inputs) + XDS_ARRAY_LEN(asserts));
    struct reader reader = {
        .suite = suite,
        .cases = xds_tree_array(),
        .unjudged = XDS_NEW_ARRAY(&suite->run_arena, struct xds_suite_unjudged, most)};
    struct xds_tree out = xds_tree_object(), paths = xds_tree_array();
    bool good = true;

    suite->file->unjudged = reader.unjudged;
    xds_strmap_init(&reader.names, &suite->document);
    if (!tests || tests->kind != XDS_TREE_ARRAY)
        return xds_suite_no_tests(suite, members,
                                  "a file of router_check_tool has a list of \"tests\"");
    for (size_t i = 0; i < tests->n; i++)
        good = read_test(&reader, &tests->items[i], i + 1) && good;
    out.line = members->line;
    out.column = members->column;
    for (size_t i = 0; i < suite->settings.n_snapshots; i++)
        xds_tree_add(&suite->document, &paths,
                     xds_tree_text(suite->settings.snapshots[i]));
    xds_tree_put(&suite->document, &out, "snapshot", paths);
    xds_tree_put(&suite->document, &out, "cases", reader.cases);
    *members = out;
    return good;
}

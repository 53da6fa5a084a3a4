/* locate_test.c - from a field's path to its line and columns. */
#include <criterion/criterion.h>

#include "catalogue/rule.h"
#include "decode/decode.h"
#include "source/token.h"

struct stage {
    struct xds_resource in;
    void (*fire)(struct stage *stage); /* adds the findings */
    struct xds_report *report;
    struct xds_arena scratch;
};

static void fire(struct stage *stage, const struct xds_path *path)
{
    xds_report_add(stage->report, xds_rule_row(XDS_R_LINT_DUPLICATE_RESOURCE), 0, path,
                   NULL, NULL, XDS_S("m"));
}

static void locate_all(void *arg)
{
    struct stage *stage = arg;

    xds_report_add_resource(stage->report, XDS_S("t"), XDS_S("n"), stage->in.at);
    stage->fire(stage);
    xds_locate(&stage->in, stage->report, &stage->scratch);
}

/* Each finding has got its place, in the order in which they were added. */
static void expect_places(struct stage *stage, const struct xds_place *places, size_t n)
{
    struct xds_options options;

    xds_options_init(&options);
    stage->report = xds_report_new(&options);
    xds_arena_init(&stage->scratch, 0);
    struct xds_arena *const arenas[] = {&stage->report->arena, &stage->scratch};
    cr_assert_eq(xds_arena_guard(arenas, 2, locate_all, stage), XDS_OK);
    cr_assert_eq(xds_report_findings(stage->report), n);
    for (size_t i = 0; i < n; i++) {
        const struct xds_place *at = &xds_report_finding(stage->report, i)->at;

        cr_expect_eq(at->line, places[i].line, "row %zu: line %u", i, at->line);
        cr_expect_eq(at->column, places[i].column, "row %zu: column %u", i, at->column);
        cr_expect_eq(at->end_line, places[i].end_line, "row %zu", i);
        cr_expect_eq(at->end_column, places[i].end_column, "row %zu: end column %u", i,
                     at->end_column);
    }
    xds_arena_release(&stage->scratch);
    xds_report_free(stage->report);
}

/* ---- JSON ---- */

static void fire_along_a_route(struct stage *stage)
{
    const struct xds_path *host = XDS_AT_I(NULL, "virtual_hosts", 1);
    const struct xds_path *filter =
        XDS_AT_KEY(host, "typed_per_filter_config", XDS_S("my.Filter"));
    const struct xds_path *config =
        XDS_AT_VALUE(XDS_AT(XDS_AT_VALUE(filter, XDS_S("x")), "config"), XDS_S("y"));

    fire(stage, NULL);
    fire(stage, XDS_AT(NULL, "name"));
    fire(stage, XDS_AT_I(XDS_AT_I(NULL, "virtual_hosts", 0), "domains", 1));
    fire(stage, filter);
    fire(stage, XDS_AT(config, "max_age.seconds"));
    fire(stage, XDS_AT(host, "retry_policy.num_retries"));
    fire(stage, XDS_AT_I(NULL, "virtual_hosts", 7));
    fire(stage, XDS_AT(NULL, "internal_only_headers"));
}

Test(locate, a_path_leads_to_the_key_or_to_the_nearest_part_that_was_written)
{
    struct stage stage = {
        .in = {.format = XDS_FORMAT_JSON,
               .bytes = XDS_S("{\"name\": \"é\", \"virtualHosts\": [\n"
                              "  {\"domains\": [\"*\", \"a\"]},\n"
                              "  {\"typed_per_filter_config\": "
                              "{\"my.Filter\": {\"@type\": \"t/x\",\n"
                              "     \"config\": {\"@type\": \"t/y\", \"maxAge\": 1}}}}\n"
                              "]}"),
               .at = {0, 10, 5, 10, 6}},
        .fire = fire_along_a_route,
    };
    static const struct xds_place places[] = {
        {0, 10, 5, 10, 6},   /* the resource */
        {0, 10, 6, 10, 12},  /* "name" in the first line, which begins at column 5 */
        {0, 11, 21, 11, 24}, /* the list's item */
        {0, 12, 32, 12, 43}, /* the key of the map entry */
        {0, 13, 33, 13, 41}, /* camelCase, through two Any, the last step not shown */
        {0, 12, 3, 12, 4},   /* not written: the virtual host itself */
        {0, 10, 19, 10, 33}, /* not written: the list's key */
        {0, 10, 5, 10, 6},   /* not written: the resource */
    };

    expect_places(&stage, places, XDS_ARRAY_LEN(places));
}

static void fire_at_numbers(struct stage *stage)
{
    fire(stage, XDS_AT(NULL, "outlier_detection.enforcing_consecutive_5xx"));
    fire(stage, XDS_AT(NULL, "http2_options.max_10_min"));
}

Test(locate, a_number_in_a_key_may_begin_a_word_of_the_name)
{
    struct stage stage = {
        .in = {.format = XDS_FORMAT_JSON,
               .bytes = XDS_S("{\"outlierDetection\": {\"enforcingConsecutive5xx\": 1},\n"
                              " \"http2Options\": {\"max10Min\": 2}}"),
               .at = {0, 1, 1, 1, 2}},
        .fire = fire_at_numbers,
    };
    static const struct xds_place places[] = {{0, 1, 23, 1, 48}, {0, 2, 19, 2, 29}};

    expect_places(&stage, places, XDS_ARRAY_LEN(places));
}

/* "tree.map.on_match", "list[1].x" and "list[1]" to the reader. */
static void fire_where_spellings_differ(struct stage *stage)
{
    const struct xds_path *map = XDS_AT(NULL, "tree.map");
    const struct xds_path *entry = XDS_AT_UNSAID_KEY(map, "entries", XDS_S("b"));
    const struct xds_path *item =
        XDS_AT_UNSAID_I(XDS_AT_SAID_I(NULL, "list", 1), "items", 1);

    fire(stage, XDS_AT_SAID(entry, "on_match"));
    fire(stage, XDS_AT(XDS_AT_UNSAID(item, "config"), "x"));
    fire(stage, XDS_AT(item, "y"));
}

Test(locate, a_step_that_is_only_said_leads_nowhere_and_an_unsaid_one_leads_on)
{
    struct stage stage = {
        .in = {.format = XDS_FORMAT_JSON,
               .bytes = XDS_S("{\"tree\": {\"map\": {\"entries\": {\"a\": 1,\n"
                              "\"b\": {\"onMatch\": 1}}}},\n"
                              "\"list\": [], \"items\": [0,\n"
                              " {\"config\": {\"x\": 1}}]}"),
               .at = {0, 1, 1, 1, 2}},
        .fire = fire_where_spellings_differ,
    };
    static const struct xds_place places[] = {
        {0, 2, 1, 2, 4},   /* the key of the entry */
        {0, 4, 14, 4, 17}, /* below the field that goes unsaid */
        {0, 4, 2, 4, 3},   /* not written: the item */
    };

    expect_places(&stage, places, XDS_ARRAY_LEN(places));
}

static void fire_at_escapes(struct stage *stage)
{
    static const struct xds_slice keys[] = {
        {"a/b", 3},              /* written with an escaped slash */
        {"a\\/b", 4},            /* the raw text of that, but as a key of its own */
        {"\xC3\xA9", 2},         /* \u00e9 */
        {"\xF0\x9F\x98\x80", 4}, /* a pair of surrogates */
        {"\\u00e9", 6},          /* no such key, only its raw text */
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(keys); i++)
        fire(stage, XDS_AT(XDS_AT_KEY(NULL, "typed_per_filter_config", keys[i]), "is"));
}

Test(locate, a_key_is_found_by_what_its_escapes_mean)
{
    struct stage stage = {
        .in = {.format = XDS_FORMAT_JSON,
               .bytes = XDS_S("{\"typedPer\\u0046ilterConfig\": {\n"
                              "\"a\\\\/b\": {},\n"
                              "\"\\ud83d\\ude00\": {\"\\u0069s\": 1},\n"
                              "\"\\u00e9\": {\"x\": {\"is\": 1}, \"is\": 1},\n"
                              "\"a\\/b\": {\"is\": 1}}}"),
               .at = {0, 1, 1, 1, 2}},
        .fire = fire_at_escapes,
    };
    static const struct xds_place places[] = {
        {0, 5, 10, 5, 14}, {0, 2, 1, 2, 8},  {0, 4, 28, 4, 32},
        {0, 3, 18, 3, 27}, {0, 1, 2, 1, 29},
    };

    expect_places(&stage, places, XDS_ARRAY_LEN(places));
}

/* ---- YAML ---- */

#define AT(l, c, e) .line = l, .column = c, .end_line = l, .end_column = e

static void fire_at_domains(struct stage *stage)
{
    const struct xds_path *host = XDS_AT_I(NULL, "virtual_hosts", 0);

    fire(stage, XDS_AT_I(host, "domains", 0));
    fire(stage, XDS_AT_I(host, "domains", 1));
    fire(stage, XDS_AT(host, "name"));
}

Test(locate, yaml_tokens_bring_their_places_along)
{
    const struct xds_token tokens[] = {
        {.kind = XDS_TOKEN_OBJECT, AT(3, 1, 1)},
        {.kind = XDS_TOKEN_KEY, .text = XDS_S("virtualHosts"), AT(3, 1, 13)},
        {.kind = XDS_TOKEN_ARRAY, AT(4, 1, 1)},
        {.kind = XDS_TOKEN_OBJECT, AT(4, 3, 3)},
        {.kind = XDS_TOKEN_KEY, .text = XDS_S("domains"), AT(4, 3, 10)},
        {.kind = XDS_TOKEN_ARRAY, AT(4, 12, 12)},
        {.kind = XDS_TOKEN_STRING, .text = XDS_S("a"), AT(4, 13, 14)},
        {.kind = XDS_TOKEN_STRING, .text = XDS_S("b"), AT(4, 16, 17)},
        {.kind = XDS_TOKEN_ARRAY_END, AT(4, 18, 18)},
        {.kind = XDS_TOKEN_OBJECT_END, AT(5, 1, 1)},
        {.kind = XDS_TOKEN_ARRAY_END, AT(5, 1, 1)},
        {.kind = XDS_TOKEN_OBJECT_END, AT(5, 1, 1)},
        {.kind = XDS_TOKEN_END},
    };
    struct stage stage = {
        .in = {.format = XDS_FORMAT_YAML, .tokens = tokens, .at = {0, 3, 1, 3, 1}},
        .fire = fire_at_domains,
    };
    static const struct xds_place places[] = {
        {0, 4, 13, 4, 14}, {0, 4, 16, 4, 17}, {0, 4, 3, 4, 3}};

    expect_places(&stage, places, XDS_ARRAY_LEN(places));
}

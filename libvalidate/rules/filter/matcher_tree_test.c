/* matcher_tree_test.c - what only binary input can say, long names, and the collecting of
 * faults. */
#include <criterion/criterion.h>

#include "rules/filter/filter.h"
#include "rules/kit_test.h"

#define ON_MATCH(arm) XDS__TYPE__MATCHER__V3__MATCHER__ON_MATCH__ON_MATCH_##arm
#define TREE(arm) XDS__TYPE__MATCHER__V3__MATCHER__MATCHER_TREE__TREE_TYPE_##arm
#define MATCHER(arm) XDS__TYPE__MATCHER__V3__MATCHER__MATCHER_TYPE_##arm
#define SKIP "envoy.extensions.filters.common.matcher.action.v3.SkipFilter"
#define INPUT "envoy.type.matcher.v3.HttpRequestHeaderMatchInput"

static const struct xds_matcher_action skip[] = {{SKIP, "SkipFilter action", NULL}};
static const struct xds_matcher_actions actions = {skip, 1};

static const char *read_tree(struct kit *kit, const pb_matcher *pb)
{
    kit->ctx.live = XDS_GRFC | XDS_CORE;
    xds_matcher_tree_read(&kit->ctx, XDS_AT(NULL, "m"), pb, &actions);
    return kit_findings(kit);
}

static pb_xds_typed_extension_config *extension(struct kit *kit, pb_any *any)
{
    pb_xds_typed_extension_config *pb =
        XDS_NEW(&kit->arena, pb_xds_typed_extension_config);

    xds__core__v3__typed_extension_config__init(pb);
    pb->typed_config = any;
    return pb;
}

static pb_xds_typed_extension_config *header_input(struct kit *kit, char *name)
{
    pb_http_request_header_match_input *pb =
        XDS_NEW(&kit->arena, pb_http_request_header_match_input);

    envoy__type__matcher__v3__http_request_header_match_input__init(pb);
    pb->header_name = name;
    return extension(kit, kit_any(kit, &pb->base));
}

static pb_matcher *on_no_match(struct kit *kit, pb_any *action)
{
    pb_matcher *pb = XDS_NEW(&kit->arena, pb_matcher);
    pb_matcher_on_match *on_match = XDS_NEW(&kit->arena, pb_matcher_on_match);

    xds__type__matcher__v3__matcher__init(pb);
    xds__type__matcher__v3__matcher__on_match__init(on_match);
    on_match->on_match_case = ON_MATCH(ACTION);
    on_match->action = extension(kit, action);
    pb->on_no_match = on_match;
    return pb;
}

/* A tree of one map with one entry, that has no value. */
static pb_matcher *map_tree(struct kit *kit, pb_xds_typed_extension_config *input)
{
    struct {
        pb_matcher matcher;
        pb_matcher_matcher_tree tree;
        pb_matcher_matcher_tree_match_map map;
        Xds__Type__Matcher__V3__Matcher__MatcherTree__MatchMap__MapEntry entry, *entries;
    } *all = xds_arena_zero(&kit->arena, 1, sizeof *all);

    xds__type__matcher__v3__matcher__init(&all->matcher);
    xds__type__matcher__v3__matcher__matcher_tree__init(&all->tree);
    xds__type__matcher__v3__matcher__matcher_tree__match_map__init(&all->map);
    xds__type__matcher__v3__matcher__matcher_tree__match_map__map_entry__init(
        &all->entry);
    all->matcher.matcher_type_case = MATCHER(MATCHER_TREE);
    all->matcher.matcher_tree = &all->tree;
    all->tree.input = input;
    all->tree.tree_type_case = TREE(PREFIX_MATCH_MAP);
    all->tree.prefix_match_map = &all->map;
    all->map.n_map = 1;
    all->map.map = &all->entries;
    all->entries = &all->entry;
    return &all->matcher;
}

Test(matcher_tree, a_map_entry_without_value_is_an_empty_on_match)
{
    struct kit *kit = kit_new();
    char name[] = "x-user";

    cr_expect_str_eq(read_tree(kit, map_tree(kit, header_input(kit, name))),
                     "m.matcher_tree.prefix_match_map.on_match matcher-on-match-empty "
                     "NNAAA");
    kit_free(kit);
}

Test(matcher_tree, an_undecodable_input_is_one_fault_of_many)
{
    struct kit *kit = kit_new();
    pb_any *any = kit_opaque(kit, "type.googleapis.com/" INPUT, XDS_ANY_UNDECODABLE);

    cr_expect_str_eq(read_tree(kit, map_tree(kit, extension(kit, any))),
                     "m.matcher_tree.input.value[" INPUT "] matcher-input-unparsable "
                     "NNAAA\n"
                     "m.matcher_tree.prefix_match_map.on_match matcher-on-match-empty "
                     "NNAAA");
    kit_free(kit);
}

Test(matcher_tree, an_undecodable_action_does_not_hide_that_the_tree_has_no_type)
{
    struct kit *kit = kit_new();
    pb_any *any = kit_opaque(kit, "x/" SKIP, XDS_ANY_UNDECODABLE);

    cr_expect_str_eq(read_tree(kit, on_no_match(kit, any)),
                     "m.on_no_match.action.value[" SKIP "] matcher-action-unparsable "
                     "NNAAA\n"
                     "m matcher-no-type NNAAA");
    cr_expect_str_eq(xds_report_finding(kit->ctx.report, 0)->core.data,
                     "could not parse SkipFilter action");
    kit_free(kit);
}

Test(matcher_tree, an_extension_without_config_is_named_by_its_field)
{
    struct kit *kit = kit_new();

    cr_expect_str_eq(read_tree(kit, on_no_match(kit, NULL)),
                     "m.on_no_match.action any-absent NNAAA\n"
                     "m matcher-no-type NNAAA");
    kit_free(kit);
}

Test(matcher_tree, a_header_name_ends_before_16384_bytes)
{
    static char name[16384 + 1];

    memset(name, 'x', sizeof name - 1);
    for (size_t shorter = 0; shorter < 2; shorter++) {
        struct kit *kit = kit_new();

        kit->ctx.live = XDS_GRFC;
        xds_matcher_input_read(&kit->ctx, XDS_AT(NULL, "input"),
                               header_input(kit, name + shorter), false);
        cr_expect_str_eq(kit_findings(kit), shorter ? ""
                                                    : "input.value[" INPUT
                                                      "].header_name "
                                                      "matcher-header-name NAAAA");
        kit_free(kit);
    }
}

static const struct row {
    const char *name;
    const char *findings;
} names[] = {
    {"x-9_user.id", ""},
    {":path", "input.value[" INPUT "].header_name matcher-header-name NAAAA"},
    {"caf\xC3\xA9", "input.value[" INPUT "].header_name matcher-header-name NAAAA"},
};

Test(matcher_tree, a_header_name_is_a_token_in_lower_case)
{
    for (const struct row *r = names; r < names + XDS_ARRAY_LEN(names); r++) {
        struct kit *kit = kit_new();
        char name[16];

        memcpy(name, r->name, strlen(r->name) + 1);
        kit->ctx.live = XDS_GRFC | XDS_CORE;
        xds_matcher_input_read(&kit->ctx, XDS_AT(NULL, "input"), header_input(kit, name),
                               false);
        cr_expect_str_eq(kit_findings(kit), r->findings, "%s", r->name);
        kit_free(kit);
    }
}

Test(matcher_tree, a_cel_input_as_typed_struct_is_no_input_to_the_documents)
{
    struct kit *kit = kit_new();
    pb_xds_typed_struct *pb = XDS_NEW(&kit->arena, pb_xds_typed_struct);
    char url[] = "t/xds.type.matcher.v3.HttpAttributesCelMatchInput";

    xds__type__v3__typed_struct__init(pb);
    pb->type_url = url;
    kit->ctx.live = XDS_GRFC;
    xds_matcher_input_read(&kit->ctx, XDS_AT(NULL, "input"),
                           extension(kit, kit_any(kit, &pb->base)), true);
    cr_expect_str_eq(kit_findings(kit),
                     "input.value[xds.type.v3.TypedStruct].value[xds.type.matcher.v3."
                     "HttpAttributesCelMatchInput] matcher-input-unparsable NAAAA");
    kit_free(kit);
}

/* "pattern": the rows that fire for each arm of the flavour of matcher trees. */
static const struct {
    unsigned arm;
    char text[4];
    enum xds_match_kind kind;
    const char *findings;
} patterns[] = {
    {1, "", XDS_MATCH_EXACT, ""},
    {2, "a", XDS_MATCH_PREFIX, ""},
    {3, "", XDS_MATCH_SUFFIX, "s.suffix matcher-pattern-empty NAAAA"},
    {5, "a+", XDS_MATCH_REGEX, ""},
    {5, "(", XDS_MATCH_REGEX, "s regex-invalid NNAAA"},
    {7, "", XDS_MATCH_CONTAINS, "s.contains matcher-pattern-empty NAAAA"},
};

Test(matcher_tree, each_pattern_becomes_that_of_the_model)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(patterns); i++) {
        struct kit *kit = kit_new();
        pb_xds_regex_matcher regex = XDS__TYPE__MATCHER__V3__REGEX_MATCHER__INIT;
        pb_xds_string_matcher pb = XDS__TYPE__MATCHER__V3__STRING_MATCHER__INIT;
        struct xds_string_matcher out;
        char text[4];

        memcpy(text, patterns[i].text, sizeof text);
        pb.match_pattern_case = patterns[i].arm;
        regex.regex = text;
        if (patterns[i].arm == 5)
            pb.safe_regex = &regex;
        else
            pb.exact = text;
        kit->ctx.live = XDS_GRFC | XDS_CORE;
        cr_expect(xds_matcher_string_read(&kit->ctx, XDS_AT(NULL, "s"), &pb, &out));
        cr_expect_eq(out.kind, patterns[i].kind);
        cr_expect(xds_slice_is(out.text, text));
        cr_expect_str_eq(kit_findings(kit), patterns[i].findings, "row %zu", i);
        kit_free(kit);
    }
}

Test(matcher_tree, a_custom_pattern_is_no_pattern)
{
    struct kit *kit = kit_new();
    pb_xds_string_matcher pb = XDS__TYPE__MATCHER__V3__STRING_MATCHER__INIT;
    struct xds_string_matcher out;

    pb.match_pattern_case = XDS__TYPE__MATCHER__V3__STRING_MATCHER__MATCH_PATTERN_CUSTOM;
    pb.custom = extension(kit, NULL);
    kit->ctx.live = XDS_GRFC | XDS_CORE;
    cr_expect_not(xds_matcher_string_read(&kit->ctx, XDS_AT(NULL, "s"), &pb, &out));
    cr_expect_str_eq(kit_findings(kit), "s string-matcher-no-pattern NNAAA");
    kit_free(kit);
}

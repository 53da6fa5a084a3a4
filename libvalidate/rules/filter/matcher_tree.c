/*
 * matcher_tree.c - check xds.type.matcher.v3.Matcher, the unified matcher tree.
 *
 * Source: gRFC drafts A103, A106, spec listener 1.7, G30 to G38, G62 to G82.
 *
 * The documents support CEL: the input HttpAttributesCelMatchInput with a CelMatcher as
 * custom_match. C-core has neither. The clients continue after a fault and name all of
 * them. The paths of C-core leave out the steps typed_config of an extension and map[key]
 * of a match map.
 */
#include "base/ascii.h"
#include "rules/filter/filter.h"

/* ---- strings ---- */

#define PB_STRM(arm) XDS__TYPE__MATCHER__V3__STRING_MATCHER__MATCH_PATTERN_##arm

/* The arms that may not be empty, indexed by protobuf-c's case value. */
static const char *const arms[] = {
    [PB_STRM(PREFIX)] = "prefix",
    [PB_STRM(SUFFIX)] = "suffix",
    [PB_STRM(SAFE_REGEX)] = "safe_regex",
    [PB_STRM(CONTAINS)] = "contains",
};

static void check_empty(struct xds_ctx *ctx, const struct xds_path *at, size_t arm,
                        const char *text)
{
    if (arm < XDS_ARRAY_LEN(arms) && arms[arm] && *text == '\0')
        xds_fire(ctx, XDS_AT(at, arms[arm]), XDS_R_MTREE_PATTERN_EMPTY);
}

/* The two flavours number their arms alike, so one becomes the other. */
bool xds_matcher_string_read(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_xds_string_matcher *pb,
                             struct xds_string_matcher *out)
{
    pb_regex_matcher regex = ENVOY__TYPE__MATCHER__V3__REGEX_MATCHER__INIT;
    pb_string_matcher plain = ENVOY__TYPE__MATCHER__V3__STRING_MATCHER__INIT;
    const size_t arm = (size_t)pb->match_pattern_case;

    plain.ignore_case = pb->ignore_case;
    plain.match_pattern_case =
        (Envoy__Type__Matcher__V3__StringMatcher__MatchPatternCase)arm;
    if (arm == PB_STRM(SAFE_REGEX)) {
        regex.regex = pb->safe_regex->regex;
        plain.safe_regex = &regex;
        check_empty(ctx, at, arm, regex.regex);
    } else if (arm != PB_STRM(CUSTOM)) {
        plain.exact = pb->exact; /* the four string arms share one slot of the union */
        check_empty(ctx, at, arm, plain.exact);
    }
    return xds_string_matcher_read(ctx, at, &plain, out);
}

/* ---- predicates and inputs ---- */

#define PB_PREDICATE(arm)                                                                \
    XDS__TYPE__MATCHER__V3__MATCHER__MATCHER_LIST__PREDICATE__MATCH_TYPE_##arm
#define PB_SINGLE(arm)                                                                   \
    XDS__TYPE__MATCHER__V3__MATCHER__MATCHER_LIST__PREDICATE__SINGLE_PREDICATE__MATCHER_##arm
#define HEADER_INPUT envoy__type__matcher__v3__http_request_header_match_input__descriptor
#define CEL_INPUT xds__type__matcher__v3__http_attributes_cel_match_input__descriptor
#define CEL_MATCHER xds__type__matcher__v3__cel_matcher__descriptor

/* The name of a header must have fewer bytes. */
#define NAME_LIMIT 16384

/* Letters in lower case, digits and the marks of a token (RFC 9110). */
static bool is_header_name(struct xds_slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.data[i];

        if (!(c >= 'a' && c <= 'z') && !xds_ascii_digit(c) &&
            !strchr("!#$%&'*+-.^_`|~", c))
            return false;
    }
    return name.len > 0 && name.len < NAME_LIMIT;
}

static struct xds_slice read_header_input(struct xds_ctx *ctx,
                                          const struct xds_extension *ext)
{
    const pb_http_request_header_match_input *pb = (const void *)ext->message;

    if (!is_header_name(xds_slice_of(pb->header_name)))
        xds_fire_with(ctx, ext->at, XDS_R_MTREE_HEADER_NAME,
                      XDS_WITH(xds_slice_of(pb->header_name)));
    return xds_text(ctx, pb->header_name);
}

/* False when there is nothing to read in the input. */
static bool check_input(struct xds_ctx *ctx, const struct xds_extension *ext,
                        bool for_cel)
{
    const bool is_header = xds_slice_is(ext->type, HEADER_INPUT.name);
    const bool is_cel = xds_slice_is(ext->type, CEL_INPUT.name);
    xds_readers takers = is_header ? XDS_EVERYONE : 0;

    if (is_cel)
        takers = ~xds_who(ctx, XDS_DIFF_CEL_MISSING);
    xds_fire_for(ctx, ext->at, ~takers, XDS_R_MTREE_INPUT_TYPE, XDS_WITH(ext->type));
    if (takers && is_cel != for_cel)
        xds_fire_with(ctx, ext->at, XDS_R_MTREE_INPUT_MISMATCH, XDS_WITH(ext->type));
    if (ext->message)
        return is_header;
    return xds_fire_for(
        ctx, ext->at, takers, XDS_R_MTREE_INPUT_UNPARSABLE,
        XDS_WITH(ext->type,
                 ext->typed_struct
                     ? XDS_S("Unsuppored input format (Json found instead of string)")
                     : xds_arena_printf(ctx->arena, "Failed to parse %s",
                                        is_header ? HEADER_INPUT.short_name
                                                  : CEL_INPUT.short_name)));
}

struct xds_slice xds_matcher_input_read(struct xds_ctx *ctx, const struct xds_path *at,
                                        const pb_xds_typed_extension_config *pb,
                                        bool for_cel)
{
    const struct xds_path *config = XDS_AT_UNSAID(at, "typed_config");
    struct xds_extension ext;

    if (!pb)
        xds_fire(ctx, at, XDS_R_MTREE_INPUT_ABSENT);
    else if (xds_extension_read(ctx, config, pb->typed_config, false, &ext) &&
             check_input(ctx, &ext, for_cel))
        return read_header_input(ctx, &ext);
    return xds_slice_make(NULL, 0);
}

static void read_single(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_matcher_matcher_list_predicate_single_predicate *pb,
                        struct xds_filter_predicate *out)
{
    const struct xds_path *value = XDS_AT(at, "value_match");
    const bool is_cel =
        pb->matcher_case == PB_SINGLE(CUSTOM_MATCH) &&
        xds_any_message(pb->custom_match->typed_config, &CEL_MATCHER) != NULL;

    out->kind = is_cel ? XDS_PREDICATE_CEL : XDS_PREDICATE_SINGLE;
    if (pb->matcher_case == PB_SINGLE(VALUE_MATCH))
        xds_matcher_string_read(ctx, value, pb->value_match, &out->matcher);
    else
        xds_fire_for(ctx, value,
                     is_cel ? xds_who(ctx, XDS_DIFF_CEL_MISSING) : XDS_EVERYONE,
                     XDS_R_MTREE_VALUE_MATCH_ABSENT, NULL);
    out->header = xds_matcher_input_read(ctx, XDS_AT(at, "input"), pb->input, is_cel);
}

static void read_predicate(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_matcher_matcher_list_predicate *pb,
                           struct xds_filter_predicate *out);

/* C-core says predicate_list for the field predicate. */
static void read_several(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_matcher_matcher_list_predicate_predicate_list *pb,
                         struct xds_filter_predicate *out)
{
    struct xds_filter_predicate *list =
        XDS_NEW_ARRAY(ctx->arena, struct xds_filter_predicate, pb->n_predicate);

    if (pb->n_predicate == 0)
        xds_fire(ctx, at, XDS_R_MTREE_PREDICATES_EMPTY);
    else if (pb->n_predicate == 1)
        xds_fire(ctx, at, XDS_R_MTREE_PREDICATES_ONE);
    for (size_t i = 0; i < pb->n_predicate; i++) {
        const struct xds_path *said = XDS_AT_SAID_I(at, "predicate_list", i);

        read_predicate(ctx, XDS_AT_UNSAID_I(said, "predicate", i), pb->predicate[i],
                       &list[i]);
    }
    out->list = list;
    out->n = pb->n_predicate;
}

/* Recursion ends with the nesting that decode/ accepts. */
static void read_predicate(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_matcher_matcher_list_predicate *pb,
                           struct xds_filter_predicate *out)
{
    const int type = pb ? (int)pb->match_type_case : PB_PREDICATE(_NOT_SET);

    if (!pb) {
        xds_fire(ctx, at, XDS_R_MTREE_PREDICATE_ABSENT);
    } else if (type == PB_PREDICATE(SINGLE_PREDICATE)) {
        read_single(ctx, XDS_AT(at, "single_predicate"), pb->single_predicate, out);
    } else if (type == PB_PREDICATE(OR_MATCHER)) {
        out->kind = XDS_PREDICATE_OR;
        read_several(ctx, XDS_AT(at, "or_matcher"), pb->or_matcher, out);
    } else if (type == PB_PREDICATE(AND_MATCHER)) {
        out->kind = XDS_PREDICATE_AND;
        read_several(ctx, XDS_AT(at, "and_matcher"), pb->and_matcher, out);
    } else if (type == PB_PREDICATE(NOT_MATCHER)) {
        struct xds_filter_predicate *inner =
            XDS_NEW(ctx->arena, struct xds_filter_predicate);

        read_predicate(ctx, XDS_AT(at, "not_matcher"), pb->not_matcher, inner);
        out->kind = XDS_PREDICATE_NOT;
        out->list = inner;
        out->n = 1;
    } else {
        xds_fire(ctx, at, XDS_R_MTREE_PREDICATE_TYPE);
    }
}

/* ---- trees ---- */

#define PB_MATCHER(arm) XDS__TYPE__MATCHER__V3__MATCHER__MATCHER_TYPE_##arm
#define PB_ON_MATCH(arm) XDS__TYPE__MATCHER__V3__MATCHER__ON_MATCH__ON_MATCH_##arm
#define PB_TREE(arm) XDS__TYPE__MATCHER__V3__MATCHER__MATCHER_TREE__TREE_TYPE_##arm

/* Matchers on the path from the root to a leaf, both included. */
#define MAX_DEPTH 16

/* Where the walk is in a tree. */
struct level {
    const struct xds_matcher_actions *actions;
    unsigned depth; /* the root is 1 */
};

static const struct xds_filter_tree *read_matcher(struct xds_ctx *ctx,
                                                  const struct xds_path *at,
                                                  const pb_matcher *pb,
                                                  const struct level *level);

static void read_action(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_xds_typed_extension_config *pb,
                        const struct xds_matcher_actions *actions,
                        struct xds_filter_choice *out)
{
    const struct xds_path *config = XDS_AT_UNSAID(at, "typed_config");
    const struct xds_matcher_action *action = NULL;
    struct xds_extension ext;

    if (!xds_extension_read(ctx, config, pb->typed_config, false, &ext))
        return;
    for (size_t i = 0; i < actions->n && !action; i++)
        if (xds_slice_is(ext.type, actions->list[i].type))
            action = &actions->list[i];
    if (!action)
        xds_fire_with(ctx, ext.at, XDS_R_MTREE_ACTION_TYPE, XDS_WITH(ext.type));
    else if (!ext.message)
        xds_fire_with(
            ctx, ext.at, XDS_R_MTREE_ACTION_UNPARSABLE,
            XDS_WITH(
                ext.type,
                ext.typed_struct
                    ? XDS_S("Unsuppored action format (Json found instead of string)")
                    : xds_arena_printf(ctx->arena, "could not parse %s", action->words)));
    else if (action->read)
        action->read(ctx, ext.at, ext.message, out);
}

static void read_on_match(struct xds_ctx *ctx, const struct xds_path *at,
                          const pb_matcher_on_match *pb, const struct level *level,
                          struct xds_filter_choice *out)
{
    const struct level next = {level->actions, level->depth + 1};

    if (pb->keep_matching)
        xds_fire(ctx, at, XDS_R_MTREE_KEEP_MATCHING);
    if (pb->on_match_case == PB_ON_MATCH(ACTION))
        read_action(ctx, XDS_AT(at, "action"), pb->action, level->actions, out);
    else if (pb->on_match_case == PB_ON_MATCH(MATCHER))
        out->tree = read_matcher(ctx, XDS_AT(at, "matcher"), pb->matcher, &next);
    else
        xds_fire(ctx, at, XDS_R_MTREE_ON_MATCH_EMPTY);
}

static void read_field_matcher(struct xds_ctx *ctx, const struct xds_path *at,
                               const pb_matcher_matcher_list_field_matcher *pb,
                               const struct level *level, struct xds_filter_case *out)
{
    if (pb->on_match)
        read_on_match(ctx, XDS_AT(at, "on_match"), pb->on_match, level, &out->choice);
    else
        xds_fire(ctx, at, XDS_R_MTREE_ON_MATCH_ABSENT);
    read_predicate(ctx, XDS_AT(at, "predicate"), pb->predicate, &out->predicate);
}

static void read_list(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_matcher_matcher_list *pb, const struct level *level,
                      struct xds_filter_tree *out)
{
    struct xds_filter_case *cases =
        XDS_NEW_ARRAY(ctx->arena, struct xds_filter_case, pb->n_matchers);

    out->kind = XDS_FILTER_TREE_LIST;
    out->cases = cases;
    out->n = pb->n_matchers;
    if (pb->n_matchers == 0)
        xds_fire(ctx, at, XDS_R_MTREE_LIST_EMPTY);
    for (size_t i = 0; i < pb->n_matchers; i++)
        read_field_matcher(ctx, XDS_AT_I(at, "matchers", i), pb->matchers[i], level,
                           &cases[i]);
}

/* On the wire an entry may lack its value: that is an OnMatch with nothing in it. */
static void read_map(struct xds_ctx *ctx, const struct xds_path *at,
                     const pb_matcher_matcher_tree_match_map *pb,
                     const struct level *level, struct xds_filter_tree *out)
{
    static const pb_matcher_on_match nothing =
        XDS__TYPE__MATCHER__V3__MATCHER__ON_MATCH__INIT;
    struct xds_filter_case *cases =
        XDS_NEW_ARRAY(ctx->arena, struct xds_filter_case, pb->n_map);

    if (pb->n_map == 0)
        xds_fire(ctx, at, XDS_R_MTREE_MAP_EMPTY);
    for (size_t i = 0; i < pb->n_map; i++) {
        const struct xds_slice key = xds_slice_of(pb->map[i]->key);
        const struct xds_path *entry = XDS_AT_UNSAID_KEY(at, "map", key);
        const pb_matcher_on_match *value = pb->map[i]->value;

        read_on_match(ctx, XDS_AT_SAID(entry, "on_match"), value ? value : &nothing,
                      level, &cases[i].choice);
        cases[i].key = xds_arena_dup(ctx->arena, key);
    }
    out->cases = cases;
    out->n = pb->n_map;
}

static void read_tree(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_matcher_matcher_tree *pb, const struct level *level,
                      struct xds_filter_tree *out)
{
    const bool exact = pb->tree_type_case == PB_TREE(EXACT_MATCH_MAP);

    out->kind = exact ? XDS_FILTER_TREE_EXACT : XDS_FILTER_TREE_PREFIX;
    out->header = xds_matcher_input_read(ctx, XDS_AT(at, "input"), pb->input, false);
    if (exact)
        read_map(ctx, XDS_AT(at, "exact_match_map"), pb->exact_match_map, level, out);
    else if (pb->tree_type_case == PB_TREE(PREFIX_MATCH_MAP))
        read_map(ctx, XDS_AT(at, "prefix_match_map"), pb->prefix_match_map, level, out);
    else
        xds_fire(ctx, at, XDS_R_MTREE_TREE_TYPE);
}

static const struct xds_filter_tree *read_matcher(struct xds_ctx *ctx,
                                                  const struct xds_path *at,
                                                  const pb_matcher *pb,
                                                  const struct level *level)
{
    if (level->depth > MAX_DEPTH) {
        xds_fire(ctx, at, XDS_R_MTREE_DEPTH);
        return NULL;
    }
    struct xds_filter_tree *out = XDS_NEW(ctx->arena, struct xds_filter_tree);

    if (pb->on_no_match) {
        struct xds_filter_choice *choice = XDS_NEW(ctx->arena, struct xds_filter_choice);

        out->on_no_match = choice;
        read_on_match(ctx, XDS_AT(at, "on_no_match"), pb->on_no_match, level, choice);
    }
    if (pb->matcher_type_case == PB_MATCHER(MATCHER_LIST))
        read_list(ctx, XDS_AT(at, "matcher_list"), pb->matcher_list, level, out);
    else if (pb->matcher_type_case == PB_MATCHER(MATCHER_TREE))
        read_tree(ctx, XDS_AT(at, "matcher_tree"), pb->matcher_tree, level, out);
    else
        xds_fire(ctx, at, XDS_R_MTREE_NO_TYPE);
    return out;
}

const struct xds_filter_tree *
xds_matcher_tree_read(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_matcher *pb, const struct xds_matcher_actions *actions)
{
    return read_matcher(ctx, at, pb, &(const struct level){actions, 1});
}

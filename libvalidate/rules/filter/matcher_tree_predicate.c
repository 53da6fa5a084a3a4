/*
 * matcher_tree_predicate.c - check the predicates and inputs of a unified matcher tree.
 *
 * Source: gRFC draft A106, spec listener 1.7, G70 to G79.
 *
 * The documents support CEL: the input HttpAttributesCelMatchInput with a CelMatcher as
 * custom_match. C-core has neither.
 */
#include "base/ascii.h"
#include "rules/filter/matcher_tree.h"

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
    return xds_arena_dup(ctx->arena, xds_slice_of(pb->header_name));
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

        xds_matcher_predicate_read(ctx, XDS_AT_UNSAID_I(said, "predicate", i),
                                   pb->predicate[i], &list[i]);
    }
    out->list = list;
    out->n = pb->n_predicate;
}

/* Recursion ends with the nesting that decode/ accepts. */
void xds_matcher_predicate_read(struct xds_ctx *ctx, const struct xds_path *at,
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

        xds_matcher_predicate_read(ctx, XDS_AT(at, "not_matcher"), pb->not_matcher,
                                   inner);
        out->kind = XDS_PREDICATE_NOT;
        out->list = inner;
        out->n = 1;
    } else {
        xds_fire(ctx, at, XDS_R_MTREE_PREDICATE_TYPE);
    }
}

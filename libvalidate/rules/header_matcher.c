/*
 * header_matcher.c - envoy.config.route.v3.HeaderMatcher.
 *
 * Source: gRFC A28, A41, A63, spec listener 1.5.
 */
#include "rules/readers.h"

#define PB_HDRM(member)                                                                  \
    ENVOY__CONFIG__ROUTE__V3__HEADER_MATCHER__HEADER_MATCH_SPECIFIER_##member

struct specifier {
    const char *field;
    bool (*read)(struct xds_ctx *ctx, const struct xds_path *at,
                 const struct specifier *self, const pb_header_matcher *pb,
                 struct xds_header_matcher *out);
    enum xds_match_kind kind; /* of the deprecated text members */
    bool may_be_empty;
};

static bool read_text(struct xds_ctx *ctx, const struct xds_path *at,
                      const struct specifier *self, const pb_header_matcher *pb,
                      struct xds_header_matcher *out)
{
    /* The text members share one slot of protobuf-c's union. */
    const struct xds_slice text = xds_slice_of(pb->exact_match);
    const bool in_route = !ctx->rbac;

    if (self->kind == XDS_MATCH_CONTAINS)
        xds_fire_for(ctx, at,
                     in_route ? XDS_EVERYONE
                              : xds_who(ctx, XDS_DIFF_RBAC_CONTAINS_UNKNOWN),
                     XDS_R_HDRM_CONTAINS, XDS_WITH(out->name));
    if (in_route && text.len == 0) {
        /* Some die of such a matcher once the virtual host is in use. */
        const enum xds_rule_id rule =
            self->may_be_empty ? XDS_R_HDRM_EXACT_EMPTY : XDS_R_HDRM_EMPTY_PATTERN;

        xds_fire_killing(ctx, XDS_AT(at, self->field), rule, XDS_EVERYONE,
                         XDS_WITH(out->name));
    }
    out->kind = XDS_HEADER_STRING;
    out->string.kind = self->kind;
    out->string.text = xds_arena_dup(ctx->arena, text);
    return true;
}

static bool read_regex(struct xds_ctx *ctx, const struct xds_path *at,
                       const struct specifier *self, const pb_header_matcher *pb,
                       struct xds_header_matcher *out)
{
    const char *pattern = pb->safe_regex_match->regex;

    out->kind = XDS_HEADER_STRING;
    out->string.kind = self->kind;
    out->string.text = xds_text(ctx, pattern);
    out->string.regex = xds_regex_read(ctx, at, pattern, true,
                                       "cannot create header matcher: Invalid regex "
                                       "string specified in matcher: ",
                                       XDS_RULES);
    return true;
}

static bool read_range(struct xds_ctx *ctx, const struct xds_path *at,
                       const struct specifier *self, const pb_header_matcher *pb,
                       struct xds_header_matcher *out)
{
    (void)self;
    out->kind = XDS_HEADER_RANGE;
    out->start = pb->range_match->start;
    out->end = pb->range_match->end;
    if (out->start > out->end)
        xds_fire_with(
            ctx, at, XDS_R_HDRM_RANGE,
            XDS_WITH(out->name, xds_number(ctx, out->start), xds_number(ctx, out->end)));
    return true;
}

static bool read_present(struct xds_ctx *ctx, const struct xds_path *at,
                         const struct specifier *self, const pb_header_matcher *pb,
                         struct xds_header_matcher *out)
{
    (void)ctx, (void)at, (void)self;
    out->kind = XDS_HEADER_PRESENT;
    out->present = pb->present_match;
    return true;
}

static void fire_no_specifier(struct xds_ctx *ctx, const struct xds_path *at,
                              xds_readers who, const struct xds_header_matcher *out)
{
    xds_fire_for(ctx, at, who, XDS_R_HDRM_NO_SPECIFIER, XDS_WITH(out->name));
}

static bool read_string(struct xds_ctx *ctx, const struct xds_path *at,
                        const struct specifier *self, const pb_header_matcher *pb,
                        struct xds_header_matcher *out)
{
    const xds_readers unknown =
        xds_who(ctx, XDS_DIFF_STRING_MATCH_UNKNOWN) |
        (ctx->rbac ? xds_who(ctx, XDS_DIFF_RBAC_STRING_MATCH_UNKNOWN) : 0);

    fire_no_specifier(ctx, at, unknown, out);
    out->kind = XDS_HEADER_STRING;
    return xds_string_matcher_read(XDS_AMONG(ctx, ~unknown), XDS_AT(at, self->field),
                                   pb->string_match, &out->string);
}

/* Indexed by protobuf-c's case value (a field number). */
static const struct specifier specifiers[] = {
    [PB_HDRM(EXACT_MATCH)] = {"exact_match", read_text, XDS_MATCH_EXACT, true},
    [PB_HDRM(RANGE_MATCH)] = {"range_match", read_range, 0, true},
    [PB_HDRM(PRESENT_MATCH)] = {"present_match", read_present, 0, true},
    [PB_HDRM(PREFIX_MATCH)] = {"prefix_match", read_text, XDS_MATCH_PREFIX, false},
    [PB_HDRM(SUFFIX_MATCH)] = {"suffix_match", read_text, XDS_MATCH_SUFFIX, false},
    [PB_HDRM(SAFE_REGEX_MATCH)] = {"safe_regex_match", read_regex, XDS_MATCH_REGEX, true},
    [PB_HDRM(CONTAINS_MATCH)] = {"contains_match", read_text, XDS_MATCH_CONTAINS, false},
    [PB_HDRM(STRING_MATCH)] = {"string_match", read_string, 0, true},
};

bool xds_header_matcher_read(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_header_matcher *pb, struct xds_header_matcher *out)
{
    const size_t i = (size_t)pb->header_match_specifier_case;

    const struct specifier *specifier =
        i < XDS_ARRAY_LEN(specifiers) && specifiers[i].field ? &specifiers[i] : NULL;

    *out = (struct xds_header_matcher){
        .name = xds_text(ctx, pb->name),
        .specifier = specifier ? specifier->field : "header_match_specifier",
        .kind = XDS_HEADER_NEVER,
        .invert = pb->invert_match,
    };
    if (!specifier)
        fire_no_specifier(ctx, at, XDS_EVERYONE, out);
    else if (!specifier->read(ctx, at, specifier, pb, out))
        out->kind = XDS_HEADER_NEVER;
    return true;
}

/*
 * rbac_matchers.c - check the leaves of RBAC rules, and how deep a rule is nested.
 *
 * Source: gRFC A41, spec G61, RB14 to RB22.
 */
#include "base/ascii.h"
#include "rules/address.h"
#include "rules/filter/rbac.h"

#define PB_HDRM(member)                                                                  \
    ENVOY__CONFIG__ROUTE__V3__HEADER_MATCHER__HEADER_MATCH_SPECIFIER_##member

#define MAX_DEPTH 16

xds_readers xds_rbac_enter(struct xds_rbac_walk *walk, const struct xds_path *at)
{
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers live = ctx->live;

    if (walk->depth++ > MAX_DEPTH) {
        xds_fire(ctx, at, XDS_R_RBAC_TOO_DEEP);
        ctx->live &= xds_who(ctx, XDS_DIFF_RBAC_DEPTH_UNLIMITED);
    }
    return live;
}

void xds_rbac_leave(struct xds_rbac_walk *walk, xds_readers live)
{
    walk->depth--;
    walk->ctx->live = live;
}

/* ---- strings and headers ---- */

/* core reads RBAC twice, but not inside the composite filter (RB15, RB20). */
static bool read_twice(const struct xds_ctx *ctx)
{
    return ctx->in_composite == 0;
}

static void fire_match_pattern(struct xds_ctx *ctx, const struct xds_path *at)
{
    if (read_twice(ctx))
        xds_fire(ctx, at, XDS_R_RBAC_MATCH_PATTERN);
}

void xds_rbac_string_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                          const pb_string_matcher *pb)
{
    struct xds_string_matcher out;

    if (!xds_string_matcher_read(walk->ctx, at, pb, &out) && pb)
        fire_match_pattern(walk->ctx, at);
}

void xds_rbac_url_path_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                            const pb_path_matcher *pb)
{
    const bool has_path =
        pb->rule_case == ENVOY__TYPE__MATCHER__V3__PATH_MATCHER__RULE_PATH;

    xds_rbac_string_read(walk, XDS_AT(at, "path"), has_path ? pb->path : NULL);
}

void xds_rbac_negated_check(struct xds_rbac_walk *walk, const struct xds_path *at,
                            bool is_known)
{
    if (!is_known)
        xds_fire(walk->ctx, at, XDS_R_RBAC_NEGATED);
}

/* With action LOG those alone look at names that also fold them. */
static void check_name(struct xds_rbac_walk *walk, const struct xds_path *at,
                       struct xds_slice name)
{
    static const struct xds_slice scheme = {":scheme", 7}, grpc = {"grpc-", 5};
    struct xds_ctx *ctx = walk->ctx;
    const struct xds_slice head = xds_slice_make(name.data, name.len < 5 ? name.len : 5);
    const xds_readers live = ctx->live;
    const xds_readers folding = xds_who(ctx, XDS_DIFF_RBAC_HEADER_FOLDED);

    ctx->live |= walk->skimmed & folding;
    if (xds_slice_eq_fold(name, scheme))
        xds_fire_for(ctx, at, xds_slice_eq(name, scheme) ? XDS_EVERYONE : folding,
                     XDS_R_RBAC_HEADER_SCHEME, XDS_WITH(name));
    if (xds_slice_eq_fold(head, grpc))
        xds_fire_for(ctx, at, xds_slice_eq(head, grpc) ? XDS_EVERYONE : folding,
                     XDS_R_RBAC_HEADER_GRPC, XDS_WITH(name));
    ctx->live = live;
}

/* What the reader of header matchers rejects core reports a second time, in the words of
 * its older parser. */
void xds_rbac_header_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                          const pb_header_matcher *pb)
{
    struct xds_header_matcher out;

    check_name(walk, XDS_AT(at, "name"), xds_slice_of(pb->name));
    xds_header_matcher_read(walk->ctx, at, pb, &out);
    if (out.kind != XDS_HEADER_NEVER)
        return;
    if (pb->header_match_specifier_case == PB_HDRM(STRING_MATCH))
        fire_match_pattern(walk->ctx, at);
    else if (read_twice(walk->ctx))
        xds_fire_with(walk->ctx, at, XDS_R_RBAC_HEADER_SPECIFIER,
                      XDS_WITH(xds_slice_of(pb->name)));
}

/* ---- addresses ---- */

/* Without brackets and without a zone. */
static bool is_plain_address(struct xds_slice text, struct xds_sockaddr *out)
{
    return xds_sockaddr_parse(text, 0, out) && xds_slice_find(text, '[') == text.len &&
           xds_slice_find(text, '%') == text.len;
}

void xds_rbac_cidr_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                        const pb_cidr_range *pb)
{
    struct xds_ctx *ctx = walk->ctx;
    const struct xds_slice text = xds_slice_of(pb->address_prefix);
    struct xds_sockaddr address;
    const bool is_plain = is_plain_address(text, &address);

    xds_fire_for(ctx, at,
                 (is_plain ? 0 : xds_who(ctx, XDS_DIFF_RBAC_ADDRESS_PLAIN)) |
                     (xds_address_resolves(text) || xds_slice_is(text, "localhost")
                          ? 0
                          : xds_who(ctx, XDS_DIFF_RBAC_ADDRESS_RESOLVED)),
                 XDS_R_RBAC_ADDRESS, XDS_WITH(text));
    if (!pb->prefix_len)
        xds_fire(ctx, at, XDS_R_RBAC_PREFIX_LEN_ABSENT);
    if (is_plain && pb->prefix_len &&
        pb->prefix_len->value > (address.family == 4 ? 32 : 128))
        xds_fire_with(ctx, at, XDS_R_RBAC_PREFIX_LEN,
                      XDS_WITH(xds_number(ctx, pb->prefix_len->value), text));
}

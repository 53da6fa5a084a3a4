/*
 * rbac_matchers.c - check the leaves of RBAC rules, and how deep a rule is nested.
 *
 * Takes:  decoded matchers of permissions and principals, borrowed.
 * Gives:  findings only.
 * Fires:  RBAC_TOO_DEEP, RBAC_HEADER_..., RBAC_MATCH_PATTERN, RBAC_ADDRESS and
 *         RBAC_PREFIX_LEN of rbac.def; the rows of header and string matchers.
 * Source: gRFC A41, spec G61, RB14 to RB22.
 */
#include "base/ascii.h"
#include "rules/address.h"
#include "rules/filter/rbac.h"

#define PB_HDRM(member)                                                                  \
    ENVOY__CONFIG__ROUTE__V3__HEADER_MATCHER__HEADER_MATCH_SPECIFIER_##member

#define MAX_DEPTH 16

unsigned xds_rbac_enter(struct xds_rbac_walk *walk, const struct xds_path *at)
{
    struct xds_ctx *ctx = walk->ctx;
    const unsigned live = ctx->live;

    if (walk->depth++ > MAX_DEPTH) {
        xds_fire(ctx, at, XDS_R_RBAC_TOO_DEEP, "exceeded max recursion depth");
        ctx->live &= ~(XDS_GRFC | XDS_CORE);
    }
    return live;
}

void xds_rbac_leave(struct xds_rbac_walk *walk, unsigned live)
{
    walk->depth--;
    walk->ctx->live = live;
}

/* ---- strings and headers --------------------------------------------------------- */

/* core reads RBAC twice, but not inside the composite filter (RB15, RB20). */
static bool read_twice(const struct xds_ctx *ctx)
{
    return ctx->in_composite == 0;
}

static void fire_match_pattern(struct xds_ctx *ctx, const struct xds_path *at)
{
    if (read_twice(ctx))
        xds_fire(ctx, at, XDS_R_RBAC_MATCH_PATTERN, "invalid match pattern");
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

/* Who minds a name that only go, which folds it first, finds to be `as_written`? */
static unsigned readers_of(bool as_written)
{
    return as_written ? XDS_ALL_CLIENTS : XDS_GO;
}

static void check_name(struct xds_rbac_walk *walk, const struct xds_path *at,
                       struct xds_slice name)
{
    static const struct xds_slice scheme = {":scheme", 7}, grpc = {"grpc-", 5};
    struct xds_ctx *ctx = walk->ctx;
    const struct xds_slice head = xds_slice_make(name.data, name.len < 5 ? name.len : 5);
    const unsigned live = ctx->live;

    ctx->live |= walk->skimmed;
    if (xds_slice_eq_fold(name, scheme))
        xds_fire_for(ctx, at, readers_of(xds_slice_eq(name, scheme)),
                     XDS_R_RBAC_HEADER_SCHEME, "':scheme' not allowed in header");
    if (xds_slice_eq_fold(head, grpc))
        xds_fire_for(ctx, at, readers_of(xds_slice_eq(head, grpc)),
                     XDS_R_RBAC_HEADER_GRPC, "'grpc-' prefixes not allowed in header");
    ctx->live = live;
}

/* What the reader of header matchers found to be no matcher, core reports once more in
 * the words of its older form. */
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
        xds_fire(walk->ctx, at, XDS_R_RBAC_HEADER_SPECIFIER,
                 "invalid route header matcher specified");
}

/* ---- addresses ------------------------------------------------------------------- */

/* As many bits as the last of `parts` numbers of an IPv4 address stands for. */
static bool fits_last_part(uint64_t number, unsigned parts)
{
    return number >> (8 * (5 - parts)) == 0;
}

/* java's literals: one to four decimal numbers, the last one fills the address up. */
static bool is_short_ipv4(struct xds_slice text)
{
    struct xds_slice part;
    uint64_t number;

    for (unsigned parts = 1; parts <= 4; parts++) {
        text = xds_slice_cut(text, '.', &part);
        if (!xds_slice_to_u64(part, &number))
            return false;
        if (!text.data)
            return fits_last_part(number, parts);
        if (number > 255)
            return false;
    }
    return false;
}

/* java turns an empty text into the loopback address, and a name into what DNS knows of
 * it: nothing, as far as can be said here. */
static bool java_resolves(struct xds_slice text)
{
    struct xds_sockaddr ignored;

    return text.len == 0 || is_short_ipv4(text) || xds_sockaddr_parse(text, 0, &ignored);
}

/* go knows neither the brackets nor the zone of an IPv6 address here. */
static bool go_parses(struct xds_slice text, struct xds_sockaddr *out)
{
    return xds_sockaddr_parse(text, 0, out) && xds_slice_find(text, '[') == text.len &&
           xds_slice_find(text, '%') == text.len;
}

void xds_rbac_cidr_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                        const pb_cidr_range *pb)
{
    const struct xds_slice text = xds_slice_of(pb->address_prefix);
    struct xds_sockaddr address;
    unsigned refused = 0;

    if (!go_parses(text, &address))
        refused |= XDS_GO;
    if (!java_resolves(text))
        refused |= XDS_JAVA;
    xds_fire_for(walk->ctx, XDS_AT(at, "address_prefix"), refused, XDS_R_RBAC_ADDRESS,
                 "\"%s\" is no IP address", pb->address_prefix);
    if (!(refused & XDS_GO) && pb->prefix_len &&
        pb->prefix_len->value > (address.family == 4 ? 32 : 128))
        xds_fire(walk->ctx, XDS_AT(at, "prefix_len"), XDS_R_RBAC_PREFIX_LEN,
                 "%u is more than the bits of \"%s\"", (unsigned)pb->prefix_len->value,
                 pb->address_prefix);
}

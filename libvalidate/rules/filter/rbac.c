/*
 * rbac.c - check RBAC, the filter of servers, and its override RBACPerRoute.
 *
 * Source: gRFC A41, A59, spec listener 8.3.
 */
#include "rules/filter/rbac.h"

#include "base/strmap.h"
#include "rules/filter/filter.h"

#define PB_ACTION(name) ENVOY__CONFIG__RBAC__V3__RBAC__ACTION__##name

/* core and java read no rules of a config that only logs (RB2). */
static void read_action(struct xds_rbac_walk *walk, const struct xds_path *at,
                        const pb_rbac *pb)
{
    struct xds_ctx *ctx = walk->ctx;

    if ((uint32_t)pb->action > PB_ACTION(LOG))
        xds_fire_with(ctx, at, XDS_R_RBAC_ACTION,
                      XDS_WITH(xds_number(ctx, (int32_t)pb->action)));
    if (pb->action != PB_ACTION(LOG))
        return;
    xds_fire(ctx, at, XDS_R_RBAC_ACTION_LOG);
    walk->skimmed = ctx->live & xds_who(ctx, XDS_DIFF_RBAC_LOG_SKIMMED);
    ctx->live = 0;
}

static void check_conditions(struct xds_rbac_walk *walk, const struct xds_path *at,
                             const pb_policy *pb)
{
    const struct {
        bool set;
        const char *field, *core;
    } conditions[] = {
        {pb->condition != NULL, "condition", "condition"},
        {pb->checked_condition != NULL, "checked_condition", "checked condition"},
    };
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers live = ctx->live;

    ctx->live |= walk->skimmed;
    for (size_t i = 0; i < XDS_ARRAY_LEN(conditions); i++)
        if (conditions[i].set)
            xds_fire_with(ctx, XDS_AT(at, conditions[i].field), XDS_R_RBAC_CONDITION,
                          XDS_WITH(xds_slice_of(conditions[i].core)));
    ctx->live = live;
}

/* pb NULL: an entry of the map that lacks its value, which is an empty policy. */
static void read_policy(struct xds_rbac_walk *walk, const struct xds_path *at,
                        const pb_policy *pb)
{
    if (!pb)
        return;
    check_conditions(walk, at, pb);
    for (size_t i = 0; i < pb->n_permissions; i++)
        xds_rbac_permission_read(walk, XDS_AT_I(at, "permissions", i),
                                 pb->permissions[i]);
    for (size_t i = 0; i < pb->n_principals; i++)
        xds_rbac_principal_read(walk, XDS_AT_I(at, "principals", i), pb->principals[i]);
}

/* In binary form a key may come twice: the last one counts. */
static void read_policies(struct xds_rbac_walk *walk, const struct xds_path *at,
                          const pb_rbac *pb)
{
    struct xds_strmap last;

    xds_strmap_init(&last, walk->ctx->arena);
    for (size_t i = 0; i < pb->n_policies; i++)
        *xds_strmap_at(&last, xds_slice_of(pb->policies[i]->key)) = pb->policies[i];
    for (size_t i = 0; i < pb->n_policies; i++) {
        const struct xds_slice name = xds_slice_of(pb->policies[i]->key);

        if (*xds_strmap_at(&last, name) == pb->policies[i])
            read_policy(walk, XDS_AT_KEY(at, "policies", name), pb->policies[i]->value);
    }
}

static void read_rules(struct xds_ctx *ctx, const struct xds_path *at, const pb_rbac *pb)
{
    struct xds_rbac_walk walk = {.ctx = ctx};
    const xds_readers live = ctx->live;

    read_action(&walk, at, pb);
    read_policies(&walk, at, pb);
    xds_audit_logging_read(ctx, XDS_AT(at, "audit_logging_options"),
                           pb->audit_logging_options);
    ctx->live = live;
}

static void read_rbac(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_http_rbac *pb)
{
    ctx->rbac = true;
    if (pb->rules)
        read_rules(ctx, XDS_AT(at, "rules"), pb->rules);
    else
        xds_fire(ctx, at, XDS_R_RBAC_RULES_ABSENT);
    ctx->rbac = false;
}

static bool read_config(struct xds_ctx *ctx, const struct xds_extension *ext,
                        struct xds_filter *out)
{
    (void)out;
    read_rbac(ctx, ext->at, (const void *)ext->message);
    return true;
}

static bool read_override(struct xds_ctx *ctx, const struct xds_extension *ext,
                          struct xds_filter_override *out)
{
    const pb_rbac_per_route *pb = (const void *)ext->message;

    (void)out;
    if (pb->rbac)
        read_rbac(ctx, XDS_AT(ext->at, "rbac"), pb->rbac);
    else
        xds_fire(ctx, ext->at, XDS_R_RBAC_PER_ROUTE_EMPTY);
    return true;
}

/* node accepts no override, whatever its guard says (P5). */
const struct xds_filter_type xds_filter_rbac = {
    .kind = XDS_FILTER_RBAC,
    .type = "envoy.extensions.filters.http.rbac.v3.RBAC",
    .override_type = "envoy.extensions.filters.http.rbac.v3.RBACPerRoute",
    .known_to = XDS_ALL_CLIENTS & ~XDS_NODE,
    .guarded = XDS_NODE,
    .guard = XDS_ENV_RBAC,
    .server_guard = XDS_ENV_RBAC,
    .override_for = XDS_ALL_CLIENTS & ~XDS_NODE,
    .on_servers = true,
    .config_words = "HTTP RBAC filter config",
    .override_words = "RBACPerRoute",
    .read = read_config,
    .read_override = read_override,
};

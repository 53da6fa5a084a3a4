/*
 * overrides.c - merge filter configs: weighted entry, then route, then virtual host.
 *
 * Source: gRFC A39, drafts A92 and A93, spec routing 4, spec listener F8, F16, P12, P15.
 */
#include "route/route.h"

struct found {
    const struct xds_filter_override *override; /* NULL: none */
    enum xds_config_level level;
};

const char *xds_config_level_name(enum xds_config_level level)
{
    static const char *const names[] = {
        [XDS_CONFIG_WEIGHTED_CLUSTER] = "weighted_cluster",
        [XDS_CONFIG_ROUTE] = "route",
        [XDS_CONFIG_VIRTUAL_HOST] = "virtual_host",
        [XDS_CONFIG_LISTENER] = "listener",
    };
    return names[level];
}

static bool exists(const struct xds_filter_override *o, enum xds_client client)
{
    return !(o->dropped_by & XDS_CLIENT_BIT(client));
}

/* Which of those that are written for a filter. */
enum wanted {
    EXISTING,  /* for this client */
    REPLACING, /* ... and of the filter's type */
    IDLE,      /* of no effect on the filter */
};

static struct found most_specific(const struct xds_override_scope *scope,
                                  enum xds_client client, const struct xds_filter *filter,
                                  enum wanted wanted)
{
    const struct xds_overrides *const maps[] = {
        [XDS_CONFIG_WEIGHTED_CLUSTER] = scope->entry ? &scope->entry->overrides : NULL,
        [XDS_CONFIG_ROUTE] = scope->route ? &scope->route->overrides : NULL,
        [XDS_CONFIG_VIRTUAL_HOST] = scope->host ? &scope->host->overrides : NULL,
    };

    for (size_t level = 0; level < XDS_ARRAY_LEN(maps); level++)
        for (size_t i = 0; maps[level] && i < maps[level]->n; i++) {
            const struct xds_filter_override *o = &maps[level]->entries[i];
            const bool replaces = exists(o, client) && o->kind == filter->kind;
            const bool is = wanted == EXISTING    ? exists(o, client)
                            : wanted == REPLACING ? replaces
                                                  : !replaces;

            if (is && xds_slice_eq(o->name, filter->name))
                return (struct found){o, (enum xds_config_level)level};
        }
    return (struct found){NULL, XDS_CONFIG_LISTENER};
}

const struct xds_filter_override *
xds_override_find(const struct xds_override_scope *scope, enum xds_client client,
                  const struct xds_filter *filter)
{
    return most_specific(scope, client, filter, REPLACING).override;
}

/* The variable without which this client does not look at filters at all. */
static enum xds_env guard_of_filters(const struct xds_rpc *rpc)
{
    return rpc->at_server && XDS_DIFFERS(rpc, XDS_DIFF_SERVER_FILTERS_BY_RBAC)
               ? XDS_ENV_RBAC
               : XDS_ENV_FAULT_INJECTION;
}

static bool looks_at_filters(const struct xds_rpc *rpc)
{
    return XDS_ENV_ON(rpc, guard_of_filters(rpc));
}

static bool is_dropped(const struct xds_rpc *rpc, const struct xds_filter *filter)
{
    return (filter->dropped_by & XDS_CLIENT_BIT(rpc->client)) || !looks_at_filters(rpc);
}

static bool reads_disabled(const struct xds_rpc *rpc)
{
    if (XDS_DIFFERS(rpc, XDS_DIFF_FILTER_DISABLED_UNREAD))
        return false;
    return !XDS_DIFFERS(rpc, XDS_DIFF_FILTER_DISABLED_GUARDED) ||
           XDS_ENV_ON(rpc, XDS_ENV_EXT_PROC_ON_CLIENT) ||
           XDS_ENV_ON(rpc, XDS_ENV_EXT_AUTHZ_ON_CLIENT);
}

/* The most specific flag counts, whatever the type of its entry. */
static bool flag_of(const struct found *f, const struct xds_filter *filter)
{
    return f->override ? f->override->disabled : filter->disabled;
}

bool xds_filter_in_chain(const struct xds_override_scope *scope,
                         const struct xds_rpc *rpc, const struct xds_filter *filter)
{
    if (is_dropped(rpc, filter))
        return false;
    if (!reads_disabled(rpc))
        return true;
    const struct found f = most_specific(scope, rpc->client, filter, EXISTING);
    return !flag_of(&f, filter);
}

static const char *const levels[] = {
    [XDS_CONFIG_WEIGHTED_CLUSTER] = "the weighted cluster",
    [XDS_CONFIG_ROUTE] = "the route",
    [XDS_CONFIG_VIRTUAL_HOST] = "the virtual host",
    [XDS_CONFIG_LISTENER] = "the listener",
};

/* An override that one would expect to hold, and why it does not. */
static struct xds_slice absent_reason(const struct xds_override_scope *scope,
                                      const struct xds_rpc *rpc,
                                      const struct xds_filter_use *use)
{
    const struct found f = most_specific(scope, rpc->client, use->filter, IDLE);

    if (!f.override || f.level > use->from)
        return xds_slice_make(NULL, 0);
    return xds_arena_printf(rpc->arena,
                            "the override of %s is treated as absent: its type %.*s %s",
                            levels[f.level], XDS_FMT(f.override->type),
                            exists(f.override, rpc->client)
                                ? "belongs to another filter"
                                : "is optional, and this client does not know it");
}

static void judge_flag(const struct xds_override_scope *scope, const struct xds_rpc *rpc,
                       struct xds_filter_use *use)
{
    const struct found f = most_specific(scope, rpc->client, use->filter, EXISTING);

    if (!flag_of(&f, use->filter))
        return;
    use->disabled = reads_disabled(rpc);
    use->reason = xds_arena_printf(
        rpc->arena,
        use->disabled ? "disabled by %s" : "disabled of %s is not read by this client",
        levels[f.level]);
}

struct xds_filter_use xds_filter_use_of(const struct xds_override_scope *scope,
                                        const struct xds_rpc *rpc,
                                        const struct xds_filter *filter)
{
    const struct found f = most_specific(scope, rpc->client, filter, REPLACING);
    struct xds_filter_use use = {
        .filter = filter, .from = f.level, .override = f.override};

    if (is_dropped(rpc, filter)) {
        use.dropped = true;
        use.reason =
            looks_at_filters(rpc)
                ? XDS_S("this client does not know it, and skips it as it is optional")
                : xds_arena_printf(rpc->arena,
                                   "this client ignores filters while %s is off",
                                   xds_env_row(guard_of_filters(rpc))->name);
        return use;
    }
    use.reason = absent_reason(scope, rpc, &use);
    judge_flag(scope, rpc, &use);
    return use;
}

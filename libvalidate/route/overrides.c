/*
 * overrides.c - merge filter configs: weighted entry, then route, then virtual host.
 *
 * Takes:  the maps that apply to an RPC and a filter of the listener.
 * Gives:  the one entry that wins whole; there is no merging of fields.
 * Source: gRFC A39, A92, spec routing 4.
 */
#include "route/overrides.h"

/* Clients that read the disabled flags. */
static const unsigned reads_disabled =
    XDS_CLIENT_BIT(XDS_CLIENT_GRFC) | XDS_CLIENT_BIT(XDS_CLIENT_CORE);

static const struct xds_filter_override *find_in(const struct xds_overrides *map,
                                                 enum xds_client client,
                                                 const struct xds_filter *filter,
                                                 bool any_kind)
{
    for (size_t i = 0; i < map->n; i++) {
        const struct xds_filter_override *o = &map->entries[i];
        if (xds_slice_eq(o->name, filter->name) &&
            !(o->dropped_by & XDS_CLIENT_BIT(client)) &&
            (any_kind || o->kind == filter->kind))
            return o;
    }
    return NULL;
}

static const struct xds_filter_override *
most_specific(const struct xds_override_scope *scope, enum xds_client client,
              const struct xds_filter *filter, bool any_kind)
{
    const struct xds_overrides *const maps[] = {
        scope->entry ? &scope->entry->overrides : NULL,
        scope->route ? &scope->route->overrides : NULL,
        scope->host ? &scope->host->overrides : NULL,
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(maps); i++) {
        const struct xds_filter_override *o =
            maps[i] ? find_in(maps[i], client, filter, any_kind) : NULL;
        if (o)
            return o;
    }
    return NULL;
}

const struct xds_filter_override *
xds_override_find(const struct xds_override_scope *scope, enum xds_client client,
                  const struct xds_filter *filter)
{
    return most_specific(scope, client, filter, false);
}

bool xds_filter_in_chain(const struct xds_override_scope *scope, enum xds_client client,
                         const struct xds_filter *filter)
{
    if (filter->dropped_by & XDS_CLIENT_BIT(client))
        return false;
    if (!(reads_disabled & XDS_CLIENT_BIT(client)))
        return true;
    /* The flag counts whatever the type of its entry. */
    const struct xds_filter_override *o = most_specific(scope, client, filter, true);
    return o ? !o->disabled : !filter->disabled;
}

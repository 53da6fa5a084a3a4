/*
 * updates.c - what running servers make of the change: which die of it, which do not
 *             notice it.
 *
 * Source: rows of clients/differences.def, by runs.
 */
#include <stdio.h>

#include "diff/diff.h"
#include "server/update.h"

const char *xds_update_effect_name(enum xds_update_effect effect)
{
    static const char *const names[XDS_UPDATE_EFFECTS] = {
        [XDS_UPDATE_KILLS] = "kills",
        [XDS_UPDATE_IGNORED] = "ignored",
        [XDS_UPDATE_ROUTES_KEPT] = "routes kept",
        [XDS_UPDATE_NO_RETURN] = "no return",
    };

    return names[effect];
}

static bool differs(const struct xds_diff *diff, unsigned client,
                    enum xds_difference difference)
{
    return xds_differs(&diff->side[XDS_SIDE_NEW].check->report->options,
                       (enum xds_client)client, difference);
}

/* What the client's servers have of the name; NULL: nothing that they use. */
static const void *used_by(const struct xds_diff *diff, enum xds_side side,
                           unsigned client, enum xds_resource_type type,
                           struct xds_slice name)
{
    const struct xds_snapshot_entry *entry = xds_snapshot_used(
        &diff->side[side].check->snapshot, (enum xds_client)client, type, name);

    return entry && !((entry->nacked_by | entry->killing) & XDS_CLIENT_BIT(client))
               ? entry->model
               : NULL;
}

static const struct xds_listener *listener_of(const struct xds_diff *diff,
                                              enum xds_side side, unsigned client,
                                              struct xds_slice name)
{
    const struct xds_listener *listener =
        used_by(diff, side, client, XDS_TYPE_LISTENER, name);

    return listener && !listener->is_api_listener && listener->has_filter_chains
               ? listener
               : NULL;
}

/* Clients for which all else is the same share a row; they come one after the other. */
static void add(struct xds_diff *diff, unsigned client,
                const struct xds_server_update *update)
{
    struct xds_server_update *last =
        diff->updates.n > 0 ? &diff->updates.list[diff->updates.n - 1] : NULL;

    if (!last || last->effect != update->effect || last->why != update->why ||
        !xds_slice_eq(last->listener, update->listener)) {
        diff->updates.list =
            xds_arena_room(&diff->arena, diff->updates.list, diff->updates.n,
                           &diff->updates.cap, sizeof *diff->updates.list);
        last = &diff->updates.list[diff->updates.n++];
        *last = *update;
    }
    last->clients |= XDS_CLIENT_BIT(client);
}

/* ---- a listener that changes ---- */

/* Is nothing of it among the changes? */
static bool same_chain(void *user, uint32_t chain)
{
    const struct xds_field_changes *changes = user;
    char filters[64], match[64];

    if (chain == XDS_DEFAULT_CHAIN) {
        (void)snprintf(filters, sizeof filters, "default_filter_chain.filters");
        (void)snprintf(match, sizeof match, "default_filter_chain.filter_chain_match");
    } else {
        (void)snprintf(filters, sizeof filters, "filter_chains[%u].filters", chain);
        (void)snprintf(match, sizeof match, "filter_chains[%u].filter_chain_match",
                       chain);
    }
    for (size_t i = 0; i < changes->n; i++) {
        const struct xds_field_change *change = &changes->list[i];
        const bool moves_chains =
            xds_slice_starts(change->path, XDS_S("filter_chains[")) &&
            change->path.data[change->path.len - 1] == ']' &&
            !memchr(change->path.data, '.', change->path.len);

        if (moves_chains || xds_slice_starts(change->path, xds_slice_of(filters)) ||
            xds_slice_starts(change->path, xds_slice_of(match)))
            return false;
    }
    return changes->n_more == 0;
}

static void compare_listener(struct xds_diff *diff, unsigned client,
                             struct xds_resource_change *change)
{
    const struct xds_listener *old =
        listener_of(diff, XDS_SIDE_OLD, client, change->name);
    const struct xds_listener *now =
        listener_of(diff, XDS_SIDE_NEW, client, change->name);
    struct xds_server_update update = {
        .effect = XDS_UPDATE_NO_RETURN, .listener = change->name, .why = NULL};

    if (!old)
        return;
    update.address = old->address;
    if (change->kind == XDS_CHANGE_REMOVED &&
        differs(diff, client, XDS_DIFF_SERVER_RETURN_UNSEEN))
        add(diff, client, &update);
    if (!now || change->kind != XDS_CHANGE_CHANGED ||
        !differs(diff, client, XDS_DIFF_SERVER_DEFAULT_CHAIN_KILLS))
        return;
    switch (xds_server_likeness(now, old, same_chain, &change->fields, &update.why)) {
    case XDS_LIKENESS_OTHER:
        return;
    case XDS_LIKENESS_ALIKE:
        if (!differs(diff, client, XDS_DIFF_SERVER_TLS_CHANGE_LOST))
            return;
        update.effect = XDS_UPDATE_IGNORED;
        break;
    case XDS_LIKENESS_THROWS:
        update.effect = XDS_UPDATE_KILLS;
        break;
    }
    add(diff, client, &update);
}

/* ---- a route configuration that changes ---- */

/* Changes by name. */
struct changed {
    struct xds_strmap listeners, routes;
};

/* The routes that the default chain names; absent: none. */
static struct xds_slice routes_of(const struct xds_listener *listener)
{
    const struct xds_filter_chain *chain = listener->default_chain;

    return chain && chain->n_managers > 0 ? chain->managers->rds_name : XDS_S("");
}

/* A listener that changes with its routes is a new start. */
static void compare_routes(struct xds_diff *diff, struct changed *changed,
                           unsigned client, struct xds_slice name)
{
    const struct xds_listener *listener = listener_of(diff, XDS_SIDE_NEW, client, name);
    const struct xds_slice routes = listener ? routes_of(listener) : XDS_S("");

    if (routes.len == 0 || xds_strmap_get(&changed->listeners, name) ||
        !differs(diff, client, XDS_DIFF_SERVER_DEFAULT_ROUTES_STAY))
        return;
    const struct xds_resource_change *change = xds_strmap_get(&changed->routes, routes);

    if (change && change->kind != XDS_CHANGE_REMOVED && !change->unread &&
        used_by(diff, XDS_SIDE_NEW, client, XDS_TYPE_ROUTE, routes))
        add(diff, client,
            &(struct xds_server_update){.effect = XDS_UPDATE_ROUTES_KEPT,
                                        .listener = name,
                                        .address = listener->address,
                                        .routes = routes});
}

static void find_changed(struct xds_diff *diff, struct changed *out)
{
    xds_strmap_init(&out->listeners, &diff->arena);
    xds_strmap_init(&out->routes, &diff->arena);
    for (size_t i = 0; i < diff->n_resources; i++) {
        struct xds_resource_change *change = &diff->resources[i];
        const enum xds_resource_type type = xds_resource_type_of(change->type);

        if (type == XDS_TYPE_LISTENER && change->name.data)
            *xds_strmap_at(&out->listeners, change->name) = change;
        if (type == XDS_TYPE_ROUTE && change->name.data)
            *xds_strmap_at(&out->routes, change->name) = change;
    }
}

void xds_diff_updates(struct xds_diff *diff)
{
    const struct xds_snapshot *now = &diff->side[XDS_SIDE_NEW].check->snapshot;
    struct changed changed;

    if (diff->of_readers)
        return;
    find_changed(diff, &changed);
    for (size_t i = 0; i < diff->n_resources; i++)
        if (xds_resource_type_of(diff->resources[i].type) == XDS_TYPE_LISTENER &&
            diff->resources[i].name.data)
            for (unsigned c = 0; c < XDS_CLIENTS; c++)
                compare_listener(diff, c, &diff->resources[i]);
    for (const struct xds_snapshot_entry *e = now->first[XDS_TYPE_LISTENER]; e;
         e = e->next) {
        if (xds_snapshot_find(now, XDS_TYPE_LISTENER, e->name) != e)
            continue;
        for (unsigned c = 0; c < XDS_CLIENTS; c++)
            compare_routes(diff, &changed, c, e->name);
    }
}

/*
 * servers.c - servers that stop serving: their listener is removed, or no longer of use.
 *
 * Source: gRFC A36.
 */
#include "diff/diff.h"

/* The listener of a server, as the client of this side uses it; NULL: none. */
static const struct xds_listener *listener_of(const struct xds_diff *diff,
                                              enum xds_side side, struct xds_slice name,
                                              const char **why)
{
    const struct xds_diff_side *s = &diff->side[side];
    const struct xds_snapshot_entry *entry =
        xds_snapshot_used(&s->check->snapshot, s->client, XDS_TYPE_LISTENER, name);
    const unsigned bit = XDS_CLIENT_BIT(s->client);

    *why = NULL;
    if (!entry)
        *why = "removed";
    else if (entry->killing & bit)
        *why = "kills the server";
    else if (entry->nacked_by & bit)
        *why = "rejected";
    const struct xds_listener *listener = *why ? NULL : entry->model;

    return listener && !listener->is_api_listener && listener->has_filter_chains
               ? listener
               : NULL;
}

static void compare(struct xds_diff *diff, struct xds_slice name)
{
    const char *why;
    const struct xds_listener *old = listener_of(diff, XDS_SIDE_OLD, name, &why);

    if (!old)
        return;
    const struct xds_listener *now = listener_of(diff, XDS_SIDE_NEW, name, &why);

    if (now && xds_slice_eq(now->address, old->address))
        return;
    if (now)
        why = "for another address";
    else if (!why)
        why = "no longer for servers";
    diff->servers = xds_arena_room(&diff->arena, diff->servers, diff->n_servers,
                                   &diff->server_cap, sizeof *diff->servers);
    diff->servers[diff->n_servers++] =
        (struct xds_server_change){name, old->address, why};
}

void xds_diff_servers(struct xds_diff *diff)
{
    const struct xds_snapshot *old = &diff->side[XDS_SIDE_OLD].check->snapshot;

    for (const struct xds_snapshot_entry *e = old->first[XDS_TYPE_LISTENER]; e;
         e = e->next)
        if (xds_snapshot_find(old, XDS_TYPE_LISTENER, e->name) == e)
            compare(diff, e->name);
}

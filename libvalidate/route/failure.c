/*
 * failure.c - word the failure of an RPC as the selected client does.
 *
 * Source: spec routing 2.7, 11 and 13, spec cluster 3; the texts of the clients
 *         themselves. Where the documents name no text, grfc speaks as core.
 */
#include "route/route.h"

/* The name is between the two parts, where there is a second one. */
struct wording {
    const char *before, *after;
};

static const struct wording wordings[][XDS_CLIENTS] = {
    [XDS_FAILURE_NO_VIRTUAL_HOST] =
        {
            [XDS_CLIENT_CORE] = {"could not find VirtualHost for ",
                                 " in RouteConfiguration"},
            [XDS_CLIENT_GO] = {"could not find VirtualHost for \"", "\""},
            [XDS_CLIENT_JAVA] = {"Failed to find virtual host matching hostname: ", ""},
            [XDS_CLIENT_NODE] = {"No matching route found for ", ""},
        },
    [XDS_FAILURE_NO_ROUTE] =
        {
            [XDS_CLIENT_CORE] = {"No matching route found in xDS route config", NULL},
            [XDS_CLIENT_GO] = {"no matched route was found", NULL},
            [XDS_CLIENT_JAVA] = {"Could not find xDS route matching RPC", NULL},
            [XDS_CLIENT_NODE] = {"Failed to route call to method \"", "\""},
        },
    [XDS_FAILURE_ACTION] =
        {
            [XDS_CLIENT_CORE] = {"Matching route has inappropriate action", NULL},
            [XDS_CLIENT_GO] = {"matched route does not have a supported route action "
                               "type",
                               NULL},
            [XDS_CLIENT_JAVA] = {"Could not route RPC to Route with non-forwarding "
                                 "action",
                                 NULL},
            [XDS_CLIENT_NODE] = {"Failed to route call to method \"", "\""},
        },
    [XDS_FAILURE_DROP] =
        {
            [XDS_CLIENT_CORE] = {"EDS-configured drop: ", ""},
            [XDS_CLIENT_GO] = {"RPC is dropped", NULL},
            [XDS_CLIENT_JAVA] = {"Dropped: ", ""},
            [XDS_CLIENT_NODE] = {"Call dropped by load balancing policy. Category: ", ""},
        },
};

struct xds_slice xds_failure_text(const struct xds_rpc *rpc, enum xds_failure failure,
                                  struct xds_slice name)
{
    const enum xds_client as = xds_client_as(rpc->client);
    const struct wording *w =
        &wordings[failure][as == XDS_CLIENT_GRFC ? XDS_CLIENT_CORE : as];

    if (!w->after)
        return xds_slice_of(w->before);
    return xds_arena_printf(rpc->arena, "%s%.*s%s", w->before, XDS_FMT(name), w->after);
}

bool xds_speaks_as_core(enum xds_client client)
{
    return !xds_newest_differs(client, XDS_DIFF_STATUS_TEXTS_OF_ITS_OWN);
}

struct xds_slice xds_failure_resource(const struct xds_rpc *rpc,
                                      const struct xds_snapshot *snapshot,
                                      enum xds_resource_type type, struct xds_slice name,
                                      const char *clause)
{
    static const struct {
        const char *service, *words;
    } types[] = {
        [XDS_TYPE_LISTENER] = {"LDS", "LDS resource"},
        [XDS_TYPE_ROUTE] = {"RDS", "RDS resource"},
        [XDS_TYPE_CLUSTER] = {"CDS", "cluster"},
        [XDS_TYPE_ENDPOINT] = {"EDS", "EDS resource"},
    };
    /* A dump may say that it was rejected without what was. */
    const struct xds_held *held = xds_snapshot_held(snapshot, type, name);
    const bool is_there = xds_snapshot_find(snapshot, type, name);
    const bool is_rejected = !is_there && held && held->status == XDS_HELD_NACKED;

    if (!xds_speaks_as_core(rpc->client))
        return xds_arena_printf(
            rpc->arena, "%s %.*s %s", types[type].words, XDS_FMT(name),
            is_rejected ? "is rejected by this client (NACK), and none is in use"
                        : clause);
    return xds_arena_printf(
        rpc->arena, "%s resource %.*s: %s", types[type].service, XDS_FMT(name),
        is_there || is_rejected ? "invalid resource" : "does not exist");
}

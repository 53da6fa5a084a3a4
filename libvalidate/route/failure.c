/*
 * failure.c - word the failure of an RPC as the selected client does.
 *
 * Source: catalogue/status_<client>.def. Where the documents name no text, grfc speaks as
 *         core.
 */
#include "route/route.h"

/* The client and release in whose words this one speaks. */
static struct xds_client_release speaker(const struct xds_rpc *rpc)
{
    struct xds_client_release who = xds_asked(rpc->options, rpc->client);

    who.client = xds_client_as(who.client);
    if (who.client == XDS_CLIENT_GRFC)
        who = (struct xds_client_release){.client = XDS_CLIENT_CORE};
    return who;
}

struct xds_slice xds_failure_text(const struct xds_rpc *rpc, enum xds_failure failure,
                                  struct xds_slice name)
{
    return xds_status_words(rpc->arena, failure, speaker(rpc), name);
}

bool xds_speaks_as_core(const struct xds_rpc *rpc)
{
    return !XDS_DIFFERS(rpc, XDS_DIFF_STATUS_TEXTS_OF_ITS_OWN);
}

/* What a client says of a resource that it was not given. */
static const enum xds_failure missing[] = {
    [XDS_TYPE_LISTENER] = XDS_FAILURE_LISTENER_MISSING,
    [XDS_TYPE_ROUTE] = XDS_FAILURE_ROUTES_MISSING,
    [XDS_TYPE_CLUSTER] = XDS_FAILURE_CLUSTER_MISSING,
    [XDS_TYPE_ENDPOINT] = XDS_FAILURE_ENDPOINTS_MISSING,
};

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

    if (!xds_speaks_as_core(rpc) && !is_there && !held) {
        const struct xds_slice words = xds_failure_text(rpc, missing[type], name);

        if (words.data)
            return words;
    }
    if (!xds_speaks_as_core(rpc) && is_rejected)
        return xds_arena_printf(rpc->arena,
                                "%s %.*s is rejected by %s (NACK), and none is in use",
                                types[type].words, XDS_FMT(name),
                                xds_asked_label(rpc->options, rpc->client).text);
    if (!xds_speaks_as_core(rpc))
        return xds_arena_printf(rpc->arena, "%s %.*s %s", types[type].words,
                                XDS_FMT(name), clause);
    return xds_arena_printf(
        rpc->arena, "%s resource %.*s: %s", types[type].service, XDS_FMT(name),
        is_there || is_rejected ? "invalid resource" : "does not exist");
}

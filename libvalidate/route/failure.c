/*
 * failure.c - word the failure of an RPC as the selected client does.
 *
 * Source: catalogue/status_<client>.def. The documents name no text: grfc speaks as core.
 */
#include "route/route.h"

/* In the words of the release; where these are not known in those of the newest one, or
 * of core. */
struct xds_slice xds_failure_words(struct xds_arena *arena,
                                   const struct xds_options *options,
                                   enum xds_client client, enum xds_failure failure,
                                   struct xds_slice name, struct xds_slice any)
{
    const enum xds_client as = xds_client_as(client);
    const struct xds_client_release speakers[] = {
        {as, options->release[client]}, {.client = as}, {.client = XDS_CLIENT_CORE}};
    struct xds_slice text = {NULL, 0};

    for (size_t i = 0; i < XDS_ARRAY_LEN(speakers) && !text.data; i++)
        text = xds_status_words(arena, failure, speakers[i], name, any);
    return text;
}

struct xds_slice xds_failure_text(const struct xds_rpc *rpc, enum xds_failure failure,
                                  struct xds_slice name)
{
    return xds_failure_words(rpc->arena, rpc->options, rpc->client, failure, name,
                             (struct xds_slice){NULL, 0});
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

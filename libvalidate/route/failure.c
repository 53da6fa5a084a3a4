/*
 * failure.c - word the failure of an RPC as the selected client does.
 *
 * Source: catalogue/status_<client>.def. The documents name no text: grfc speaks as core.
 */
#include "route/route.h"

/* In the words of the release; where these are not known in those of the newest one, or
 * of core. */
struct xds_failed xds_failure_words(struct xds_arena *arena,
                                    const struct xds_options *options,
                                    enum xds_client client, enum xds_failure failure,
                                    struct xds_slice name, struct xds_slice any)
{
    const enum xds_client as = xds_client_as(client);
    const struct xds_client_release speakers[] = {
        {as, options->release[client]}, {.client = as}, {.client = XDS_CLIENT_CORE}};
    struct xds_failed failed = {.reason = xds_failure_row(failure)};

    for (size_t i = 0; i < XDS_ARRAY_LEN(speakers) && !failed.text.data; i++)
        failed.text = xds_status_words(arena, failure, speakers[i], name, any);
    return failed;
}

struct xds_failed xds_failure_text(const struct xds_rpc *rpc, enum xds_failure failure,
                                   struct xds_slice name)
{
    return xds_failure_words(rpc->arena, rpc->options, rpc->client, failure, name,
                             (struct xds_slice){NULL, 0});
}

bool xds_speaks_as_core(const struct xds_rpc *rpc)
{
    return !XDS_DIFFERS(rpc, XDS_DIFF_STATUS_TEXTS_OF_ITS_OWN);
}

/* Why a client does not have a resource. */
static const struct absence {
    enum xds_failure missing, rejected;
} absences[] = {
    [XDS_TYPE_LISTENER] = {XDS_FAILURE_LISTENER_MISSING, XDS_FAILURE_LISTENER_REJECTED},
    [XDS_TYPE_ROUTE] = {XDS_FAILURE_ROUTES_MISSING, XDS_FAILURE_ROUTES_REJECTED},
    [XDS_TYPE_CLUSTER] = {XDS_FAILURE_CLUSTER_MISSING, XDS_FAILURE_CLUSTER_REJECTED},
    [XDS_TYPE_ENDPOINT] = {XDS_FAILURE_ENDPOINTS_MISSING, XDS_FAILURE_ENDPOINTS_REJECTED},
};

/* A dump may say that it was rejected without what was. */
static bool is_held_as_rejected(const struct xds_snapshot *snapshot,
                                enum xds_resource_type type, struct xds_slice name)
{
    const struct xds_held *held = xds_snapshot_held(snapshot, type, name);

    return held && held->status == XDS_HELD_NACKED;
}

const struct xds_rpc_failure *xds_absence_reason(const struct xds_snapshot *snapshot,
                                                 enum xds_resource_type type,
                                                 struct xds_slice name)
{
    const bool is_rejected = xds_snapshot_find(snapshot, type, name) ||
                             is_held_as_rejected(snapshot, type, name);

    return xds_failure_row(is_rejected ? absences[type].rejected
                                       : absences[type].missing);
}

struct xds_failed xds_failure_resource(const struct xds_rpc *rpc,
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
    const bool is_there = xds_snapshot_find(snapshot, type, name);
    const bool is_rejected = !is_there && is_held_as_rejected(snapshot, type, name);
    struct xds_failed failed = {.reason = xds_absence_reason(snapshot, type, name)};

    if (!xds_speaks_as_core(rpc) && !is_there &&
        !xds_snapshot_held(snapshot, type, name)) {
        const struct xds_failed known =
            xds_failure_text(rpc, absences[type].missing, name);

        if (known.text.data)
            return known;
    }
    if (!xds_speaks_as_core(rpc) && is_rejected)
        failed.text = xds_arena_printf(
            rpc->arena, "%s %.*s is rejected by %s (NACK), and none is in use",
            types[type].words, XDS_FMT(name),
            xds_asked_label(rpc->options, rpc->client).text);
    else if (!xds_speaks_as_core(rpc))
        failed.text = xds_arena_printf(rpc->arena, "%s %.*s %s", types[type].words,
                                       XDS_FMT(name), clause);
    else
        failed.text = xds_arena_printf(
            rpc->arena, "%s resource %.*s: %s", types[type].service, XDS_FMT(name),
            is_there || is_rejected ? "invalid resource" : "does not exist");
    return failed;
}

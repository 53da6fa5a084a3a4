/*
 * rpc.c - what an RPC is asked about: readings of its client, resources that the client
 *         accepts, questions that must stay open, text for reasons.
 *
 * Source: spec routing 1 to 5, spec listener 10.
 */
#include "route/route.h"

enum { EXCERPT_BYTES = 80 };

struct xds_slice xds_excerpt(struct xds_arena *arena, struct xds_slice text)
{
    const bool whole = text.len <= EXCERPT_BYTES;
    const struct xds_slice pieces[] = {XDS_S("\""),
                                       whole ? text : xds_slice_clip(text, EXCERPT_BYTES),
                                       whole ? XDS_S("\"") : XDS_S("...\"")};

    return xds_arena_join(arena, pieces, XDS_ARRAY_LEN(pieces));
}

void xds_rpc_undecided(const struct xds_rpc *rpc, struct xds_slice why)
{
    if (rpc->undecided && !rpc->undecided->data)
        *rpc->undecided = why;
}

bool xds_rpc_is_undecided(const struct xds_rpc *rpc)
{
    return rpc->undecided && rpc->undecided->data;
}

void xds_rpc_kills(const struct xds_rpc *rpc, const struct xds_rule *rule)
{
    if (rpc->killed_by && !*rpc->killed_by)
        *rpc->killed_by = rule;
}

/* Why a client does without what the snapshot has. */
static const char *const rejected[] = {
#define XDS_CLIENT(id, name, as, aliases, title, judged) "is rejected by " name " (NACK)",
#include "include/xdscope/clients.def"
};

static const char *const killed[] = {
#define XDS_CLIENT(id, name, as, aliases, title, judged)                                 \
    "kills " name " (CRASH), so nothing is used",
#include "include/xdscope/clients.def"
};

/* Of what the client of a dump uses, whatever is judged of it, not all has a model. */
static bool has_model(const struct xds_snapshot_entry *entry)
{
    const struct xds_cluster *cluster = entry->model;

    return entry->model &&
           !(entry->type == XDS_TYPE_CLUSTER && cluster->kind == XDS_CLUSTER_UNSUPPORTED);
}

const char *xds_rejection(const struct xds_snapshot *snapshot, enum xds_client client)
{
    return snapshot->without ? snapshot->without[client].rejected : rejected[client];
}

const void *xds_accepted(const struct xds_snapshot *snapshot, enum xds_client client,
                         enum xds_resource_type type, struct xds_slice name,
                         const char **why)
{
    const struct xds_snapshot_entry *entry =
        xds_snapshot_used(snapshot, client, type, name);
    const unsigned bit = XDS_CLIENT_BIT(client);
    const struct xds_without *without = snapshot->without;
    const char *reason = NULL;

    if (!entry)
        reason = "is not in the snapshot";
    else if (entry->killing & bit)
        reason = without ? without[client].killed : killed[client];
    else if (entry->nacked_by & ~entry->by_host & bit)
        reason = xds_rejection(snapshot, client);
    else if (!has_model(entry))
        reason = "is in use by this client, but cannot be read here";
    if (why && reason)
        *why = reason;
    return reason ? NULL : entry->model;
}

const struct xds_rule *xds_killed_by(const struct xds_snapshot *snapshot,
                                     enum xds_client client, enum xds_resource_type type,
                                     struct xds_slice name)
{
    const struct xds_snapshot_entry *entry =
        xds_snapshot_used(snapshot, client, type, name);

    return entry && (entry->killing & XDS_CLIENT_BIT(client)) ? entry->killed_by : NULL;
}

const struct xds_reading_row xds_readings[XDS_READINGS] = {
#define XDS_READING(id, clients, source, text) {XDS_DIFF_##id, text},
#include "clients/differences.def"
};

_Static_assert(XDS_READINGS <= 64, "a mask of readings is a uint64_t");

uint64_t xds_readings_of(const struct xds_options *options, enum xds_client client)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < XDS_READINGS; i++)
        if (xds_reads_as(options, client, (enum xds_reading)i))
            mask |= XDS_READING_BIT(i);
    return mask;
}

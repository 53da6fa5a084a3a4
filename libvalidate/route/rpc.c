/* rpc.c - text for reasons, and questions that must stay open. */
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

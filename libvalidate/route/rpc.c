/*
 * rpc.c - text for reasons, and questions that must stay open.
 *
 * Takes:  text from the snapshot or the request, of any length.
 * Gives:  text short enough for one line, in the decision's arena.
 */
#include "route/rpc.h"

enum { EXCERPT_BYTES = 80 };

struct xds_slice xds_excerpt(struct xds_arena *arena, struct xds_slice text)
{
    if (text.len <= EXCERPT_BYTES)
        return xds_arena_printf(arena, "\"%.*s\"", XDS_FMT(text));
    text = xds_slice_clip(text, EXCERPT_BYTES);
    return xds_arena_printf(arena, "\"%.*s...\"", XDS_FMT(text));
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

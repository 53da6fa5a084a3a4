/*
 * world.c - the assumed world: which subchannel is in which state.
 *
 * Takes:  the assumptions of the request.
 * Gives:  states by address. Without an assumption the endpoints of the priority in use
 *         are READY on their first address, and nothing else has a subchannel.
 * Source: spec routing 8.6.
 */
#include "lb/world.h"

void xds_lb_init(struct xds_lb *lb, const struct xds_rpc *rpc,
                 const struct xds_snapshot *snapshot)
{
    const struct xds_request *request = rpc->request;
    enum xds_assumed_state *states =
        XDS_NEW_ARRAY(rpc->arena, enum xds_assumed_state, request->n_assumptions);

    lb->rpc = rpc;
    lb->snapshot = snapshot;
    lb->memory = NULL;
    xds_strmap_init(&lb->states, rpc->arena);
    for (size_t i = 0; i < request->n_assumptions; i++) {
        states[i] = request->assumptions[i].state;
        *xds_strmap_at(&lb->states, request->assumptions[i].address) = &states[i];
    }
}

bool xds_lb_assumes(const struct xds_lb *lb, struct xds_slice address,
                    enum xds_assumed_state *state)
{
    const enum xds_assumed_state *found = xds_strmap_get(&lb->states, address);

    if (found)
        *state = *found;
    return found != NULL;
}

size_t xds_lb_connection(const struct xds_lb *lb, const struct xds_endpoint *endpoint,
                         enum xds_assumed_state *state)
{
    for (size_t i = 0; i < endpoint->n_addresses; i++) {
        if (!xds_lb_assumes(lb, endpoint->addresses[i], state))
            *state = XDS_ASSUME_READY;
        if (*state != XDS_ASSUME_TRANSIENT_FAILURE)
            return i;
    }
    *state = XDS_ASSUME_TRANSIENT_FAILURE;
    return 0;
}

struct xds_slice xds_address_list(struct xds_arena *arena,
                                  const struct xds_endpoint *endpoint, size_t first)
{
    size_t len = 0;

    for (size_t i = 0; i < endpoint->n_addresses; i++)
        len += endpoint->addresses[i].len + 1;
    char *text = xds_arena_alloc(arena, len + 1);
    size_t at = 0;

    for (size_t k = 0; k < endpoint->n_addresses; k++) {
        /* 0, 1, 2 ... with `first` moved to the front */
        const size_t i = k == 0 ? first : k <= first ? k - 1 : k;
        const struct xds_slice address = endpoint->addresses[i];

        if (k)
            text[at++] = ',';
        if (address.len)
            memcpy(text + at, address.data, address.len);
        at += address.len;
    }
    return xds_slice_make(text, at);
}

/* world.h - the connection states that a static answer assumes. */
#ifndef XDS_LB_WORLD_H
#define XDS_LB_WORLD_H

#include "base/strmap.h"
#include "model/endpoint.h"
#include "model/snapshot.h"
#include "route/rpc.h"

/* What one RPC may leave for the next: the same snapshot, client and options. */
struct xds_lb_memory {
    struct xds_arena arena;
    struct xds_strmap picks; /* struct xds_pick by what they depend on */
};

/* What all of lb/ works with for one RPC. */
struct xds_lb {
    const struct xds_rpc *rpc;
    const struct xds_snapshot *snapshot;
    struct xds_strmap states;     /* enum xds_assumed_state by address */
    struct xds_lb_memory *memory; /* NULL: nothing is kept */
};

void xds_lb_init(struct xds_lb *lb, const struct xds_rpc *rpc,
                 const struct xds_snapshot *snapshot);
/* False when the request says nothing about the address. */
bool xds_lb_assumes(const struct xds_lb *lb, struct xds_slice address,
                    enum xds_assumed_state *state);
/* The address of an endpoint in use that is connected or comes first to be, and its
 * state: what is not assumed is READY on the first address that has not failed. */
size_t xds_lb_connection(const struct xds_lb *lb, const struct xds_endpoint *endpoint,
                         enum xds_assumed_state *state);
/* The addresses of an endpoint, `first` in front, the others in order, comma between. */
struct xds_slice xds_address_list(struct xds_arena *arena,
                                  const struct xds_endpoint *endpoint, size_t first);

#endif

/* assumptions.h - the connection states that a static answer assumes. */
#ifndef XDS_LB_ASSUMPTIONS_H
#define XDS_LB_ASSUMPTIONS_H

#include "base/strmap.h"
#include "model/endpoint.h"
#include "model/snapshot.h"
#include "route/rpc.h"

/* What one RPC may leave for the next: the same snapshot, client and options. Nothing in
 * it depends on the RPC, so it grows with the snapshot alone. */
struct xds_lb_memory {
    struct xds_arena arena;
    struct xds_strmap picks;     /* struct xds_pick by what they depend on */
    struct xds_strmap failovers; /* struct xds_failover by cluster */
    struct xds_strmap endpoints; /* struct xds_endpoints of the client by model */
    struct xds_strmap balances;  /* struct xds_balance by cluster */
    struct xds_strmap maps;      /* addresses of an endpoints resource, by model */
    struct xds_strmap rings;     /* struct xds_host_ring by what it is made of */
    struct xds_strmap addresses; /* of the snapshot; filled when it is first asked */
};

void xds_lb_memory_init(struct xds_lb_memory *memory);
void xds_lb_memory_release(struct xds_lb_memory *memory);

/* What the running policies of a cluster have chosen. */
struct xds_live_priority {
    struct xds_slice leaf;
    uint32_t priority;
    enum xds_connectivity state; /* what the policy below the priority reports */
    bool chosen;
    struct xds_slice reason; /* a sentence */
};

struct xds_live_choice {
    const struct xds_live_priority *priorities; /* those that exist, in order */
    size_t n;
};

struct xds_pick_result;

/* A client whose policies run over time, in place of assumptions: an address has the
 * state of its subchannel, IDLE without one. */
struct xds_live {
    void *user;
    /* False: the client has no policies for this cluster. */
    bool (*choice)(void *user, struct xds_slice cluster, struct xds_live_choice *out);
    /* Does any policy of this leaf hold a subchannel to the address? */
    bool (*subchannel)(void *user, struct xds_slice leaf, struct xds_slice address,
                       enum xds_connectivity *state);
    /* What they have picked for this RPC; NULL: they were not asked, or chance decides.
     */
    const struct xds_pick_result *picked;
};

/* What all of lb/ works with for one RPC. */
struct xds_lb {
    const struct xds_rpc *rpc;
    const struct xds_snapshot *snapshot;
    struct xds_strmap states;     /* enum xds_connectivity by address */
    struct xds_lb_memory *memory; /* NULL: nothing is kept */
    const struct xds_live *live;  /* NULL: a static answer */
};

void xds_lb_init(struct xds_lb *lb, const struct xds_rpc *rpc,
                 const struct xds_snapshot *snapshot);
/* lb with the memory's arena, for what outlives the RPC: no random number can be drawn.
 * Without memory it is lb itself. */
struct xds_lb_kept {
    struct xds_rpc rpc;
    struct xds_random none;
    struct xds_lb lb;
};
const struct xds_lb *xds_lb_for_memory(const struct xds_lb *lb, struct xds_lb_kept *out);

/* False when the request says nothing about the address. */
bool xds_lb_assumes(const struct xds_lb *lb, struct xds_slice address,
                    enum xds_connectivity *state);
/* The same, or what is so without a word: READY, and IDLE of a client that runs. */
enum xds_connectivity xds_lb_state_of(const struct xds_lb *lb, struct xds_slice address);
/* Does the request say that it is connected? */
bool xds_lb_assumes_ready(const struct xds_lb *lb, struct xds_slice address);
/* The address of an endpoint in use that is connected or comes first to be, and its
 * state: what is not assumed is READY on the first address that has not failed. */
size_t xds_lb_connection(const struct xds_lb *lb, const struct xds_endpoint *endpoint,
                         enum xds_connectivity *state);
/* The number of assumed addresses that no endpoint of the snapshot has; *first is one of
 * them. */
size_t xds_lb_strangers(const struct xds_lb *lb, struct xds_slice *first);

/* A61: connection attempts take turns between the address families, beginning with that
 * of the first. Fills order with the indexes of addresses. False: they stay as they are.
 */
bool xds_interleave(const struct xds_slice *addresses, size_t n, size_t *order);
/* Are the addresses of one endpoint tried in turns (A61)? */
bool xds_lb_interleaves(const struct xds_lb *lb);
/* The addresses of an endpoint, `first` in front, the others in order, comma between. */
struct xds_slice xds_address_list(struct xds_arena *arena,
                                  const struct xds_endpoint *endpoint, size_t first);

#endif

/* rest_test.h - the policies at rest beside the static answer. */
#ifndef XDS_LB_REST_TEST_H
#define XDS_LB_REST_TEST_H

#include <math.h>

#include "lb/tree.h"

/* What the RPC is to the pickers, as the static answer has it. */
static inline struct xds_pick_call rest_call(const struct xds_pick *pick,
                                             const struct xds_session *session,
                                             struct xds_random *random)
{
    struct xds_pick_call call = {.random = random,
                                 .has_hash = pick->key.has_hash,
                                 .hash = pick->key.hash,
                                 .any_ready = pick->key.any_ready};

    if (session) {
        call.has_override = true;
        call.overridden = session->cookie.addresses;
        call.n_overridden = session->cookie.n_addresses;
    }
    return call;
}

static inline double rest_share(const struct xds_pick_shares *shares,
                                struct xds_slice address)
{
    double sum = 0;

    for (size_t i = 0; i < shares->n; i++)
        if (xds_slice_eq(shares->list[i].address, address))
            sum += shares->list[i].share.value;
    return sum;
}

static inline double pick_share(const struct xds_pick *pick, struct xds_slice address)
{
    double sum = 0;

    for (size_t i = 0; i < pick->n_hosts; i++)
        if (xds_slice_eq(xds_host_address_of(&pick->hosts[i]), address))
            sum += pick->hosts[i].probability;
    return sum;
}

static inline struct xds_slice rest_text(struct xds_arena *arena,
                                         const struct xds_pick_shares *s)
{
    struct xds_slice text = XDS_S("");

    for (size_t i = 0; i < s->n; i++)
        text = xds_arena_printf(
            arena, "%.*s%.*s %s %g; ", XDS_FMT(text), XDS_FMT(s->list[i].address),
            xds_connectivity_name(s->list[i].state), s->list[i].share.value);
    return text;
}

static inline struct xds_slice pick_text(struct xds_arena *arena,
                                         const struct xds_pick *p)
{
    struct xds_slice text = XDS_S("");

    for (size_t i = 0; i < p->n_hosts; i++)
        text = xds_arena_printf(arena, "%.*s%.*s %s %g; ", XDS_FMT(text),
                                XDS_FMT(xds_host_address_of(&p->hosts[i])),
                                xds_connectivity_name(p->hosts[i].state),
                                p->hosts[i].probability);
    return text;
}

/* What the static answer is known to lack. A pick_first that is assumed to have several
 * connections has none that is right. */
static inline bool rest_is_known(const struct xds_lb *lb, const struct xds_pick *pick,
                                 const struct xds_session *session)
{
    const struct xds_lb_policy *policy = pick->policy;
    size_t n_ready = 0;

    for (size_t i = 0; i < lb->rpc->request->n_assumptions; i++)
        n_ready += lb->rpc->request->assumptions[i].state == XDS_STATE_READY;
    if (!policy)
        return false;
    /* The override host policy of the last priority keeps its DRAINING endpoints. */
    if (session && pick->error.data && lb->rpc->client == XDS_CLIENT_GRFC)
        return true;
    /* The picker of weighted_target asks rings that fail, and they let RPCs wait. */
    if (policy->kind == XDS_LB_RING_HASH && policy->wrr_locality && pick->error.data)
        return true;
    /* Of its endpoints only one is connected; the static answer has them all connected.
     */
    return policy->kind == XDS_LB_PICK_FIRST &&
           (n_ready > 1 || pick->why == XDS_HOST_OVERRIDE ||
            (policy->wrr_locality && lb->rpc->request->n_assumptions > 0));
}

/* pick_first reports the state of the address whose turn it is, not of an endpoint, and
 * weighted_target IDLE if a target does not leave that. */
static inline bool rest_state_is_known(const struct xds_pick *pick,
                                       enum xds_connectivity is,
                                       enum xds_connectivity at_rest)
{
    return pick->policy && (pick->policy->kind == XDS_LB_PICK_FIRST ||
                            (pick->policy->wrr_locality && is == XDS_STATE_CONNECTING &&
                             at_rest == XDS_STATE_IDLE));
}

/* Absent: both say the same. What is refused has no host, and of an unknown policy
 * nothing is known. */
static inline struct xds_slice rest_difference(const struct xds_lb *lb,
                                               struct xds_slice cluster,
                                               const struct xds_session *session,
                                               const struct xds_pick *pick)
{
    struct xds_arena *arena = lb->rpc->arena;
    const struct xds_slice same = {NULL, 0};
    const struct xds_request *request = lb->rpc->request;
    struct xds_random random = {request->random, request->n_random, pick->drawn};
    bool differs = false;

    if (pick->refused || lb->live || (pick->policy && pick->policy->kind == XDS_LB_OTHER))
        return same;
    struct xds_rest *rest = xds_rest_new(lb, cluster, session != NULL);
    const struct xds_pick_call call = rest_call(pick, session, &random);
    const struct xds_pick_shares shares = xds_rest_shares(rest, &call);
    const struct xds_rest_used used = xds_rest_used(rest);
    const struct xds_tree_cluster *leaf = used.leaf;
    const uint32_t priority =
        used.priority ? used.priority->candidates.priority : UINT32_MAX;
    enum xds_connectivity state = used.state;

    for (size_t i = 0; i < shares.n; i++)
        differs |= fabs(shares.list[i].share.value) > 1e-12 &&
                   fabs(rest_share(&shares, shares.list[i].address) -
                        pick_share(pick, shares.list[i].address)) > 1e-9;
    for (size_t i = 0; i < pick->n_hosts; i++)
        differs |= fabs(rest_share(&shares, xds_host_address_of(&pick->hosts[i])) -
                        pick_share(pick, xds_host_address_of(&pick->hosts[i]))) > 1e-9;
    /* Of an address without a subchannel the static answer has the state of another. */
    const bool has_states = pick->why != XDS_HOST_OVERRIDE || !pick->waits;

    for (size_t i = 0; i < shares.n && has_states; i++)
        for (size_t k = 0; k < pick->n_hosts; k++)
            differs |= xds_slice_eq(shares.list[i].address,
                                    xds_host_address_of(&pick->hosts[k])) &&
                       shares.list[i].state != pick->hosts[k].state;
    if (leaf && pick->leaf)
        differs |= !xds_slice_eq(leaf->name, pick->leaf->name);
    if (pick->has_priority && pick->why != XDS_HOST_OVERRIDE)
        differs |= priority != pick->priority;
    for (size_t i = 0; i < pick->n_tries && used.priority; i++)
        if (pick->tries[i].chosen && pick->tries[i].priority == priority)
            state = pick->tries[i].state;
    differs |= state != used.state && !rest_state_is_known(pick, state, used.state);
    if (!differs || rest_is_known(lb, pick, session))
        return same;
    return xds_arena_printf(
        arena,
        "kind %d%s why %d waits %d, %zu assumed, %s %.*s: static %.*s p%u %s %.*s(%.*s), "
        "at rest %.*s p%u %s %.*s",
        pick->policy ? (int)pick->policy->kind : -1,
        pick->policy && pick->policy->wrr_locality ? " by locality" : "", (int)pick->why,
        pick->waits, request->n_assumptions, xds_client_name(lb->rpc->client),
        XDS_FMT(cluster), XDS_FMT(pick->leaf ? pick->leaf->name : XDS_S("-")),
        pick->priority, xds_connectivity_name(state), XDS_FMT(pick_text(arena, pick)),
        XDS_FMT(pick->error), XDS_FMT(leaf ? leaf->name : XDS_S("-")), priority,
        xds_connectivity_name(used.state), XDS_FMT(rest_text(arena, &shares)));
}

#endif

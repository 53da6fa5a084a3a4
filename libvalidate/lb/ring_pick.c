/*
 * ring_pick.c - walk the ring from the hash of a request by the endpoints' states.
 *
 * Source: gRFC A42, A61, A76, spec routing 9.4 and 9.5, R-e.
 */
#include "lb/lb.h"

#include <xxhash.h>

#include "base/ascii.h"
#include "clients/environment.h"
#include "clients/readers.h"
#include "route/metadata.h"

/* ---- the hash ---- */

/* Metadata has lower-case names, so a name that is not folded may never match. */
static struct xds_slice header_name(const struct xds_rpc *rpc, struct xds_slice name)
{
    char *folded = xds_arena_alloc(rpc->arena, name.len + 1);

    if (!xds_differs(rpc->options, rpc->client, XDS_DIFF_HASH_HEADER_FOLDED))
        return name;
    for (size_t i = 0; i < name.len; i++)
        folded[i] = xds_ascii_lower(name.data[i]);
    return xds_slice_make(folded, name.len);
}

struct xds_request_key xds_ring_key(const struct xds_lb *lb,
                                    const struct xds_lb_policy *policy,
                                    struct xds_request_key of_route)
{
    const struct xds_rpc *rpc = lb->rpc;
    struct xds_request_key key = {.own_header = true};
    struct xds_slice value;

    if (policy->kind != XDS_LB_RING_HASH || policy->request_hash_header.len == 0 ||
        !xds_env_on(rpc->options, XDS_ENV_RING_HASH_SET_REQUEST_HASH_KEY, rpc->client))
        return of_route;
    key.has_hash =
        xds_metadata_get(rpc, header_name(rpc, policy->request_hash_header), &value);
    if (key.has_hash) {
        key.hash = XXH64(value.len ? value.data : "", value.len, 0);
        return key;
    }
    /* The number that the user gives for a random hash serves here too. */
    key.any_ready = true;
    key.has_hash = rpc->request->has_hash;
    key.hash = rpc->request->hash;
    return key;
}

/* ---- the walk ---- */

/* The state that an endpoint needs at least. A request without its header takes the best
 * there is, so that it makes none connect while another is connected or connecting. */
static enum xds_connectivity least_state(const struct xds_ring_use *use)
{
    enum xds_connectivity least = XDS_STATE_IDLE;

    for (size_t i = 0; use->key.any_ready && i < use->group.n; i++)
        if (use->group.hosts[i].state > least)
            least = use->group.hosts[i].state;
    return least;
}

static const struct xds_host *host_at(const struct xds_ring_use *use, size_t entry)
{
    const struct xds_host_ring *r = use->ring;

    return &use->group.hosts[r->members[r->ring.entries[entry].member].host];
}

/* Before A61 the third endpoint and those after it were taken only when connected. */
static bool older_fails(const struct xds_ring_step *walk, size_t n)
{
    return n > 2 && walk[n - 1].taken && walk[n - 1].host->state != XDS_STATE_READY;
}

/* The usual case, at no cost but the search. */
static const struct xds_host *take_first(const struct xds_lb *lb,
                                         struct xds_ring_use *use)
{
    const struct xds_host *host = host_at(use, use->index);

    if (lb->rpc->request->ring) {
        struct xds_ring_step *step = XDS_NEW(lb->rpc->arena, struct xds_ring_step);
        *step = (struct xds_ring_step){use->index, host, true};
        use->walk = step;
        use->n_walk = 1;
    }
    return host;
}

const struct xds_host *xds_ring_walk(const struct xds_lb *lb, struct xds_ring_use *use)
{
    const struct xds_ring *ring = &use->ring->ring;
    const enum xds_connectivity least = least_state(use);
    size_t at = use->index = xds_ring_find(ring, use->key.hash);

    if (host_at(use, at)->state >= least)
        return take_first(lb, use);
    struct xds_ring_step *walk =
        XDS_NEW_ARRAY(lb->rpc->arena, struct xds_ring_step, use->ring->n_members);
    bool *met = XDS_NEW_ARRAY(lb->rpc->arena, bool, use->group.n);

    use->walk = walk;
    for (size_t i = 0; i < ring->n; i++, at = (at + 1) % ring->n) {
        const struct xds_host *host = host_at(use, at);
        bool *seen = &met[host - use->group.hosts];

        if (*seen)
            continue;
        *seen = true;
        walk[use->n_walk++] = (struct xds_ring_step){at, host, host->state >= least};
        if (!walk[use->n_walk - 1].taken)
            continue;
        use->older_fails = !use->key.any_ready && older_fails(walk, use->n_walk);
        return host;
    }
    return NULL;
}

/* ---- a random hash ---- */

static bool all_are_taken(const struct xds_ring_use *use, enum xds_connectivity least)
{
    for (size_t i = 0; i < use->group.n; i++)
        if (use->group.hosts[i].state < least)
            return false;
    return true;
}

/* Each arc leads to the first endpoint from there on that is taken. Two rounds backwards
 * know it for every entry. */
static void follow_arcs(const struct xds_ring_use *use, enum xds_connectivity least,
                        xds_u128 *hashes)
{
    const struct xds_ring *ring = &use->ring->ring;
    const struct xds_host *next = NULL;

    for (size_t k = 2 * ring->n; k-- > 0;) {
        const struct xds_host *here = host_at(use, k % ring->n);
        if (here->state >= least)
            next = here;
        if (k < ring->n && next)
            hashes[next - use->group.hosts] += xds_ring_arc(ring, k);
    }
}

void xds_ring_spread(const struct xds_lb *lb, const struct xds_ring_use *use,
                     struct xds_share all, struct xds_host *hosts)
{
    const struct xds_host_ring *r = use->ring;
    const enum xds_connectivity least = least_state(use);

    if (all_are_taken(use, least)) {
        for (size_t i = 0; i < r->n_members; i++)
            xds_host_give(&hosts[r->members[i].host],
                          xds_share_times(all, r->seats[i].share));
        return;
    }
    xds_u128 *hashes = XDS_NEW_ARRAY(lb->rpc->arena, xds_u128, use->group.n);

    follow_arcs(use, least, hashes);
    for (size_t i = 0; i < use->group.n; i++)
        xds_host_give(&hosts[i], xds_share_times(all, xds_ring_share(hashes[i])));
}

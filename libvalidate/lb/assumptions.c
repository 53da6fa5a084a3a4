/*
 * assumptions.c - the assumed world: which subchannel is in which state.
 *
 * Source: gRFC A61, spec routing 8.6 and 10.
 */
#include "lb/tree.h"

void xds_lb_memory_init(struct xds_lb_memory *memory)
{
    xds_arena_init(&memory->arena, 0);
    xds_strmap_init(&memory->picks, &memory->arena);
    xds_strmap_init(&memory->failovers[0], &memory->arena);
    xds_strmap_init(&memory->failovers[1], &memory->arena);
    xds_strmap_init(&memory->endpoints, &memory->arena);
    xds_strmap_init(&memory->balances, &memory->arena);
    xds_strmap_init(&memory->maps, &memory->arena);
    xds_strmap_init(&memory->rings, &memory->arena);
    xds_strmap_init(&memory->addresses, &memory->arena);
}

void xds_lb_memory_release(struct xds_lb_memory *memory)
{
    xds_arena_release(&memory->arena);
}

void xds_lb_init(struct xds_lb *lb, const struct xds_rpc *rpc,
                 const struct xds_snapshot *snapshot)
{
    const struct xds_request *request = rpc->request;
    enum xds_connectivity *states =
        XDS_NEW_ARRAY(rpc->arena, enum xds_connectivity, request->n_assumptions);

    lb->rpc = rpc;
    lb->snapshot = snapshot;
    lb->memory = NULL;
    lb->awaited = NULL;
    lb->live = request->live;
    xds_strmap_init(&lb->states, rpc->arena);
    for (size_t i = 0; i < request->n_assumptions; i++) {
        states[i] = request->assumptions[i].state;
        *xds_strmap_at(&lb->states, request->assumptions[i].address) = &states[i];
    }
}

const struct xds_lb *xds_lb_for_memory(const struct xds_lb *lb, struct xds_lb_kept *out)
{
    if (!lb->memory)
        return lb;
    out->none = (struct xds_random){NULL, 0, 0};
    out->rpc = *lb->rpc;
    out->rpc.random = &out->none;
    out->rpc.arena = &lb->memory->arena;
    out->lb = *lb;
    out->lb.rpc = &out->rpc;
    return &out->lb;
}

bool xds_lb_assumes(const struct xds_lb *lb, struct xds_slice address,
                    enum xds_connectivity *state)
{
    const enum xds_connectivity *found = xds_strmap_get(&lb->states, address);

    if (found)
        *state = *found;
    return found != NULL;
}

static bool any_assumption(const struct xds_lb *lb, const struct xds_endpoint *endpoint)
{
    enum xds_connectivity state;

    for (size_t i = 0; i < endpoint->n_addresses; i++)
        if (xds_lb_assumes(lb, endpoint->addresses[i], &state))
            return true;
    return false;
}

size_t xds_lb_connection(const struct xds_lb *lb, const struct xds_endpoint *endpoint,
                         enum xds_connectivity *state)
{
    const size_t n = endpoint->n_addresses;

    *state = XDS_STATE_READY;
    if (lb->states.n == 0 || !any_assumption(lb, endpoint))
        return 0;
    /* A connection that is there is kept, whatever is before it in the list. */
    for (size_t i = 0; i < n; i++)
        if (xds_lb_assumes(lb, endpoint->addresses[i], state) &&
            *state == XDS_STATE_READY)
            return i;
    size_t *order = XDS_NEW_ARRAY(lb->rpc->arena, size_t, n);
    const bool turns =
        xds_lb_interleaves(lb) && xds_interleave(endpoint->addresses, n, order);

    for (size_t k = 0; k < n; k++) {
        const size_t i = turns ? order[k] : k;

        *state = XDS_STATE_READY;
        (void)xds_lb_assumes(lb, endpoint->addresses[i], state);
        if (*state != XDS_STATE_TRANSIENT_FAILURE)
            return i;
    }
    return 0;
}

static void know(struct xds_strmap *known, struct xds_slice address)
{
    *xds_strmap_at(known, address) = known;
}

static void know_endpoints(struct xds_strmap *known, const struct xds_endpoints *e)
{
    for (size_t i = 0; i < e->n_localities; i++)
        for (size_t k = 0; k < e->localities[i].n_endpoints; k++)
            for (size_t a = 0; a < e->localities[i].endpoints[k].n_addresses; a++)
                know(known, e->localities[i].endpoints[k].addresses[a]);
}

size_t xds_lb_strangers(const struct xds_lb *lb, struct xds_slice *first)
{
    const struct xds_request *request = lb->rpc->request;
    struct xds_strmap here, *known = &here;
    size_t n = 0;

    if (request->n_assumptions == 0)
        return 0;
    xds_strmap_init(&here, lb->rpc->arena);
    if (lb->memory)
        known = &lb->memory->addresses;
    if (known->n == 0) {
        const struct xds_snapshot_entry *e;

        for (e = lb->snapshot->first[XDS_TYPE_ENDPOINT]; e; e = e->next)
            if (e->model)
                know_endpoints(known, e->model);
        for (e = lb->snapshot->first[XDS_TYPE_CLUSTER]; e; e = e->next) {
            const struct xds_cluster *cluster = e->model;
            if (cluster && cluster->kind == XDS_CLUSTER_LOGICAL_DNS &&
                cluster->dns_name.data)
                know(known, cluster->dns_name);
        }
    }
    for (size_t i = 0; i < request->n_assumptions; i++)
        if (!xds_strmap_get(known, request->assumptions[i].address) && n++ == 0)
            *first = request->assumptions[i].address;
    return n;
}

bool xds_lb_interleaves(const struct xds_lb *lb)
{
    return XDS_ENV_ON(lb->rpc, XDS_ENV_DUALSTACK_ENDPOINTS);
}

static bool is_v6(struct xds_slice address)
{
    return address.len > 0 && address.data[0] == '[';
}

/* The next index from `at` on of the family. */
static size_t next_of(const struct xds_slice *addresses, size_t n, size_t at, bool v6)
{
    while (at < n && is_v6(addresses[at]) != v6)
        at++;
    return at;
}

bool xds_interleave(const struct xds_slice *addresses, size_t n, size_t *order)
{
    if (n == 0)
        return false;
    bool v6 = is_v6(addresses[0]);
    size_t at[2] = {next_of(addresses, n, 0, false), next_of(addresses, n, 0, true)};

    if (at[!v6] == n) /* one family only */
        return false;
    for (size_t k = 0; k < n; k++) {
        if (at[v6] == n)
            v6 = !v6;
        order[k] = at[v6];
        at[v6] = next_of(addresses, n, at[v6] + 1, v6);
        v6 = !v6;
    }
    return true;
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

void xds_tree_view_init(struct xds_tree_view *view, const struct xds_tree_shared *shared)
{
    const struct xds_lb *lb = shared->at_rest;

    *view = (struct xds_tree_view){.rpc = {.client = shared->machine->client,
                                           .options = shared->machine->options,
                                           .arena = shared->machine->arena}};
    view->rpc.request = lb ? lb->rpc->request : &view->request;
    view->rpc.random = &view->none;
    if (lb)
        view->lb = *lb;
    else
        xds_lb_init(&view->lb, &view->rpc, shared->snapshot);
    view->lb.rpc = &view->rpc;
}

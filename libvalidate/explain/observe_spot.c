/*
 * observe_spot.c - find an address among the endpoints of a cluster.
 *
 * Takes:  a leaf cluster with its endpoints, an address as text.
 * Gives:  its places in the decision's arena, also those that no RPC is sent to. A
 *         LOGICAL_DNS cluster may resolve to any host: its port alone can exclude it.
 * Source: spec routing 10 and 12; gRFC A61.
 */
#include "explain/observe_spot.h"

#include "session/cookie.h"

static void add(struct xds_spots *spots, const struct xds_spot *spot)
{
    spots->list = xds_arena_room(spots->arena, spots->list, spots->n, &spots->cap,
                                 sizeof *spots->list);
    spots->list[spots->n++] = *spot;
}

/* Behind the last colon. */
static struct xds_slice port_of(struct xds_slice address)
{
    size_t at = address.len;

    while (at > 0 && address.data[at - 1] != ':')
        at--;
    return xds_slice_from(address, at);
}

static bool dns_may_give(struct xds_slice name, struct xds_slice address)
{
    return xds_is_ip_port(address) && xds_slice_eq(port_of(name), port_of(address));
}

static void look_at(struct xds_spots *spots, struct xds_spot spot,
                    struct xds_slice address)
{
    const bool dns = spot.leaf->cluster->kind == XDS_CLUSTER_LOGICAL_DNS;

    for (size_t i = 0; i < spot.endpoint->n_addresses; i++) {
        const struct xds_slice here = spot.endpoint->addresses[i];
        const bool same = xds_slice_eq(here, address);

        spot.address = i;
        spot.by_dns = !same && dns && dns_may_give(here, address);
        if (same || spot.by_dns)
            add(spots, &spot);
    }
}

static void look_through(struct xds_spots *spots, struct xds_spot spot,
                         const struct xds_locality *list, size_t n,
                         struct xds_slice address)
{
    for (size_t i = 0; i < n; i++) {
        spot.locality = &list[i];
        for (size_t k = 0; k < list[i].n_endpoints; k++) {
            spot.endpoint = &list[i].endpoints[k];
            look_at(spots, spot, address);
        }
    }
}

void xds_spots_add(struct xds_spots *spots, const struct xds_leaf *leaf,
                   size_t leaf_index, const struct xds_endpoints *endpoints,
                   struct xds_slice address)
{
    const struct xds_spot spot = {
        .leaf = leaf, .leaf_index = leaf_index, .endpoints = endpoints};

    look_through(spots, spot, endpoints->localities, endpoints->n_localities, address);
    look_through(spots, spot, endpoints->weightless, endpoints->n_weightless, address);
}

struct xds_slice xds_spot_address(const struct xds_spot *spot)
{
    return spot->endpoint->addresses[spot->address];
}

struct xds_slice xds_spot_text(struct xds_arena *arena, const struct xds_spot *spot)
{
    const struct xds_locality *l = spot->locality;
    const struct xds_slice parts[] = {l->region, l->zone, l->sub_zone};
    size_t n = XDS_ARRAY_LEN(parts);
    struct xds_slice text = xds_arena_printf(arena, "priority %u", l->priority);

    while (n > 0 && parts[n - 1].len == 0)
        n--;
    for (size_t i = 0; i < n; i++)
        text = xds_arena_printf(arena, "%.*s%s%.*s", XDS_FMT(text),
                                i > 0 ? "/" : ", locality ", XDS_FMT(parts[i]));
    return text;
}

size_t xds_endpoints_count(const struct xds_endpoints *endpoints)
{
    size_t n = 0;

    for (size_t i = 0; i < endpoints->n_localities; i++)
        n += endpoints->localities[i].n_endpoints;
    return n;
}

size_t xds_usable_count(const struct xds_endpoints *endpoints, uint32_t first,
                        uint32_t last)
{
    size_t n = 0;

    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *l = &endpoints->localities[i];
        if (l->priority < first || l->priority > last)
            continue;
        for (size_t k = 0; k < l->n_endpoints; k++)
            n += xds_endpoint_usable(&l->endpoints[k]);
    }
    return n;
}

/*
 * observe_place.c - find an address among the endpoints of a cluster.
 *
 * Source: spec routing 10 and 12; gRFC A61.
 */
#include "explain/observe_place.h"

#include "session/session.h"

static void add(struct xds_address_places *places, const struct xds_address_place *place)
{
    places->list = xds_arena_room(places->arena, places->list, places->n, &places->cap,
                                  sizeof *places->list);
    places->list[places->n++] = *place;
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

static void look_at(struct xds_address_places *places, struct xds_address_place place,
                    struct xds_slice address)
{
    const bool dns = place.leaf->cluster->kind == XDS_CLUSTER_LOGICAL_DNS;

    for (size_t i = 0; i < place.endpoint->n_addresses; i++) {
        const struct xds_slice here = place.endpoint->addresses[i];
        const bool same = xds_slice_eq(here, address);

        place.address = i;
        place.by_dns = !same && dns && dns_may_give(here, address);
        if (same || place.by_dns)
            add(places, &place);
    }
}

static void look_through(struct xds_address_places *places,
                         struct xds_address_place place, const struct xds_locality *list,
                         size_t n, struct xds_slice address)
{
    for (size_t i = 0; i < n; i++) {
        place.locality = &list[i];
        for (size_t k = 0; k < list[i].n_endpoints; k++) {
            place.endpoint = &list[i].endpoints[k];
            look_at(places, place, address);
        }
    }
}

void xds_address_places_add(struct xds_address_places *places,
                            const struct xds_leaf *leaf, size_t leaf_index,
                            const struct xds_endpoints *endpoints,
                            struct xds_slice address)
{
    const struct xds_address_place place = {
        .leaf = leaf, .leaf_index = leaf_index, .endpoints = endpoints};

    look_through(places, place, endpoints->localities, endpoints->n_localities, address);
    look_through(places, place, endpoints->weightless, endpoints->n_weightless, address);
}

struct xds_slice xds_address_place_address(const struct xds_address_place *place)
{
    return place->endpoint->addresses[place->address];
}

struct xds_slice xds_address_place_text(struct xds_arena *arena,
                                        const struct xds_address_place *place)
{
    const struct xds_locality *l = place->locality;
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

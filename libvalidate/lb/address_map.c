/*
 * address_map.c - the order of a HashMap of address groups, and the text of an address.
 *
 * The hash of a group follows from its addresses alone, so the order is the same in every
 * run. Rings are made in it, and it decides where their rounding falls.
 *
 * Source: JDK 17: InetSocketAddress, Inet4Address, Inet6Address, AbstractList, HashMap;
 *         grpc-java EquivalentAddressGroup, RingHashLoadBalancer; spec routing 9.1, R-b,
 *         R-c.
 */
#include "lb/address_map.h"

#include <stdlib.h>

#include "lb/address_order.h"

/* ---- text ---- */

struct xds_slice xds_socket_text(struct xds_arena *arena, struct xds_slice address)
{
    struct xds_ip ip;
    unsigned group[8];

    if (!xds_ip_read(address, &ip))
        return xds_arena_concat(arena, XDS_S("/"), address);
    const unsigned char *b = ip.bytes;

    if (ip.n == 4)
        return xds_arena_printf(arena, "/%u.%u.%u.%u:%u", b[0], b[1], b[2], b[3],
                                (unsigned)ip.port);
    for (size_t i = 0; i < XDS_ARRAY_LEN(group); i++)
        group[i] = (unsigned)b[2 * i] << 8 | b[2 * i + 1];
    return xds_arena_printf(arena, "/[%x:%x:%x:%x:%x:%x:%x:%x]:%u", group[0], group[1],
                            group[2], group[3], group[4], group[5], group[6], group[7],
                            (unsigned)ip.port);
}

/* ---- hash codes, which overflow as numbers of 32 bits do ---- */

/* Those of IPv6 have a sign. */
static uint32_t byte_of(const struct xds_ip *ip, size_t i)
{
    const uint32_t byte = ip->bytes[i];

    return ip->n == 16 && byte >= 0x80 ? byte - 0x100 : byte;
}

/* The sum of the words. */
static uint32_t hash_of_ip(const struct xds_ip *ip)
{
    uint32_t hash = 0;

    for (size_t i = 0; i < ip->n; i += 4) {
        uint32_t word = 0;

        for (size_t k = i; k < i + 4; k++)
            word = (word << 8) + byte_of(ip, k);
        hash += word;
    }
    return hash;
}

static uint32_t hash_of(const struct xds_endpoint *endpoint)
{
    uint32_t hash = 1;

    for (size_t i = 0; i < endpoint->n_addresses; i++) {
        struct xds_ip ip;
        uint32_t one = 0;

        if (xds_ip_read(endpoint->addresses[i], &ip))
            one = hash_of_ip(&ip) + ip.port;
        hash = 31 * hash + one;
    }
    return hash ^ hash >> 16;
}

/* ---- the map ---- */

struct place {
    uint32_t bucket;
    size_t index;
};

static int compare(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    if (a->bucket != b->bucket)
        return a->bucket < b->bucket ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* It has 16 buckets, and twice as many whenever it is three quarters full. Of one bucket
 * the order is that in which they were put in. */
const size_t *xds_address_map_order(struct xds_arena *arena,
                                    const struct xds_endpoint *const *endpoints, size_t n)
{
    struct place *places = XDS_NEW_ARRAY(arena, struct place, n);
    size_t *order = XDS_NEW_ARRAY(arena, size_t, n);
    size_t buckets = 16;

    while (n > buckets / 4 * 3)
        buckets *= 2;
    for (size_t i = 0; i < n; i++)
        places[i] = (struct place){hash_of(endpoints[i]) & (uint32_t)(buckets - 1), i};
    if (n)
        qsort(places, n, sizeof(*places), compare);
    for (size_t i = 0; i < n; i++)
        order[i] = places[i].index;
    return order;
}

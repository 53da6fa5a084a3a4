/*
 * addresses.c - the orders in which clients keep endpoints: that of a HashMap of address
 *               groups, which decides where the rounding of a ring falls, and C-core's by
 *               sets of addresses.
 *
 * Source: JDK 17: InetSocketAddress, Inet4Address, Inet6Address, AbstractList, HashMap;
 *         grpc-java EquivalentAddressGroup, RingHashLoadBalancer; C-core's
 *         EndpointAddressSet and ResolvedAddressLessThan; spec routing 9.1, 9.6, R-b,
 *         R-c.
 */
#include "lb/lb.h"

#include <arpa/inet.h>
#include <stdlib.h>

#include "base/order.h"

struct ip {
    unsigned char bytes[16];
    size_t n; /* of them: 4 or 16 */
    uint16_t port;
};

/* Of "1.2.3.4:80" or "[::1]:80"; false: it is none. */
static bool read_ip(struct xds_slice address, struct ip *out)
{
    char text[INET6_ADDRSTRLEN];
    uint64_t port;
    size_t colon = address.len;

    while (colon > 0 && address.data[colon - 1] != ':')
        colon--;
    if (colon < 2 || !xds_slice_to_u64(xds_slice_from(address, colon), &port) ||
        port > UINT16_MAX)
        return false;
    struct xds_slice host = xds_slice_make(address.data, colon - 1);

    if (host.len > 2 && host.data[0] == '[' && host.data[host.len - 1] == ']')
        host = xds_slice_make(host.data + 1, host.len - 2);
    if (host.len >= sizeof(text))
        return false;
    memcpy(text, host.data, host.len);
    text[host.len] = '\0';
    out->port = (uint16_t)port;
    out->n = 4;
    if (inet_pton(AF_INET, text, out->bytes) == 1)
        return true;
    out->n = 16;
    return inet_pton(AF_INET6, text, out->bytes) == 1;
}

struct xds_slice xds_socket_text(struct xds_arena *arena, struct xds_slice address)
{
    struct ip ip;
    unsigned group[8];

    if (!read_ip(address, &ip))
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

/* Those of IPv6 have a sign. */
static uint32_t byte_of(const struct ip *ip, size_t i)
{
    const uint32_t byte = ip->bytes[i];

    return ip->n == 16 && byte >= 0x80 ? byte - 0x100 : byte;
}

/* The sum of the words. */
static uint32_t hash_of_ip(const struct ip *ip)
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
        struct ip ip;
        uint32_t one = 0;

        if (read_ip(endpoint->addresses[i], &ip))
            one = hash_of_ip(&ip) + ip.port;
        hash = 31 * hash + one;
    }
    return hash ^ hash >> 16;
}

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

/* First byte of a key; it also tells how many follow. */
enum family { FAMILY_V4, FAMILY_V6, FAMILY_OTHER };

static struct xds_slice key_of(struct xds_arena *arena, struct xds_slice address)
{
    struct ip ip;
    unsigned char key[3 + sizeof(ip.bytes)];

    if (!read_ip(address, &ip))
        return xds_arena_printf(arena, "%c%.*s%c", FAMILY_OTHER, XDS_FMT(address), 0);
    key[0] = ip.n == 4 ? FAMILY_V4 : FAMILY_V6;
    key[1] = (unsigned char)(ip.port >> 8);
    key[2] = (unsigned char)ip.port;
    memcpy(key + 3, ip.bytes, ip.n);
    return xds_arena_dup(arena, xds_slice_make((const char *)key, 3 + ip.n));
}

struct xds_slice xds_address_set_order(struct xds_arena *arena,
                                       const struct xds_endpoint *endpoint)
{
    const size_t n = endpoint->n_addresses;
    struct xds_slice *keys = XDS_NEW_ARRAY(arena, struct xds_slice, n);
    struct xds_slice all = {"", 0};

    for (size_t i = 0; i < n; i++)
        keys[i] = key_of(arena, endpoint->addresses[i]);
    if (n)
        qsort(keys, n, sizeof(*keys), xds_slice_order);
    for (size_t i = 0; i < n; i++)
        all = xds_arena_concat(arena, all, keys[i]);
    return all;
}

struct xds_slice xds_address_set_text(struct xds_arena *arena,
                                      const struct xds_endpoint *endpoint)
{
    const size_t n = endpoint->n_addresses;

    if (n == 1)
        return endpoint->addresses[0];
    struct xds_slice *sorted = XDS_NEW_ARRAY(arena, struct xds_slice, n);
    const struct xds_endpoint as_set = {.addresses = sorted, .n_addresses = n};

    memcpy(sorted, endpoint->addresses, n * sizeof(*sorted));
    qsort(sorted, n, sizeof(*sorted), xds_slice_order);
    return xds_address_list(arena, &as_set, 0);
}

/*
 * address_order.c - from the addresses of an endpoint to a key that sorts as C-core does.
 *
 * Source: C-core's EndpointAddressSet and ResolvedAddressLessThan, spec routing 9.6.
 */
#include "lb/address_order.h"

#include <arpa/inet.h>
#include <stdlib.h>

/* First byte of a key; it also tells how many follow. */
enum family { FAMILY_V4, FAMILY_V6, FAMILY_OTHER };

/* The text of an IP address, NUL after it. */
struct ip_text {
    char text[INET6_ADDRSTRLEN];
    uint64_t port;
};

static bool split(struct xds_slice address, struct ip_text *out)
{
    size_t colon = address.len;

    while (colon > 0 && address.data[colon - 1] != ':')
        colon--;
    if (colon < 2 || !xds_slice_to_u64(xds_slice_from(address, colon), &out->port) ||
        out->port > UINT16_MAX)
        return false;
    struct xds_slice host = xds_slice_make(address.data, colon - 1);

    if (host.len > 2 && host.data[0] == '[' && host.data[host.len - 1] == ']')
        host = xds_slice_make(host.data + 1, host.len - 2);
    if (host.len >= sizeof(out->text))
        return false;
    memcpy(out->text, host.data, host.len);
    out->text[host.len] = '\0';
    return true;
}

bool xds_ip_read(struct xds_slice address, struct xds_ip *out)
{
    struct ip_text ip;

    if (!split(address, &ip))
        return false;
    out->port = (uint16_t)ip.port;
    out->n = 4;
    if (inet_pton(AF_INET, ip.text, out->bytes) == 1)
        return true;
    out->n = 16;
    return inet_pton(AF_INET6, ip.text, out->bytes) == 1;
}

static struct xds_slice key_of(struct xds_arena *arena, struct xds_slice address)
{
    struct xds_ip ip;
    unsigned char key[3 + sizeof(ip.bytes)];

    if (!xds_ip_read(address, &ip))
        return xds_arena_printf(arena, "%c%.*s%c", FAMILY_OTHER, XDS_FMT(address), 0);
    key[0] = ip.n == 4 ? FAMILY_V4 : FAMILY_V6;
    key[1] = (unsigned char)(ip.port >> 8);
    key[2] = (unsigned char)ip.port;
    memcpy(key + 3, ip.bytes, ip.n);
    return xds_arena_dup(arena, xds_slice_make((const char *)key, 3 + ip.n));
}

static int compare(const void *left, const void *right)
{
    const struct xds_slice *a = left, *b = right;

    return xds_slice_cmp(*a, *b);
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
        qsort(keys, n, sizeof(*keys), compare);
    for (size_t i = 0; i < n; i++)
        all = xds_arena_concat(arena, all, keys[i]);
    return all;
}

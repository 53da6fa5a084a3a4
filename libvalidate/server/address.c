/*
 * address.c - the addresses of connections, and the ranges that hold them.
 *
 * Source: gRFC A36, A41.
 */
#include "server/server.h"

#include <arpa/inet.h>

#define MAPPED_BYTES 12 /* ::ffff:0:0/96 holds the IPv4 addresses */

static const unsigned char mapped[MAPPED_BYTES] = {[10] = 0xff, [11] = 0xff};

static bool read_ip(struct xds_slice host, struct xds_ip *out)
{
    char text[INET6_ADDRSTRLEN];

    *out = (struct xds_ip){.family = 4};
    if (!host.data || host.len == 0 || host.len >= sizeof text)
        return false;
    memcpy(text, host.data, host.len);
    text[host.len] = '\0';
    if (inet_pton(AF_INET, text, out->bytes) == 1)
        return true;
    out->family = 6;
    return inet_pton(AF_INET6, text, out->bytes) == 1;
}

static bool read_port(struct xds_slice text, uint16_t *port)
{
    uint64_t number;

    if (!xds_slice_to_u64(text, &number) || number > UINT16_MAX)
        return false;
    *port = (uint16_t)number;
    return true;
}

bool xds_socket_read(struct xds_slice text, struct xds_socket *out)
{
    struct xds_slice host = text;
    size_t end = xds_slice_find(text, ':');

    *out = (struct xds_socket){.text = text};
    if (xds_slice_starts(text, XDS_S("["))) {
        end = xds_slice_find(text, ']') + 1;
        if (end > text.len)
            return false;
        host = xds_slice_make(text.data + 1, end - 2);
    } else if (end < text.len &&
               xds_slice_find(xds_slice_from(text, end + 1), ':') == text.len - end - 1)
        host = xds_slice_make(text.data, end);
    else
        end = text.len; /* IPv6 without brackets has no port */
    if (end < text.len &&
        (text.data[end] != ':' || !read_port(xds_slice_from(text, end + 1), &out->port)))
        return false;
    return read_ip(host, &out->ip);
}

bool xds_ip_is_wildcard(const struct xds_ip *ip)
{
    static const unsigned char zero[sizeof ip->bytes];

    return memcmp(ip->bytes, zero, sizeof zero) == 0;
}

bool xds_ip_equal(const struct xds_ip *a, const struct xds_ip *b)
{
    return a->family == b->family && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

bool xds_cidr_contains(const struct xds_cidr *cidr, const struct xds_ip *ip)
{
    const uint32_t bits = ip->family == 4 ? 32 : 128;
    const uint32_t len = cidr->prefix_len < bits ? cidr->prefix_len : bits;
    const uint32_t whole = len / 8;
    const unsigned char rest = (unsigned char)(0xff00U >> (len % 8));

    return cidr->family == ip->family && memcmp(cidr->ip, ip->bytes, whole) == 0 &&
           (len % 8 == 0 || (cidr->ip[whole] & rest) == (ip->bytes[whole] & rest));
}

struct xds_ip xds_ip_unmapped(struct xds_ip ip)
{
    struct xds_ip v4 = {.family = 4};

    if (ip.family != 6 || memcmp(ip.bytes, mapped, sizeof mapped) != 0)
        return ip;
    memcpy(v4.bytes, ip.bytes + MAPPED_BYTES, 4);
    return v4;
}

struct xds_ip xds_ip_mapped(struct xds_ip ip)
{
    struct xds_ip v6 = {.family = 6};

    if (ip.family != 4)
        return ip;
    memcpy(v6.bytes, mapped, sizeof mapped);
    memcpy(v6.bytes + MAPPED_BYTES, ip.bytes, 4);
    return v6;
}

bool xds_ip_kills(const struct xds_rpc *rpc, unsigned family, const struct xds_ip *ip)
{
    return family == 6 && ip->family == 6 && xds_ip_unmapped(*ip).family == 4 &&
           XDS_DIFFERS(rpc, XDS_DIFF_SERVER_PEERS_MAPPED);
}

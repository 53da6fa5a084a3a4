/*
 * cookie.c - the session-affinity cookie: header, base64, grammar.
 *
 * Fails:  on what is not base64, or empty: as if there were no cookie.
 * Source: gRFC A55, A60, A61, spec routing 5.3 to 5.5, C-a to C-e.
 */
#include "session/cookie.h"

#include "base/ascii.h"
#include "route/metadata.h"
#include "route/readings.h"
#include "session/base64.h"

/* ---- the Cookie header ---- */

/* *value is absent where there is no '='. */
static bool has_name(struct xds_slice part, struct xds_slice name,
                     struct xds_slice *value)
{
    struct xds_slice head;

    *value = xds_slice_cut(part, '=', &head);
    return xds_slice_eq(head, name);
}

/* C-core: split on "; " exactly; names are not trimmed, and one without '=' has the empty
 * value. */
static bool find_exact(struct xds_slice header, struct xds_slice name,
                       struct xds_slice *value)
{
    while (true) {
        const size_t end = xds_slice_search(header, XDS_S("; "));
        const size_t len = end > header.len ? header.len : end;

        if (has_name(xds_slice_make(header.data, len), name, value)) {
            if (!value->data)
                *value = XDS_S("");
            return true;
        }
        if (len == header.len)
            return false;
        header = xds_slice_from(header, len + 2);
    }
}

static struct xds_slice skip_blanks(struct xds_slice s)
{
    while (s.len && xds_ascii_blank(s.data[0]))
        s = xds_slice_from(s, 1);
    return s;
}

/* RFC 6265: split on ';', blanks in front of a name do not count, and what has no '=' is
 * no cookie. */
static bool find_lenient(struct xds_slice header, struct xds_slice name,
                         struct xds_slice *value)
{
    while (header.data) {
        struct xds_slice part;

        header = xds_slice_cut(header, ';', &part);
        if (has_name(skip_blanks(part), name, value) && value->data)
            return true;
    }
    return false;
}

static bool find_in_all(const struct xds_rpc *rpc, struct xds_slice name,
                        struct xds_slice *value)
{
    struct xds_slice header;

    for (size_t i = 0; xds_metadata_nth(rpc, XDS_S("cookie"), i, &header); i++)
        if (find_lenient(header, name, value))
            return true;
    return false;
}

bool xds_cookie_find(const struct xds_rpc *rpc, struct xds_slice name,
                     struct xds_slice *value, bool *tolerant)
{
    struct xds_slice joined;
    const bool there = find_in_all(rpc, name, value);

    *tolerant = false;
    if (xds_reads(rpc, XDS_READS_COOKIE_IN_ANY_HEADER))
        return there;
    if (xds_metadata_get(rpc, XDS_S("cookie"), &joined) &&
        find_exact(joined, name, value))
        return true;
    *tolerant = there;
    return false;
}

/* ---- the clear text ---- */

/* A60 spells the cluster 'cluster:NAME' in its example and '"NAME"' in its code. */
static struct xds_slice plain_cluster(struct xds_slice cluster)
{
    if (xds_slice_starts(cluster, XDS_S("cluster:")))
        cluster = xds_slice_from(cluster, strlen("cluster:"));
    if (cluster.len >= 2 && xds_slice_starts(cluster, XDS_S("\"")) &&
        xds_slice_ends(cluster, XDS_S("\"")))
        return xds_slice_make(cluster.data + 1, cluster.len - 2);
    return cluster;
}

static size_t count(struct xds_slice s, char c)
{
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++)
        n += s.data[i] == c;
    return n;
}

struct xds_cookie xds_cookie_parse(const struct xds_rpc *rpc, struct xds_slice clear)
{
    struct xds_cookie cookie = {.n_addresses = 0};

    cookie.cluster = xds_slice_cut(clear, ';', &cookie.list);
    if (cookie.cluster.data && xds_reads(rpc, XDS_READS_COOKIE_CLUSTER_SPELLINGS))
        cookie.cluster = plain_cluster(cookie.cluster);

    const size_t most = count(cookie.list, ',') + 1;
    struct xds_slice *addresses = XDS_NEW_ARRAY(rpc->arena, struct xds_slice, most);
    struct xds_slice rest = cookie.list;

    while (cookie.list.len && rest.data)
        rest = xds_slice_cut(rest, ',', &addresses[cookie.n_addresses++]);
    cookie.addresses = addresses;
    return cookie;
}

static bool is_ipv4(struct xds_slice s)
{
    for (int parts = 0; parts < 4; parts++) {
        struct xds_slice part;
        uint64_t n;

        s = xds_slice_cut(s, '.', &part);
        if (part.len > 3 || !xds_slice_to_u64(part, &n) || n > 255 ||
            (s.data != NULL) != (parts < 3))
            return false;
    }
    return true;
}

static bool is_ipv6_text(struct xds_slice s)
{
    for (size_t i = 0; i < s.len; i++) {
        const char c = xds_ascii_lower(s.data[i]);
        if (!xds_ascii_digit(c) && !(c >= 'a' && c <= 'f') && c != ':' && c != '.')
            return false;
    }
    return count(s, ':') >= 2;
}

/* The port after ':' or "]:"; absent when there is none. */
static struct xds_slice split_port(struct xds_slice text, struct xds_slice *host)
{
    if (text.len == 0 || text.data[0] != '[')
        return xds_slice_cut(text, ':', host);

    const struct xds_slice rest = xds_slice_cut(xds_slice_from(text, 1), ']', host);
    if (rest.len == 0 || rest.data[0] != ':')
        return xds_slice_make(NULL, 0);
    return xds_slice_from(rest, 1);
}

bool xds_is_ip_port(struct xds_slice text)
{
    struct xds_slice host;
    const struct xds_slice port = split_port(text, &host);
    uint64_t number;

    if (!port.data || !xds_slice_to_u64(port, &number) || number > 65535)
        return false;
    return text.data[0] == '[' ? is_ipv6_text(host) : is_ipv4(host);
}

/* ---- public ---- */

bool xds_cookie_decode(struct xds_slice value, char *buffer, size_t size, size_t *len)
{
    return xds_base64_decode(value, buffer, size, len) && *len > 0;
}

/* The i-th byte of "addresses;cluster". */
static char clear_byte(struct xds_slice addresses, struct xds_slice cluster, size_t i)
{
    if (i < addresses.len)
        return addresses.data[i];
    return i == addresses.len ? ';' : cluster.data[i - addresses.len - 1];
}

size_t xds_cookie_encode(struct xds_slice addresses, struct xds_slice cluster,
                         char *buffer, size_t size)
{
    const size_t len = addresses.len + (cluster.data ? 1 + cluster.len : 0);
    size_t out = 0;

    for (size_t i = 0; i < len; i += 3) {
        char group[3];
        size_t n = 0;

        while (n < sizeof(group) && i + n < len) {
            group[n] = clear_byte(addresses, cluster, i + n);
            n++;
        }
        out +=
            xds_base64_encode(xds_slice_make(group, n), out < size ? buffer + out : NULL,
                              out < size ? size - out : 0);
    }
    return out;
}

/*
 * target_uri.c - find the resolver of a gRPC target, and check whether it accepts it.
 *
 * Source: gRPC naming (doc/naming.md), RFC 3986 3.4 and 3.5, spec G86; C-core's own
 *         parser is laxer than the RFC and takes any byte in authority and path.
 */
#include "rules/target_uri.h"

#include "base/ascii.h"
#include "rules/address.h"

/* Bytes of sockaddr_un.sun_path, but for the NUL. */
#define MAX_UNIX_PATH 107

struct uri {
    struct xds_slice scheme, authority, path; /* path is decoded */
};

/* ---- the parts of a URI ---- */

static bool contains_only(struct xds_slice s, const char *also)
{
    for (size_t i = 0; i < s.len; i++)
        if (!xds_ascii_alpha(s.data[i]) && !xds_ascii_digit(s.data[i]) &&
            !strchr(also, s.data[i]))
            return false;
    return true;
}

/* The part of s in front of the first of the stop bytes; *s becomes the rest. */
static struct xds_slice take_until(struct xds_slice *s, const char *stops)
{
    size_t n = 0;

    while (n < s->len && !strchr(stops, s->data[n]))
        n++;
    const struct xds_slice part = xds_slice_make(s->data, n);

    *s = xds_slice_from(*s, n);
    return part;
}

static bool take_prefix(struct xds_slice *s, struct xds_slice prefix)
{
    if (!xds_slice_starts(*s, prefix))
        return false;
    *s = xds_slice_from(*s, prefix.len);
    return true;
}

static int hex_value(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = strchr(digits, xds_ascii_lower(c));

    return at ? (int)(at - digits) : -1;
}

/* A '%' that two hexadecimal digits do not follow stays as it is. */
static struct xds_slice percent_decode(struct xds_arena *arena, struct xds_slice s)
{
    char *out = xds_arena_alloc(arena, s.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++) {
        const bool escaped = s.data[i] == '%' && i + 2 < s.len &&
                             hex_value(s.data[i + 1]) >= 0 &&
                             hex_value(s.data[i + 2]) >= 0;

        out[n++] = escaped
                       ? (char)(hex_value(s.data[i + 1]) * 16 + hex_value(s.data[i + 2]))
                       : s.data[i];
        i += escaped ? 2 : 0;
    }
    return xds_slice_make(out, n);
}

static bool parse_uri(struct xds_arena *arena, struct xds_slice text, struct uri *uri)
{
    static const char query_marks[] = "?/:@\\-._~!$&'()*+,;=%";

    uri->scheme = take_until(&text, ":");
    if (uri->scheme.len == 0 || !xds_ascii_alpha(uri->scheme.data[0]) ||
        !contains_only(uri->scheme, "+-.") || !take_prefix(&text, XDS_S(":")))
        return false;
    uri->authority = XDS_S("");
    if (take_prefix(&text, XDS_S("//")))
        uri->authority = take_until(&text, "/?#");
    uri->path = percent_decode(arena, take_until(&text, "?#"));
    if (take_prefix(&text, XDS_S("?"))) {
        const struct xds_slice query = take_until(&text, "#");

        if (query.len == 0 || !contains_only(query, query_marks))
            return false;
    }
    return !take_prefix(&text, XDS_S("#")) || contains_only(text, query_marks);
}

/* ---- what a resolver accepts ---- */

static struct xds_slice without_slash(struct xds_slice path)
{
    take_prefix(&path, XDS_S("/"));
    return path;
}

/* "1.2.3.4:5" or "[::1]:5"; false without a port. */
static bool split_port(struct xds_slice text, struct xds_slice *host,
                       struct xds_slice *port)
{
    const bool brackets = take_prefix(&text, XDS_S("["));

    *host = take_until(&text, brackets ? "]" : ":");
    if (brackets && !take_prefix(&text, XDS_S("]")))
        return false;
    *port = text;
    return take_prefix(port, XDS_S(":")) &&
           (brackets ? xds_slice_find(*host, ':') < host->len
                     : xds_slice_find(*port, ':') == port->len);
}

/* Read with scanf: a space and a sign may come before the number, anything after it. */
static bool port_fits(struct xds_slice text)
{
    unsigned value = 0;
    size_t i = 0;

    while (i < text.len && xds_ascii_blank(text.data[i]))
        i++;
    const bool negative = i < text.len && text.data[i] == '-';

    i += i < text.len && (text.data[i] == '-' || text.data[i] == '+');
    const size_t first = i;

    for (; i < text.len && xds_ascii_digit(text.data[i]) && value <= XDS_MAX_PORT; i++)
        value = value * 10 + (unsigned)(text.data[i] - '0');
    return i > first && value <= XDS_MAX_PORT && (!negative || value == 0);
}

static bool is_socket_address(struct xds_slice text, uint32_t family)
{
    struct xds_slice host, port, literal;
    struct xds_sockaddr address;

    if (!split_port(without_slash(text), &host, &port) || !port_fits(port))
        return false;
    /* Which zones there are depends on the machine. */
    const struct xds_slice zone = xds_slice_cut(host, '%', &literal);

    if (zone.data && (zone.len == 0 || family == 4))
        return false;
    return xds_sockaddr_parse(literal, 0, &address) && address.family == family;
}

enum target {
    A_HOST,
    A_SERVICE,
    NO_AUTHORITY,
    UNIX_PATHS,
    IPV4_ADDRESSES,
    IPV6_ADDRESSES,
};

/* Every part between commas; empty ones are skipped. */
static bool lists_only(const struct uri *uri, enum target target)
{
    struct xds_slice rest = uri->path;

    while (rest.len > 0) {
        const struct xds_slice part = take_until(&rest, ",");
        const bool fits =
            target == UNIX_PATHS
                ? part.len <= MAX_UNIX_PATH
                : part.len == 0 ||
                      is_socket_address(part, target == IPV4_ADDRESSES ? 4 : 6);

        if (!fits)
            return false;
        take_prefix(&rest, XDS_S(","));
    }
    return uri->authority.len == 0;
}

static bool takes(enum target target, const struct uri *uri)
{
    switch (target) {
    case A_HOST:
        return without_slash(uri->path).len > 0;
    case A_SERVICE:
        return uri->path.len > 0 && uri->path.data[uri->path.len - 1] != '/';
    case NO_AUTHORITY:
        return uri->authority.len == 0;
    case UNIX_PATHS:
    case IPV4_ADDRESSES:
    case IPV6_ADDRESSES:
        break;
    }
    return lists_only(uri, target);
}

/* ---- the resolvers ---- */

static const struct resolver {
    const char *scheme; /* case counts */
    enum target target;
} resolvers[] = {
    {"dns", A_HOST},
    {"google-c2p", NO_AUTHORITY},
    {"google-c2p-experimental", NO_AUTHORITY},
    {"ipv4", IPV4_ADDRESSES},
    {"ipv6", IPV6_ADDRESSES},
    {"unix", UNIX_PATHS},
    {"unix-abstract", UNIX_PATHS},
    {"xds", A_SERVICE},
};

static const struct resolver *resolver_of(struct xds_arena *arena, struct xds_slice text,
                                          struct uri *uri)
{
    if (!parse_uri(arena, text, uri))
        return NULL;
    for (size_t i = 0; i < XDS_ARRAY_LEN(resolvers); i++)
        if (xds_slice_is(uri->scheme, resolvers[i].scheme))
            return &resolvers[i];
    return NULL;
}

bool xds_target_uri_valid(struct xds_arena *arena, const char *target)
{
    struct uri uri;
    const struct resolver *resolver = resolver_of(arena, xds_slice_of(target), &uri);

    if (!resolver)
        resolver = resolver_of(arena, xds_arena_printf(arena, "dns:///%s", target), &uri);
    return resolver && takes(resolver->target, &uri);
}

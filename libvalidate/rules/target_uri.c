/*
 * target_uri.c - find the resolver of a gRPC target, and check whether it accepts it.
 *
 * Source: gRPC naming (doc/naming.md), spec G86, CP10.
 */
#include "rules/target_uri.h"

#include "base/ascii.h"
#include "rules/address.h"
#include "rules/uri.h"

/* Bytes of sockaddr_un.sun_path, but for the NUL. */
#define MAX_UNIX_PATH 107

/* ---- what a resolver accepts ---- */

static struct xds_slice without_slash(struct xds_slice path)
{
    xds_uri_prefix(&path, XDS_S("/"));
    return path;
}

/* "1.2.3.4:5" or "[::1]:5"; false without a port. */
static bool split_port(struct xds_slice text, struct xds_slice *host,
                       struct xds_slice *port)
{
    const bool brackets = xds_uri_prefix(&text, XDS_S("["));

    *host = xds_uri_until(&text, brackets ? "]" : ":");
    if (brackets && !xds_uri_prefix(&text, XDS_S("]")))
        return false;
    *port = text;
    return xds_uri_prefix(port, XDS_S(":")) &&
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
static bool lists_only(const struct xds_uri *uri, enum target target)
{
    struct xds_slice rest = uri->path;

    while (rest.len > 0) {
        const struct xds_slice part = xds_uri_until(&rest, ",");
        const bool fits =
            target == UNIX_PATHS
                ? part.len <= MAX_UNIX_PATH
                : part.len == 0 ||
                      is_socket_address(part, target == IPV4_ADDRESSES ? 4 : 6);

        if (!fits)
            return false;
        xds_uri_prefix(&rest, XDS_S(","));
    }
    return uri->authority.len == 0;
}

static bool takes(enum target target, const struct xds_uri *uri)
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
                                          struct xds_uri *uri)
{
    if (!xds_uri_lax(arena, text, uri))
        return NULL;
    for (size_t i = 0; i < XDS_ARRAY_LEN(resolvers); i++)
        if (xds_slice_is(uri->scheme, resolvers[i].scheme))
            return &resolvers[i];
    return NULL;
}

bool xds_target_uri_valid(struct xds_arena *arena, const char *target)
{
    struct xds_uri uri;
    const struct resolver *resolver = resolver_of(arena, xds_slice_of(target), &uri);

    if (!resolver)
        resolver = resolver_of(arena, xds_arena_printf(arena, "dns:///%s", target), &uri);
    return resolver && takes(resolver->target, &uri);
}

/* ---- the other clients ---- */

static bool is_listed(struct xds_slice scheme, size_t n, const char *const schemes[])
{
    for (size_t i = 0; i < n; i++)
        if (xds_slice_eq_fold(scheme, xds_slice_of(schemes[i])))
            return true;
    return false;
}

bool xds_target_java_resolves(struct xds_arena *arena, struct xds_slice target)
{
    static const char *const schemes[] = {"dns", "unix", "xds"};
    struct xds_uri uri;

    return xds_uri_java(arena, target, &uri) &&
           (uri.scheme.len == 0 ||
            is_listed(uri.scheme, XDS_ARRAY_LEN(schemes), schemes));
}

static const char *const go_schemes[] = {"dns", "passthrough", "unix", "unix-abstract",
                                         "xds"};

static bool go_parses_with_default(struct xds_arena *arena, struct xds_slice target)
{
    struct xds_uri uri;

    return xds_uri_go(
        arena, xds_arena_printf(arena, "passthrough:///%.*s", XDS_FMT(target)), &uri);
}

bool xds_target_go_dials(struct xds_arena *arena, struct xds_slice target)
{
    struct xds_uri uri;

    return target.len > 0 &&
           ((xds_uri_go(arena, target, &uri) &&
             is_listed(uri.scheme, XDS_ARRAY_LEN(go_schemes), go_schemes)) ||
            go_parses_with_default(arena, target));
}

bool xds_target_go_names_scheme(struct xds_arena *arena, struct xds_slice target)
{
    struct xds_uri uri;

    if (!xds_uri_go(arena, target, &uri))
        return go_parses_with_default(arena, target);
    return uri.scheme.len == 0 ||
           is_listed(uri.scheme, XDS_ARRAY_LEN(go_schemes), go_schemes);
}

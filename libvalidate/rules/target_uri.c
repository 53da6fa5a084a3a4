/*
 * target_uri.c - find the resolver of a gRPC target, and ask whether it takes it.
 *
 * Takes:  a target as a user writes it: "dns:///a:443", "a:443", "ipv4:10.0.0.1:80".
 * Gives:  true when C-core would make a channel for it.
 * Source: gRPC naming (doc/naming.md), RFC 3986 3.4 and 3.5, spec G86; C-core's own
 *         parser is laxer than the RFC and takes any byte in authority and path.
 */
#include "rules/target_uri.h"

#include "base/ascii.h"
#include "rules/address.h"

/* Bytes of sockaddr_un.sun_path, but for the NUL. */
#define MAX_UNIX_PATH 107
#define MAX_PORT 65535

struct uri {
    struct xds_slice scheme, authority, path; /* path is decoded */
};

/* ---- the parts of a URI ----------------------------------------------------------- */

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

/* ---- what each resolver asks for -------------------------------------------------- */

static struct xds_slice without_slash(struct xds_slice path)
{
    take_prefix(&path, XDS_S("/"));
    return path;
}

static bool names_a_host(const struct uri *uri)
{
    return without_slash(uri->path).len > 0;
}

static bool names_a_service(const struct uri *uri)
{
    return uri->path.len > 0 && uri->path.data[uri->path.len - 1] != '/';
}

static bool has_no_authority(const struct uri *uri)
{
    return uri->authority.len == 0;
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

/* Read with scanf: space and a sign may stand before the number, anything behind it. */
static bool port_fits(struct xds_slice text)
{
    unsigned value = 0;
    size_t i = 0;

    while (i < text.len && xds_ascii_blank(text.data[i]))
        i++;
    const bool negative = i < text.len && text.data[i] == '-';

    i += i < text.len && (text.data[i] == '-' || text.data[i] == '+');
    const size_t first = i;

    for (; i < text.len && xds_ascii_digit(text.data[i]) && value <= MAX_PORT; i++)
        value = value * 10 + (unsigned)(text.data[i] - '0');
    return i > first && value <= MAX_PORT && (!negative || value == 0);
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

static bool is_ipv4_address(struct xds_slice text)
{
    return is_socket_address(text, 4);
}

static bool is_ipv6_address(struct xds_slice text)
{
    return is_socket_address(text, 6);
}

static bool is_unix_path(struct xds_slice text)
{
    return text.len <= MAX_UNIX_PATH;
}

/* Every part between commas; empty ones are skipped. */
static bool lists_only(const struct uri *uri, bool (*is_address)(struct xds_slice))
{
    struct xds_slice rest = uri->path;

    while (rest.len > 0) {
        const struct xds_slice part = take_until(&rest, ",");

        if (part.len > 0 && !is_address(part))
            return false;
        take_prefix(&rest, XDS_S(","));
    }
    return uri->authority.len == 0;
}

static bool lists_ipv4(const struct uri *uri)
{
    return lists_only(uri, is_ipv4_address);
}

static bool lists_ipv6(const struct uri *uri)
{
    return lists_only(uri, is_ipv6_address);
}

static bool lists_paths(const struct uri *uri)
{
    return lists_only(uri, is_unix_path);
}

/* ---- the resolvers ---------------------------------------------------------------- */

static const struct resolver {
    const char *scheme; /* case counts */
    bool (*takes)(const struct uri *uri);
} resolvers[] = {
    {"dns", names_a_host},
    {"google-c2p", has_no_authority},
    {"google-c2p-experimental", has_no_authority},
    {"ipv4", lists_ipv4},
    {"ipv6", lists_ipv6},
    {"unix", lists_paths},
    {"unix-abstract", lists_paths},
    {"xds", names_a_service},
};

static const struct resolver *find_resolver(struct xds_slice scheme)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(resolvers); i++)
        if (xds_slice_is(scheme, resolvers[i].scheme))
            return &resolvers[i];
    return NULL;
}

static const struct resolver *resolver_of(struct xds_arena *arena, struct xds_slice text,
                                          struct uri *uri)
{
    return parse_uri(arena, text, uri) ? find_resolver(uri->scheme) : NULL;
}

bool xds_target_uri_valid(struct xds_arena *arena, const char *target)
{
    struct uri uri;
    const struct resolver *resolver = resolver_of(arena, xds_slice_of(target), &uri);

    if (!resolver)
        resolver = resolver_of(arena, xds_arena_printf(arena, "dns:///%s", target), &uri);
    return resolver && resolver->takes(&uri);
}

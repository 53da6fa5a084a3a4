/*
 * target_uri.c - the parsers of URIs that clients use; the resolver of a gRPC target, and
 * whether it accepts it.
 *
 * Source: RFC 3986; C-core uri_parser.cc; java.net.URI of Java 17; Go net/url; vscode-uri
 * 3; gRPC naming (doc/naming.md); spec G8, G86, CP10.
 */
#include "base/ascii.h"
#include "rules/inner.h"

/* ---- URIs ---- */

static bool one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c);
}

static bool contains_only(struct xds_slice s, const char *also)
{
    for (size_t i = 0; i < s.len; i++)
        if (!xds_ascii_alpha(s.data[i]) && !xds_ascii_digit(s.data[i]) &&
            !one_of(s.data[i], also))
            return false;
    return true;
}

/* The part of s in front of the first of the stop bytes; *s becomes the rest. */
static struct xds_slice uri_until(struct xds_slice *s, const char *stops)
{
    size_t n = 0;

    while (n < s->len && !one_of(s->data[n], stops))
        n++;
    const struct xds_slice part = xds_slice_make(s->data, n);

    *s = xds_slice_from(*s, n);
    return part;
}

/* Does s begin so? *s becomes the rest. */
static bool uri_prefix(struct xds_slice *s, struct xds_slice prefix)
{
    if (!xds_slice_starts(*s, prefix))
        return false;
    *s = xds_slice_from(*s, prefix.len);
    return true;
}

static int hex_value(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c == '\0' ? NULL : strchr(digits, xds_ascii_lower(c));

    return at ? (int)(at - digits) : -1;
}

/* "%41" at s[i]. */
static bool is_escape(struct xds_slice s, size_t i)
{
    return s.data[i] == '%' && i + 2 < s.len && hex_value(s.data[i + 1]) >= 0 &&
           hex_value(s.data[i + 2]) >= 0;
}

/* A '%' that two hexadecimal digits do not follow stays as it is. */
static struct xds_slice percent_decode(struct xds_arena *arena, struct xds_slice s)
{
    char *out = xds_arena_alloc(arena, s.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++) {
        const bool escaped = is_escape(s, i);

        out[n++] = escaped
                       ? (char)(hex_value(s.data[i + 1]) * 16 + hex_value(s.data[i + 2]))
                       : s.data[i];
        i += escaped ? 2 : 0;
    }
    return xds_slice_make(out, n);
}

/* A letter, then letters, digits, '+', '-' and '.'. */
static bool is_scheme(struct xds_slice s)
{
    return s.len > 0 && xds_ascii_alpha(s.data[0]) && contains_only(s, "+-.");
}

/* ---- C-core ---- */

bool xds_uri_lax(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri)
{
    static const char query_marks[] = "?/:@\\-._~!$&'()*+,;=%";

    *uri = (struct xds_uri){XDS_S(""), XDS_S(""), XDS_S("")};
    uri->scheme = uri_until(&text, ":");
    if (!is_scheme(uri->scheme) || !uri_prefix(&text, XDS_S(":")))
        return false;
    if (uri_prefix(&text, XDS_S("//")))
        uri->authority = uri_until(&text, "/?#");
    uri->path = percent_decode(arena, uri_until(&text, "?#"));
    if (uri_prefix(&text, XDS_S("?"))) {
        const struct xds_slice query = uri_until(&text, "#");

        if (query.len == 0 || !contains_only(query, query_marks))
            return false;
    }
    return !uri_prefix(&text, XDS_S("#")) || contains_only(text, query_marks);
}

/* ---- java.net.URI ---- */

#define UNRESERVED "_-!.~'()*"
#define OF_PATH UNRESERVED ":@&=+$,;/"
#define OF_QUERY UNRESERVED ";/?:@&=+$,[]"
#define OF_AUTHORITY UNRESERVED "$,;:@&=+"

/* Characters beyond ASCII are legal but for controls and blanks, which UTF-8 begins with
 * these bytes: U+0080 to U+00A0, U+2000 to U+200A, U+2028, U+2029 and the like. XDS_NUL
 * is not beyond it. */
static bool is_other(struct xds_slice s, size_t i)
{
    const unsigned char c = (unsigned char)s.data[i];
    const unsigned char next = i + 1 < s.len ? (unsigned char)s.data[i + 1] : 0;
    const unsigned char third = i + 2 < s.len ? (unsigned char)s.data[i + 2] : 0;

    if (c < 0x80 || c == 0xc0)
        return false;
    if (c == 0xc2)
        return next > 0xa0;
    if (c == 0xe1)
        return !(next == 0x9a && third == 0x80);
    if (c == 0xe2 && next == 0x80)
        return !(third <= 0x8a || third == 0xa8 || third == 0xa9 || third == 0xaf);
    if (c == 0xe2)
        return !(next == 0x81 && third == 0x9f);
    return !(c == 0xe3 && next == 0x80 && third == 0x80);
}

static bool is_legal(struct xds_slice s, const char *also)
{
    for (size_t i = 0; i < s.len; i++) {
        const bool escaped = is_escape(s, i);

        if (!escaped && !xds_ascii_alpha(s.data[i]) && !xds_ascii_digit(s.data[i]) &&
            !one_of(s.data[i], also) && !is_other(s, i))
            return false;
        i += escaped ? 2 : 0;
    }
    return true;
}

/* "[...]" holds an IPv6 address; no other authority has brackets. */
static bool is_authority(struct xds_slice s)
{
    struct xds_slice rest = s;

    (void)uri_until(&rest, "@");
    if (!uri_prefix(&rest, XDS_S("@")))
        rest = s;
    if (!uri_prefix(&rest, XDS_S("[")))
        return is_legal(s, OF_AUTHORITY);

    const struct xds_slice host = uri_until(&rest, "]");

    return xds_slice_find(host, ':') < host.len && contains_only(host, ":.%") &&
           uri_prefix(&rest, XDS_S("]")) &&
           (rest.len == 0 || (uri_prefix(&rest, XDS_S(":")) && contains_only(rest, "")));
}

bool xds_uri_java(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri)
{
    struct xds_slice rest = text, path, query;

    *uri = (struct xds_uri){XDS_S(""), XDS_S(""), XDS_S("")};

    const struct xds_slice first = uri_until(&rest, ":/?#");

    if (uri_prefix(&rest, XDS_S(":"))) {
        if (!is_scheme(first))
            return false;
        uri->scheme = first;
        text = rest;
    }
    if (uri->scheme.len > 0 && !xds_slice_starts(text, XDS_S("/"))) {
        const struct xds_slice opaque = uri_until(&text, "#");

        return opaque.len > 0 && is_legal(opaque, OF_QUERY) &&
               (!uri_prefix(&text, XDS_S("#")) || is_legal(text, OF_QUERY));
    }
    if (uri_prefix(&text, XDS_S("//"))) {
        uri->authority = uri_until(&text, "/?#");
        if (uri->authority.len == 0 && text.len == 0)
            return false;
        if (!is_authority(uri->authority))
            return false;
    }
    path = uri_until(&text, "?#");
    uri->path = percent_decode(arena, path);
    query = uri_prefix(&text, XDS_S("?")) ? uri_until(&text, "#") : XDS_S("");
    return is_legal(path, OF_PATH) && is_legal(query, OF_QUERY) &&
           (!uri_prefix(&text, XDS_S("#")) || is_legal(text, OF_QUERY));
}

/* ---- Go ---- */

static bool has_bad_escape(struct xds_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.data[i] == '%' && !is_escape(s, i))
            return true;
    return false;
}

/* False for ":x"; without a scheme *text is left as it is. */
static bool take_go_scheme(struct xds_slice *text, struct xds_slice *scheme)
{
    struct xds_slice rest = *text;
    const struct xds_slice first = uri_until(&rest, ":");

    if (rest.len == 0 || !is_scheme(first))
        return first.len > 0 || rest.len == 0;
    *scheme = first;
    *text = xds_slice_from(rest, 1);
    return true;
}

/* Of ASCII only the % of a zone may be written so. */
static bool is_go_escape(struct xds_slice s, size_t i)
{
    return is_escape(s, i) && (hex_value(s.data[i + 1]) >= 8 ||
                               xds_slice_starts(xds_slice_from(s, i), XDS_S("%25")));
}

static bool is_go_authority(struct xds_slice s)
{
    struct xds_slice rest = s, host;

    (void)uri_until(&rest, "@");
    if (!uri_prefix(&rest, XDS_S("@")))
        rest = s;
    for (size_t i = 0; i < rest.len; i++)
        if ((rest.data[i] == '%' && !is_go_escape(rest, i)) ||
            one_of(rest.data[i], " \"<>\\^`{|}"))
            return false;
    host = uri_until(&rest, xds_slice_starts(rest, XDS_S("[")) ? "]" : ":");
    if (xds_slice_starts(host, XDS_S("[")) && !uri_prefix(&rest, XDS_S("]")))
        return false;
    if (!uri_prefix(&rest, XDS_S(":")))
        return rest.len == 0;
    for (size_t i = 0; i < rest.len; i++)
        if (!xds_ascii_digit(rest.data[i]))
            return false;
    return true;
}

/* A byte that only a control character has, XDS_NUL included. */
static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f || (unsigned char)c == 0xC0;
}

bool xds_uri_go(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri)
{
    struct xds_slice before, rest;

    *uri = (struct xds_uri){XDS_S(""), XDS_S(""), XDS_S("")};
    for (size_t i = 0; i < text.len; i++)
        if (is_control(text.data[i]))
            return false;
    const struct xds_slice fragment = xds_slice_cut(text, '#', &before);

    if ((fragment.data && has_bad_escape(fragment)) ||
        !take_go_scheme(&before, &uri->scheme))
        return false;
    rest = uri_until(&before, "?");
    if (!xds_slice_starts(rest, XDS_S("/"))) {
        struct xds_slice segment = rest;

        if (uri->scheme.len > 0)
            return true;
        segment = uri_until(&segment, "/");
        if (xds_slice_find(segment, ':') < segment.len)
            return false;
    }
    if (xds_slice_starts(rest, XDS_S("//")) &&
        (uri->scheme.len > 0 || !xds_slice_starts(rest, XDS_S("///")))) {
        rest = xds_slice_from(rest, 2);
        uri->authority = uri_until(&rest, "/");
        if (!is_go_authority(uri->authority))
            return false;
    }
    uri->path = percent_decode(arena, rest);
    return !has_bad_escape(rest);
}

/* ---- vscode-uri ---- */

void xds_uri_vscode(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri)
{
    struct xds_slice rest = text;

    *uri = (struct xds_uri){XDS_S(""), XDS_S(""), XDS_S("")};
    uri->scheme = uri_until(&rest, ":/?#");
    if (!uri_prefix(&rest, XDS_S(":"))) {
        uri->scheme = XDS_S("");
        rest = text;
    }
    if (uri_prefix(&rest, XDS_S("//")))
        uri->authority = percent_decode(arena, uri_until(&rest, "/?#"));
    uri->path = percent_decode(arena, uri_until(&rest, "?#"));
}

/* ---- targets ---- */

/* Bytes of sockaddr_un.sun_path, but for the NUL. */
#define MAX_UNIX_PATH 107

/* ---- what a resolver accepts ---- */

static struct xds_slice without_slash(struct xds_slice path)
{
    uri_prefix(&path, XDS_S("/"));
    return path;
}

/* "1.2.3.4:5" or "[::1]:5"; false without a port. */
static bool split_port(struct xds_slice text, struct xds_slice *host,
                       struct xds_slice *port)
{
    const bool brackets = uri_prefix(&text, XDS_S("["));

    *host = uri_until(&text, brackets ? "]" : ":");
    if (brackets && !uri_prefix(&text, XDS_S("]")))
        return false;
    *port = text;
    return uri_prefix(port, XDS_S(":")) &&
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

    /* Every part between commas; empty ones are skipped. */
    struct xds_slice rest = uri->path;

    while (rest.len > 0) {
        const struct xds_slice part = uri_until(&rest, ",");
        const bool fits =
            target == UNIX_PATHS
                ? part.len <= MAX_UNIX_PATH
                : part.len == 0 ||
                      is_socket_address(part, target == IPV4_ADDRESSES ? 4 : 6);

        if (!fits)
            return false;
        uri_prefix(&rest, XDS_S(","));
    }
    return uri->authority.len == 0;
}

/* ---- the resolvers ---- */

static const struct resolver {
    const char *scheme;
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
                                          bool exact, struct xds_uri *uri)
{
    if (!xds_uri_lax(arena, text, uri))
        return NULL;
    for (size_t i = 0; i < XDS_ARRAY_LEN(resolvers); i++) {
        const struct xds_slice scheme = xds_slice_of(resolvers[i].scheme);

        if (exact ? xds_slice_eq(uri->scheme, scheme)
                  : xds_slice_eq_fold(uri->scheme, scheme))
            return &resolvers[i];
    }
    return NULL;
}

bool xds_target_uri_valid(struct xds_arena *arena, const char *target, bool exact)
{
    struct xds_uri uri;
    const struct resolver *resolver =
        resolver_of(arena, xds_slice_of(target), exact, &uri);

    if (!resolver)
        resolver =
            resolver_of(arena, xds_arena_printf(arena, "dns:///%s", target), exact, &uri);
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

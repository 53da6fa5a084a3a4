/*
 * uri.c - the parsers of URIs that clients use.
 *
 * Source: RFC 3986; C-core uri_parser.cc; java.net.URI of Java 17; Go net/url; vscode-uri
 *         3; spec G8, G86, CP10. C-core's takes any byte in authority and path.
 */
#include "rules/uri.h"

#include "base/ascii.h"

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

struct xds_slice xds_uri_until(struct xds_slice *s, const char *stops)
{
    size_t n = 0;

    while (n < s->len && !one_of(s->data[n], stops))
        n++;
    const struct xds_slice part = xds_slice_make(s->data, n);

    *s = xds_slice_from(*s, n);
    return part;
}

bool xds_uri_prefix(struct xds_slice *s, struct xds_slice prefix)
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
    uri->scheme = xds_uri_until(&text, ":");
    if (!is_scheme(uri->scheme) || !xds_uri_prefix(&text, XDS_S(":")))
        return false;
    if (xds_uri_prefix(&text, XDS_S("//")))
        uri->authority = xds_uri_until(&text, "/?#");
    uri->path = percent_decode(arena, xds_uri_until(&text, "?#"));
    if (xds_uri_prefix(&text, XDS_S("?"))) {
        const struct xds_slice query = xds_uri_until(&text, "#");

        if (query.len == 0 || !contains_only(query, query_marks))
            return false;
    }
    return !xds_uri_prefix(&text, XDS_S("#")) || contains_only(text, query_marks);
}

/* ---- java.net.URI ---- */

#define UNRESERVED "_-!.~'()*"
#define OF_PATH UNRESERVED ":@&=+$,;/"
#define OF_QUERY UNRESERVED ";/?:@&=+$,[]"
#define OF_AUTHORITY UNRESERVED "$,;:@&=+"

/* Characters beyond ASCII are legal but for controls and blanks, which UTF-8 begins with
 * these bytes: U+0080 to U+00A0, U+2000 to U+200A, U+2028, U+2029 and the like. */
static bool is_other(struct xds_slice s, size_t i)
{
    const unsigned char c = (unsigned char)s.data[i];
    const unsigned char next = i + 1 < s.len ? (unsigned char)s.data[i + 1] : 0;
    const unsigned char third = i + 2 < s.len ? (unsigned char)s.data[i + 2] : 0;

    if (c < 0x80)
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

    (void)xds_uri_until(&rest, "@");
    if (!xds_uri_prefix(&rest, XDS_S("@")))
        rest = s;
    if (!xds_uri_prefix(&rest, XDS_S("[")))
        return is_legal(s, OF_AUTHORITY);

    const struct xds_slice host = xds_uri_until(&rest, "]");

    return xds_slice_find(host, ':') < host.len && contains_only(host, ":.%") &&
           xds_uri_prefix(&rest, XDS_S("]")) &&
           (rest.len == 0 ||
            (xds_uri_prefix(&rest, XDS_S(":")) && contains_only(rest, "")));
}

bool xds_uri_java(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri)
{
    struct xds_slice rest = text, path, query;

    *uri = (struct xds_uri){XDS_S(""), XDS_S(""), XDS_S("")};

    const struct xds_slice first = xds_uri_until(&rest, ":/?#");

    if (xds_uri_prefix(&rest, XDS_S(":"))) {
        if (!is_scheme(first))
            return false;
        uri->scheme = first;
        text = rest;
    }
    if (uri->scheme.len > 0 && !xds_slice_starts(text, XDS_S("/"))) {
        const struct xds_slice opaque = xds_uri_until(&text, "#");

        return opaque.len > 0 && is_legal(opaque, OF_QUERY) &&
               (!xds_uri_prefix(&text, XDS_S("#")) || is_legal(text, OF_QUERY));
    }
    if (xds_uri_prefix(&text, XDS_S("//"))) {
        uri->authority = xds_uri_until(&text, "/?#");
        if (uri->authority.len == 0 && text.len == 0)
            return false;
        if (!is_authority(uri->authority))
            return false;
    }
    path = xds_uri_until(&text, "?#");
    uri->path = percent_decode(arena, path);
    query = xds_uri_prefix(&text, XDS_S("?")) ? xds_uri_until(&text, "#") : XDS_S("");
    return is_legal(path, OF_PATH) && is_legal(query, OF_QUERY) &&
           (!xds_uri_prefix(&text, XDS_S("#")) || is_legal(text, OF_QUERY));
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
    const struct xds_slice first = xds_uri_until(&rest, ":");

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

    (void)xds_uri_until(&rest, "@");
    if (!xds_uri_prefix(&rest, XDS_S("@")))
        rest = s;
    for (size_t i = 0; i < rest.len; i++)
        if ((rest.data[i] == '%' && !is_go_escape(rest, i)) ||
            one_of(rest.data[i], " \"<>\\^`{|}"))
            return false;
    host = xds_uri_until(&rest, xds_slice_starts(rest, XDS_S("[")) ? "]" : ":");
    if (xds_slice_starts(host, XDS_S("[")) && !xds_uri_prefix(&rest, XDS_S("]")))
        return false;
    if (!xds_uri_prefix(&rest, XDS_S(":")))
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
    rest = xds_uri_until(&before, "?");
    if (!xds_slice_starts(rest, XDS_S("/"))) {
        struct xds_slice segment = rest;

        if (uri->scheme.len > 0)
            return true;
        segment = xds_uri_until(&segment, "/");
        if (xds_slice_find(segment, ':') < segment.len)
            return false;
    }
    if (xds_slice_starts(rest, XDS_S("//")) &&
        (uri->scheme.len > 0 || !xds_slice_starts(rest, XDS_S("///")))) {
        rest = xds_slice_from(rest, 2);
        uri->authority = xds_uri_until(&rest, "/");
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
    uri->scheme = xds_uri_until(&rest, ":/?#");
    if (!xds_uri_prefix(&rest, XDS_S(":"))) {
        uri->scheme = XDS_S("");
        rest = text;
    }
    if (xds_uri_prefix(&rest, XDS_S("//")))
        uri->authority = xds_uri_until(&rest, "/?#");
    uri->path = percent_decode(arena, xds_uri_until(&rest, "?#"));
}

/*
 * target.c - split a target URI.
 *
 * Source: gRFC A27, A47, spec routing 1.1, spec listener S11.
 */
#include "route/route.h"

#include "base/ascii.h"

static int hex_value(char c)
{
    if (xds_ascii_digit(c))
        return c - '0';
    c = xds_ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* %XX becomes its byte; a broken escape and %00 stay as they are. */
static struct xds_slice percent_decode(struct xds_arena *arena, struct xds_slice s)
{
    char *out = xds_arena_alloc(arena, s.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++) {
        const bool escape = s.data[i] == '%' && i + 2 < s.len;
        const int high = escape ? hex_value(s.data[i + 1]) : -1;
        const int low = escape ? hex_value(s.data[i + 2]) : -1;

        if (high < 0 || low < 0 || high + low == 0) {
            out[n++] = s.data[i];
            continue;
        }
        out[n++] = (char)(high * 16 + low);
        i += 2;
    }
    return xds_slice_make(out, n);
}

/* RFC 3986: unreserved, sub-delims, ':', '[', ']', '@'. */
static bool stands_in_authority(char c)
{
    return xds_ascii_alpha(c) || xds_ascii_digit(c) ||
           (c != '\0' && strchr("-._~!$&'()*+,;=:[]@", c));
}

/* also: what stays as it is besides what an authority may have. */
static struct xds_slice percent_encode(struct xds_arena *arena, struct xds_slice text,
                                       const char *also)
{
    static const char digits[] = "0123456789ABCDEF";
    char *out = xds_arena_alloc(arena, 3 * text.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        if (stands_in_authority((char)c) || (c != '\0' && strchr(also, c))) {
            out[n++] = (char)c;
            continue;
        }
        out[n++] = '%';
        out[n++] = digits[c >> 4];
        out[n++] = digits[c & 0xfu];
    }
    return xds_slice_make(out, n);
}

struct xds_slice xds_authority_of(const struct xds_rpc *rpc, struct xds_slice text)
{
    if (XDS_DIFFERS(rpc, XDS_DIFF_AUTHORITY_AS_WRITTEN))
        return xds_arena_dup(rpc->arena, text);
    return percent_encode(rpc->arena, text, "");
}

/* The name in place of each %s; in an xdstp template as the path of a URI (A47). */
static struct xds_slice fill_template(struct xds_arena *arena, struct xds_slice template,
                                      struct xds_slice name)
{
    struct xds_slice out = XDS_S(""), part = name;

    if (xds_slice_starts(template, XDS_S("xdstp:")))
        part = percent_encode(arena, name, "/");
    for (size_t at; (at = xds_slice_search(template, XDS_S("%s"))) < template.len;
         template = xds_slice_from(template, at + 2))
        out = xds_arena_concat(
            arena, xds_arena_concat(arena, out, xds_slice_make(template.data, at)), part);
    return xds_arena_concat(arena, out, template);
}

static const struct xds_authority *
find_authority(const struct xds_bootstrap_options *bootstrap, struct xds_slice name)
{
    for (size_t i = 0; i < bootstrap->n_authorities; i++)
        if (xds_slice_eq(bootstrap->authorities[i].name, name))
            return &bootstrap->authorities[i];
    return NULL;
}

/* By the template of the bootstrap; without one an authority means an xdstp name (A47).
 */
static struct xds_slice listener_name(const struct xds_rpc *rpc,
                                      struct xds_slice authority, struct xds_slice name)
{
    const struct xds_bootstrap_options *bootstrap = &rpc->options->bootstrap;
    struct xds_slice template = bootstrap->client_listener_template;

    if (authority.len > 0) {
        const struct xds_authority *found = find_authority(bootstrap, authority);

        template = found ? found->listener_template : xds_slice_make(NULL, 0);
    }
    if (template.len > 0)
        return fill_template(rpc->arena, template, name);
    if (authority.len == 0)
        return name;
    return xds_arena_printf(rpc->arena,
                            "xdstp://%.*s/envoy.config.listener.v3.Listener/%.*s",
                            XDS_FMT(authority), XDS_FMT(name));
}

bool xds_target_takes(struct xds_slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.data[i];

        if (!xds_ascii_alpha(c) && !xds_ascii_digit(c) &&
            (c == '\0' || !strchr("-._:", c)))
            return false;
    }
    return name.len > 0;
}

/* What the template has %s for; absent: the name is not by it. */
static struct xds_slice name_by(struct xds_slice template, struct xds_slice listener)
{
    const size_t at = xds_slice_search(template, XDS_S("%s"));
    const struct xds_slice none = {NULL, 0};

    if (!template.data || !listener.data || at >= template.len)
        return none;
    const struct xds_slice end = xds_slice_from(template, at + 2);

    if (listener.len < at + end.len || !xds_slice_ends(listener, end) ||
        !xds_slice_starts(listener, xds_slice_make(template.data, at)))
        return none;
    const struct xds_slice name = {listener.data + at, listener.len - at - end.len};

    return xds_target_takes(name) ? name : none;
}

struct xds_slice xds_target_of(struct xds_arena *arena, const struct xds_options *options,
                               struct xds_slice listener)
{
    struct xds_slice name = listener;

    if (options->bootstrap.client_listener_template.len > 0)
        name = name_by(options->bootstrap.client_listener_template, listener);
    if (name.data && xds_target_takes(name))
        return xds_arena_printf(arena, "xds:///%.*s", XDS_FMT(name));
    for (size_t i = 0; i < options->bootstrap.n_authorities; i++) {
        const struct xds_authority *authority = &options->bootstrap.authorities[i];

        name = name_by(authority->listener_template, listener);
        if (name.data && xds_target_takes(authority->name))
            return xds_arena_printf(arena, "xds://%.*s/%.*s", XDS_FMT(authority->name),
                                    XDS_FMT(name));
    }
    return xds_slice_make(NULL, 0);
}

/* "xds:PATH?QUERY#FRAGMENT": the path. What has no scheme of ours is a name. */
static struct xds_slice without_scheme(struct xds_slice uri)
{
    if (!xds_slice_starts(uri, XDS_S("xds:")))
        return uri;
    uri = xds_slice_from(uri, strlen("xds:"));
    uri.len = xds_slice_find(uri, '#');
    uri.len = xds_slice_find(uri, '?');
    return uri;
}

/* An xdstp: name is one that a server is asked for. */
static struct xds_slice foreign_scheme(struct xds_slice uri)
{
    const struct xds_slice scheme = xds_slice_make(uri.data, xds_slice_find(uri, ':'));
    const bool ours = xds_slice_is(scheme, "xds") || xds_slice_is(scheme, "xdstp");

    return !ours && xds_slice_starts(xds_slice_from(uri, scheme.len), XDS_S("://"))
               ? scheme
               : xds_slice_make(NULL, 0);
}

struct xds_target xds_target_parse(const struct xds_rpc *rpc, struct xds_slice uri)
{
    struct xds_slice authority = {NULL, 0}, path = without_scheme(uri);

    if (xds_slice_starts(path, XDS_S("//"))) {
        const struct xds_slice rest = xds_slice_from(path, 2);
        const size_t slash = xds_slice_find(rest, '/');
        authority = xds_slice_make(rest.data, slash);
        path = xds_slice_from(rest, slash);
    }
    if (xds_slice_starts(path, XDS_S("/")))
        path = xds_slice_from(path, 1);
    path = percent_decode(rpc->arena, path);
    const struct xds_bootstrap_options *bootstrap = &rpc->options->bootstrap;
    const bool is_unknown =
        authority.len > 0 && bootstrap->is_set && !find_authority(bootstrap, authority);

    return (struct xds_target){listener_name(rpc, authority, path),
                               xds_authority_of(rpc, path), foreign_scheme(uri),
                               is_unknown ? authority : xds_slice_make(NULL, 0)};
}

struct xds_slice xds_server_listener_name(struct xds_arena *arena,
                                          struct xds_slice template,
                                          struct xds_slice address)
{
    return fill_template(arena, template, address);
}

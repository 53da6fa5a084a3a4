/*
 * settings.c - from settings and bootstrap to servers, the node and the listeners that
 * are asked for; clients by their rows.
 *
 * Source: gRFC A27, A36, A47, A53, A88.
 */
#include <stdio.h>

#include "ads/inner.h"
#include "base/path.h"
#include "clients/readers.h"
#include "model/tree.h"
#include "route/route.h"

/* ---- clients ---- */

#define IGNORES XDS_ADS_IGNORES
#define STALLS XDS_ADS_STALLS
#define RESTARTS XDS_ADS_RESTARTS

static const struct xds_ads_client rows[XDS_CLIENTS] = {
#define XDS_ADS_CLIENT(id, agent, features, each, order, sorted, code, words, unasked,   \
                       moves, forgets, repeats, garbage, unknown, type, seen)            \
    [XDS_CLIENT_##id] = {                                                                \
        agent,   features, each,    order,   sorted,  code,    XDS_ADS_WORDS_##words,    \
        unasked, moves,    forgets, repeats, garbage, unknown, type},
#include "ads/clients.def"
};

static const struct before {
    struct xds_client_release until;
    bool forgets;
    enum xds_ads_odd on_garbage;
} before_rows[] = {
#define XDS_ADS_BEFORE(id, major, minor, forgets, garbage)                               \
    {{XDS_CLIENT_##id, {major, minor, UINT16_MAX}}, forgets, garbage},
#include "ads/clients.def"
};

/* The row of a client at a release. */
static struct xds_ads_client client_at(struct xds_client_release who)
{
    const enum xds_client as = xds_client_as(who.client);
    struct xds_ads_client client = rows[as];

    for (size_t i = 0; i < XDS_ARRAY_LEN(before_rows); i++) {
        const struct before *row = &before_rows[i];

        if (row->until.client != as || who.release.major == 0 ||
            xds_release_is_before(row->until.release, who.release))
            continue;
        client.forgets = row->forgets;
        client.on_garbage = row->on_garbage;
    }
    return client;
}

/* ---- servers ---- */

static bool has_feature(const struct xds_tree *server, const char *name)
{
    const struct xds_tree *features = xds_tree_member(server, "server_features");

    for (size_t i = 0; features && i < features->n; i++)
        if (features->items[i].kind == XDS_TREE_STRING &&
            xds_slice_is(features->items[i].text, name))
            return true;
    return false;
}

static struct xds_slice text_member(const struct xds_tree *object, const char *name)
{
    const struct xds_tree *member = object ? xds_tree_member(object, name) : NULL;

    return member && member->kind == XDS_TREE_STRING ? member->text
                                                     : (struct xds_slice){NULL, 0};
}

static size_t n_servers(const struct xds_tree *list)
{
    return list && list->kind == XDS_TREE_ARRAY ? list->n : 0;
}

static struct xds_slice uri_of(const struct xds_tree *list, size_t i)
{
    return i < n_servers(list) ? text_member(&list->items[i], "server_uri")
                               : (struct xds_slice){NULL, 0};
}

static bool same_servers(const struct xds_tree *a, const struct xds_tree *b)
{
    if (n_servers(a) != n_servers(b))
        return false;
    for (size_t i = 0; i < n_servers(a); i++)
        if (!xds_slice_eq(uri_of(a, i), uri_of(b, i)))
            return false;
    return true;
}

static void use_server(struct xds_ads_stream *stream, size_t i)
{
    const struct xds_tree *config = &stream->servers->items[i];

    stream->server = i;
    stream->ignores_deletion = has_feature(config, "ignore_resource_deletion");
    stream->fails_on_data_errors = has_feature(config, "fail_on_data_errors");
    stream->late_is_transient = has_feature(config, "resource_timer_is_transient_error");
}

/* The stream for a list of servers; two lists of the same addresses are one. */
static bool add_servers(struct xds_ads *ads, const struct xds_tree *list, size_t *stream)
{
    if (uri_of(list, 0).len == 0)
        return false;
    for (*stream = 0; *stream < ads->n_streams; (*stream)++)
        if (same_servers(ads->streams[*stream].servers, list))
            return true;
    ads->streams[ads->n_streams] = (struct xds_ads_stream){.servers = list};
    use_server(&ads->streams[ads->n_streams++], 0);
    return true;
}

struct xds_ads_server xds_ads_server(const struct xds_ads *ads, size_t stream)
{
    const struct xds_ads_stream *s = &ads->streams[stream];

    if (!s->servers)
        return (struct xds_ads_server){{NULL, 0}, NULL};
    return (struct xds_ads_server){uri_of(s->servers, s->server),
                                   &s->servers->items[s->server]};
}

bool xds_ads_next_server(struct xds_ads *ads, size_t stream)
{
    struct xds_ads_stream *s = &ads->streams[stream];

    if (uri_of(s->servers, s->server + 1).len == 0 ||
        !xds_env_on(&ads->options, XDS_ENV_XDS_FALLBACK, ads->settings.as.client))
        return false;
    use_server(s, s->server + 1);
    return true;
}

void xds_ads_first_server(struct xds_ads *ads, size_t stream)
{
    if (ads->streams[stream].servers)
        use_server(&ads->streams[stream], 0);
}

static bool fault(struct xds_ads *ads, const char *before, struct xds_slice name,
                  const char *after)
{
    (void)snprintf(ads->fault.text, sizeof ads->fault.text, "%s%.*s%s", before,
                   XDS_FMT(xds_slice_clip(name, 100)), after);
    return false;
}

static bool read_servers(struct xds_ads *ads, const struct xds_tree *root)
{
    const struct xds_tree *authorities =
        root ? xds_tree_member(root, "authorities") : NULL;
    const size_t n =
        authorities && authorities->kind == XDS_TREE_OBJECT ? authorities->n : 0;
    size_t stream;

    ads->streams = XDS_NEW_ARRAY(&ads->arena, struct xds_ads_stream, n + 1);
    ads->authorities = XDS_NEW_ARRAY(&ads->arena, struct xds_ads_authority, n);
    if (!root)
        ads->n_streams = 1;
    else if (!add_servers(ads, xds_tree_member(root, "xds_servers"), &stream))
        return fault(ads, "bootstrap: xds_servers[0] has no server_uri", XDS_S(""), "");
    for (size_t i = 0; i < n; i++) {
        const struct xds_tree *item = &authorities->items[i];
        const struct xds_tree *servers = xds_tree_member(item, "xds_servers");

        stream = 0;
        if (n_servers(servers) > 0 && !add_servers(ads, servers, &stream))
            return fault(ads, "bootstrap: authority \"", item->key,
                         "\": its server has no server_uri");
        ads->authorities[ads->n_authorities++] =
            (struct xds_ads_authority){item->key, stream};
    }
    return true;
}

size_t xds_ads_stream_of(struct xds_ads *ads, struct xds_slice name,
                         struct xds_slice *authority)
{
    if (!xds_slice_take(&name, "xdstp:") ||
        !xds_env_on(&ads->options, XDS_ENV_FEDERATION, ads->settings.as.client))
        return 0;
    *authority = XDS_S("");
    if (xds_slice_take(&name, "//"))
        (void)xds_slice_cut(name, '/', authority);
    for (size_t i = 0; i < ads->n_authorities; i++)
        if (xds_slice_eq(ads->authorities[i].name, *authority))
            return ads->authorities[i].stream;
    return XDS_ADS_NO_STREAM;
}

/* ---- the node ---- */

enum { NODE_ID = 1, NODE_CLUSTER, NODE_METADATA, NODE_LOCALITY };
enum { NODE_AGENT = 6, NODE_VERSION, NODE_FEATURES = 10 };
enum { REGION = 1, ZONE, SUB_ZONE };

static struct xds_slice either(struct xds_slice given, const struct xds_tree *object,
                               const char *name)
{
    return given.data ? given : text_member(object, name);
}

static struct xds_slice version_of(struct xds_ads *ads)
{
    const enum xds_client client = ads->settings.as.client;
    struct xds_release release = ads->settings.as.release;
    size_t n = 0;
    const struct xds_release *known = xds_client_releases(client, &n);
    unsigned major, minor;

    if (release.major == 0 && n > 0)
        release = known[n - 1];
    if (release.major == 0 || client == XDS_CLIENT_GRFC)
        return xds_slice_of(xds_version());
    const struct xds_slice number =
        xds_arena_printf(&ads->arena, "%u.%u.%u", (unsigned)release.major,
                         (unsigned)release.minor, (unsigned)release.patch);

    if (client != XDS_CLIENT_CORE)
        return number;
    xds_core_version(release, &major, &minor);
    return xds_arena_printf(&ads->arena, "C-core %u.%u.0 Python %.*s", major, minor,
                            XDS_FMT(number));
}

/* Metadata of the node, and in a dump what its reader has to know of the bootstrap: two
 * Structs in a row are one. */
static struct xds_slice metadata_of(struct xds_ads *ads, const struct xds_tree *given,
                                    bool in_dump)
{
    struct xds_slice out = XDS_S("");

    if (given && given->kind == XDS_TREE_OBJECT)
        out = xds_ads_struct(&ads->arena, given);
    if (in_dump && ads->options.bootstrap.is_set) {
        struct xds_tree names = {.kind = XDS_TREE_STRING,
                                 .key = XDS_S(XDS_BOOTSTRAP_KEY),
                                 .text =
                                     xds_ads_bootstrap_names(&ads->arena, &ads->options)};
        const struct xds_tree object = {.kind = XDS_TREE_OBJECT, .items = &names, .n = 1};

        out = xds_arena_concat(&ads->arena, out, xds_ads_struct(&ads->arena, &object));
    }
    return out;
}

static struct xds_slice write_node(struct xds_ads *ads, const struct xds_tree *node,
                                   bool in_dump)
{
    const struct xds_ads_settings *s = &ads->settings;
    const struct xds_tree *locality = node ? xds_tree_member(node, "locality") : NULL;
    const struct xds_tree *metadata = s->metadata ? s->metadata
                                      : node      ? xds_tree_member(node, "metadata")
                                                  : NULL;
    struct xds_text text = {.arena = &ads->arena}, place = {.arena = &ads->arena};
    struct xds_ads_out out = {.text = &text}, inner = {.text = &place};
    struct xds_slice features = xds_slice_of(ads->client.features), feature;

    xds_ads_put_text(&out, NODE_ID, either(s->node_id, node, "id"));
    xds_ads_put_text(&out, NODE_CLUSTER, either(s->node_cluster, node, "cluster"));
    const struct xds_slice fields = metadata_of(ads, metadata, in_dump);

    if (fields.len > 0 || (metadata && metadata->kind == XDS_TREE_OBJECT))
        xds_ads_put_bytes(&out, NODE_METADATA, fields);
    xds_ads_put_text(&inner, REGION, either(s->region, locality, "region"));
    xds_ads_put_text(&inner, ZONE, either(s->zone, locality, "zone"));
    xds_ads_put_text(&inner, SUB_ZONE, either(s->sub_zone, locality, "sub_zone"));
    if (place.len > 0)
        xds_ads_put_bytes(&out, NODE_LOCALITY, xds_slice_make(place.data, place.len));
    xds_ads_put_text(&out, NODE_AGENT, xds_slice_of(ads->client.agent));
    xds_ads_put_text(&out, NODE_VERSION, version_of(ads));
    while (features.data) {
        features = xds_slice_cut(features, ' ', &feature);
        xds_ads_put_text(&out, NODE_FEATURES, feature);
    }
    return xds_slice_make(text.data, text.len);
}

/* ---- listeners ---- */

static bool read_roots(struct xds_ads *ads)
{
    const struct xds_slice usual = XDS_S("grpc/server?xds.resource.listening_address=%s");
    struct xds_ads_settings *s = &ads->settings;
    const struct xds_rpc rpc = {
        .client = s->as.client, .options = &ads->options, .arena = &ads->arena};
    const struct xds_slice template = ads->options.bootstrap.server_listener_template;

    ads->roots = XDS_NEW_ARRAY(&ads->arena, struct xds_ads_root,
                               s->n_targets + s->n_server_listeners);
    for (size_t i = 0; i < s->n_targets; i++) {
        const struct xds_slice target =
            xds_arena_dup(&ads->arena, xds_slice_of(s->targets[i]));
        const struct xds_target parsed = xds_target_parse(&rpc, target);

        if (parsed.foreign.data || parsed.listener.len == 0)
            return fault(ads, "\"", target, "\" is no target of xDS");
        ads->roots[ads->n_roots++] = (struct xds_ads_root){.listener = parsed.listener,
                                                           .authority = parsed.authority};
    }
    for (size_t i = 0; i < s->n_server_listeners; i++)
        ads->roots[ads->n_roots++] = (struct xds_ads_root){
            .listener = xds_server_listener_name(
                &ads->arena, template.len > 0 ? template : usual,
                xds_arena_dup(&ads->arena, xds_slice_of(s->server_listeners[i]))),
            .is_server = true};
    s->targets = s->server_listeners = NULL;
    return ads->n_roots > 0 || fault(ads, "there is no target to ask for", XDS_S(""), "");
}

bool xds_ads_read_settings(struct xds_ads *ads)
{
    const struct xds_tree *root =
        ads->settings.bootstrap ? xds_parsed_tree(ads->settings.bootstrap) : NULL;

    ads->client = client_at(ads->settings.as);
    if (!read_servers(ads, root))
        return false;

    const struct xds_tree *node = root ? xds_tree_member(root, "node") : NULL;

    ads->node = write_node(ads, node, false);
    ads->dump_node = write_node(ads, node, true);
    return read_roots(ads);
}

/*
 * lint.c - what is odd in a gRPC bootstrap and refused by no client: keys and names that
 * no client reads, templates that cannot work.
 *
 * Source: gRFC A27, A36, A47, A53, A71, A81, A88, A97.
 */
#include <string.h>

#include "base/text.h"
#include "bootstrap/inner.h"
#include "clients/environment.h"

enum object {
    ROOT,
    SERVER,
    CREDS,
    TLS,
    NODE,
    LOCALITY,
    AUTHORITY,
    PROVIDER,
    FILES,
    SERVICE
};

static const char *const object_words[] = {
    [ROOT] = "at the top",
    [SERVER] = "in an object of xds_servers",
    [CREDS] = "in an object of channel_creds",
    [TLS] = "in config of channel_creds tls",
    [NODE] = "in node",
    [LOCALITY] = "in locality of node",
    [AUTHORITY] = "in an object of authorities",
    [PROVIDER] = "in an object of certificate_providers",
    [FILES] = "in config of a file_watcher",
    [SERVICE] = "in an object of allowed_grpc_services",
};

static const struct key {
    enum object in;
    const char *name;
    unsigned clients;
} keys[] = {
#define XDS_BOOTSTRAP_FIELD(object, key, clients) {object, key, clients},
#include "bootstrap/tables.def"
};

static const char *const features[] = {
#define XDS_SERVER_FEATURE(name) name,
#include "bootstrap/tables.def"
};

struct linter {
    struct xds_arena *arena;
    const struct xds_options *options;
    struct xds_client_release who;
    struct xds_bootstrap_faults *out;
};

#define WORDS(...) ((const struct xds_slice[4]){__VA_ARGS__})

static void tell(struct linter *l, const struct xds_path *at, struct xds_place place,
                 enum xds_rule_id rule, const struct xds_slice words[4])
{
    xds_bootstrap_add(l->arena, l->out, at, place, rule, words);
}

static bool is_kind(const struct xds_tree *value, enum xds_tree_kind kind)
{
    return value && value->kind == kind;
}

/* ---- keys ---- */

/* The key of a TLS config that only a variable makes a client read. */
static const char *why_no_map(const struct linter *l)
{
    struct xds_options on = *l->options;
    const char *hint;

    if (xds_env_on_at(l->options, XDS_ENV_MTLS_SPIFFE, &l->who))
        return NULL;
    return xds_options_set_env(&on, XDS_S("GRPC_EXPERIMENTAL_XDS_MTLS_SPIFFE=true"),
                               &hint) == XDS_OK &&
                   xds_env_on_at(&on, XDS_ENV_MTLS_SPIFFE, &l->who)
               ? " without GRPC_EXPERIMENTAL_XDS_MTLS_SPIFFE=true"
               : "";
}

/* Why a client does not read a key that others do; NULL: it does. */
static const char *why_unread(const struct linter *l, const struct key *key)
{
    if (!(key->clients >> xds_client_as(l->who.client) & 1u))
        return "";
    if (strcmp(key->name, "call_creds") == 0)
        switch (xds_call_creds_of(l->who, l->options)) {
        case XDS_CALL_CREDS_OFF:
            return " without GRPC_EXPERIMENTAL_XDS_BOOTSTRAP_CALL_CREDS=true";
        case XDS_CALL_CREDS_NEVER:
            return "";
        case XDS_CALL_CREDS_NONE:
        case XDS_CALL_CREDS_READ:
            break;
        }
    if (key->in == TLS && xds_release_differs(&l->who, XDS_DIFF_BOOTSTRAP_TLS_UNREAD))
        return "";
    if (strncmp(key->name, "spiffe_", 7) == 0)
        return why_no_map(l);
    if (key->in == AUTHORITY && strcmp(key->name, "fallback_on_reachability_only") == 0 &&
        !xds_env_on_at(l->options, XDS_ENV_ENDPOINT_FALLBACK, &l->who))
        return " without GRPC_EXPERIMENTAL_XDS_ENDPOINT_FALLBACK=true";
    if ((strcmp(key->name, "authorities") == 0 ||
         strncmp(key->name, "client_default", 14) == 0) &&
        !xds_env_on_at(l->options, XDS_ENV_FEDERATION, &l->who))
        return " without GRPC_EXPERIMENTAL_XDS_FEDERATION=true";
    return NULL;
}

static void tell_unknown(struct linter *l, const struct xds_path *at, enum object in,
                         const struct xds_tree *member)
{
    struct xds_nearest nearest = xds_nearest_to(member->key);

    for (size_t i = 0; i < XDS_ARRAY_LEN(keys); i++)
        if (keys[i].in == in)
            xds_nearest_offer(&nearest, keys[i].name);
    tell(l, at, xds_tree_key_place(member), XDS_R_BOOT_KEY_UNKNOWN,
         WORDS(member->key, xds_nearest_words(l->arena, nearest.best)));
}

static void check_key(struct linter *l, const struct xds_path *at, enum object in,
                      const struct xds_tree *member)
{
    const struct key *elsewhere = NULL;
    const struct xds_place place = xds_tree_key_place(member);
    const char *why;

    for (size_t i = 0; i < XDS_ARRAY_LEN(keys); i++) {
        const struct key *key = &keys[i];

        if (!xds_slice_is(member->key, key->name))
            continue;
        if (key->in != in) {
            elsewhere = elsewhere ? elsewhere : key;
            continue;
        }
        why = why_unread(l, key);
        if (why)
            tell(l, at, place, XDS_R_BOOT_KEY_UNREAD,
                 WORDS(member->key, XDS_BOOTSTRAP_READERS, xds_slice_of(why)));
        return;
    }
    if (elsewhere)
        tell(l, at, place, XDS_R_BOOT_KEY_MISPLACED,
             WORDS(member->key, xds_slice_of(object_words[elsewhere->in])));
    else
        tell_unknown(l, at, in, member);
}

static void check_keys(struct linter *l, const struct xds_path *up, enum object in,
                       const struct xds_tree *object)
{
    if (!is_kind(object, XDS_TREE_OBJECT))
        return;
    for (size_t i = 0; i < object->n; i++) {
        const struct xds_tree *member = &object->items[i];

        check_key(l, XDS_AT(up, xds_arena_dup(l->arena, member->key).data), in, member);
    }
}

static struct xds_slice quoted(struct linter *l, struct xds_slice key)
{
    return xds_arena_printf(l->arena, "\"%.*s\"", XDS_FMT(key));
}

/* ---- servers ---- */

static bool is_feature(struct xds_slice name)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(features); i++)
        if (xds_slice_is(name, features[i]))
            return true;
    return false;
}

static void check_features(struct linter *l, const struct xds_path *up,
                           const struct xds_tree *list)
{
    if (!is_kind(list, XDS_TREE_ARRAY))
        return;
    for (size_t i = 0; i < list->n; i++) {
        const struct xds_tree *item = &list->items[i];

        if (item->kind != XDS_TREE_STRING || is_feature(item->text))
            continue;
        struct xds_nearest nearest = xds_nearest_to(item->text);

        for (size_t f = 0; f < XDS_ARRAY_LEN(features); f++)
            xds_nearest_offer(&nearest, features[f]);
        tell(l, XDS_AT_I(up, "server_features", i), xds_tree_place(item),
             XDS_R_BOOT_FEATURE_UNKNOWN,
             WORDS(item->text, xds_nearest_words(l->arena, nearest.best)));
    }
}

static bool is_type(const struct xds_tree *object, const char *key, const char *type)
{
    const struct xds_tree *value = xds_tree_member(object, key);

    return is_kind(value, XDS_TREE_STRING) && xds_slice_is(value->text, type);
}

static void check_creds(struct linter *l, const struct xds_path *at,
                        const struct xds_tree *creds)
{
    bool has;

    check_keys(l, at, CREDS, creds);
    if (is_kind(creds, XDS_TREE_OBJECT) && is_type(creds, "type", "tls") &&
        xds_channel_creds_known(XDS_S("tls"), l->who, &has))
        check_keys(l, XDS_AT(at, "config"), TLS, xds_tree_member(creds, "config"));
}

/* "trafficdirector.googleapis.com:443", with a scheme or without. */
static bool is_of_google(struct xds_slice uri)
{
    static const char domain[] = ".googleapis.com";
    const size_t at = xds_slice_search(uri, xds_slice_of(domain));
    const struct xds_slice rest =
        at < uri.len ? xds_slice_from(uri, at + sizeof domain - 1) : uri;

    return at < uri.len && (rest.len == 0 || rest.data[0] == ':');
}

/* The first entry that the client knows counts. */
static void check_google(struct linter *l, const struct xds_path *at,
                         const struct xds_tree *creds, const struct xds_tree *uri)
{
    if (!is_of_google(uri->text) || !is_kind(creds, XDS_TREE_ARRAY))
        return;
    for (size_t i = 0; i < creds->n; i++) {
        const struct xds_tree *type = creds->items[i].kind == XDS_TREE_OBJECT
                                          ? xds_tree_member(&creds->items[i], "type")
                                          : NULL;
        bool has;

        if (!is_kind(type, XDS_TREE_STRING) ||
            !xds_channel_creds_known(type->text, l->who, &has))
            continue;
        if (!xds_slice_is(type->text, "google_default"))
            tell(l, XDS_AT(XDS_AT_I(at, "channel_creds", i), "type"),
                 xds_tree_place(type), XDS_R_BOOT_GOOGLE_CREDS,
                 WORDS(XDS_BOOTSTRAP_READERS, uri->text));
        return;
    }
}

static void check_server(struct linter *l, const struct xds_path *at,
                         const struct xds_tree *server)
{
    const struct xds_tree *creds = xds_tree_member(server, "channel_creds");
    const struct xds_tree *uri = xds_tree_member(server, "server_uri");

    check_keys(l, at, SERVER, server);
    for (size_t i = 0; is_kind(creds, XDS_TREE_ARRAY) && i < creds->n; i++)
        check_creds(l, XDS_AT_I(at, "channel_creds", i), &creds->items[i]);
    check_features(l, at, xds_tree_member(server, "server_features"));
    if (!is_kind(uri, XDS_TREE_STRING))
        return;
    if (!xds_tree_member(server, "call_creds"))
        check_google(l, at, creds, uri);
    const char *words = xds_uri_refused(uri->text, l->who);

    if (words)
        tell(l, XDS_AT(at, "server_uri"), xds_tree_place(uri), XDS_R_BOOT_URI_SCHEME,
             WORDS(XDS_BOOTSTRAP_READERS, uri->text, xds_slice_of(words)));
    if (xds_slice_ends(uri->text, XDS_S("etc/istio/proxy/XDS")) &&
        !xds_release_differs(&l->who, XDS_DIFF_BOOTSTRAP_STREAM_OF_ALL))
        tell(l, XDS_AT(at, "server_uri"), xds_tree_place(uri), XDS_R_BOOT_ISTIO_AGENT,
             WORDS(XDS_BOOTSTRAP_READERS));
}

static bool falls_back(const struct linter *l)
{
    return !xds_release_differs(&l->who, XDS_DIFF_BOOTSTRAP_FIRST_SERVER) &&
           xds_env_on_at(l->options, XDS_ENV_XDS_FALLBACK, &l->who);
}

static void check_servers(struct linter *l, const struct xds_path *up,
                          const struct xds_tree *object)
{
    const struct xds_tree *list = xds_tree_member(object, "xds_servers");

    if (!is_kind(list, XDS_TREE_ARRAY))
        return;
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].kind == XDS_TREE_OBJECT)
            check_server(l, XDS_AT_I(up, "xds_servers", i), &list->items[i]);
    if (list->n > 1 && !falls_back(l))
        tell(l, XDS_AT_I(up, "xds_servers", 1), xds_tree_place(&list->items[1]),
             XDS_R_BOOT_FALLBACK_UNREAD,
             WORDS(xds_arena_printf(l->arena, "%zu", list->n - 1),
                   xds_slice_of(list->n > 2 ? "servers" : "server"),
                   XDS_BOOTSTRAP_READERS));
}

/* ---- templates ---- */

/* The authority of "xdstp://AUTHORITY/..."; absent where it is another name. */
static struct xds_slice authority_of(struct xds_slice name)
{
    struct xds_slice authority = {NULL, 0};

    if (xds_slice_take(&name, "xdstp://"))
        (void)xds_slice_cut(name, '/', &authority);
    return authority;
}

static void check_template(struct linter *l, const struct xds_path *up,
                           const struct xds_tree *object, const char *name,
                           const struct xds_tree *authorities)
{
    const struct xds_tree *text = xds_tree_member(object, name);

    if (!is_kind(text, XDS_TREE_STRING) || text->text.len == 0)
        return;
    const struct xds_slice authority = authority_of(text->text);

    if (xds_slice_search(text->text, XDS_S("%s")) > text->text.len)
        tell(l, XDS_AT(up, name), xds_tree_place(text), XDS_R_BOOT_TEMPLATE_CONSTANT,
             WORDS(text->text));
    if (!up && authority.data && xds_env_on_at(l->options, XDS_ENV_FEDERATION, &l->who) &&
        !(is_kind(authorities, XDS_TREE_OBJECT) && xds_tree_find(authorities, authority)))
        tell(l, XDS_AT(up, name), xds_tree_place(text), XDS_R_BOOT_TEMPLATE_AUTHORITY,
             WORDS(authority));
}

static void check_server_template(struct linter *l, const struct xds_tree *root)
{
    static const char name[] = "server_listener_resource_name_template";
    static const char *const words[XDS_CLIENTS] = {
#define XDS_SERVER_TEMPLATE_WORDS(client, text) [XDS_CLIENT_##client] = text,
#include "bootstrap/tables.def"
    };
    const struct xds_tree *text = xds_tree_member(root, name);
    const char *said = words[xds_client_as(l->who.client)];

    if (l->options->role != XDS_ROLE_SERVER ||
        (is_kind(text, XDS_TREE_STRING) && text->text.len > 0))
        return;
    tell(l, XDS_AT(NULL, name), xds_tree_place(root), XDS_R_BOOT_SERVER_TEMPLATE_ABSENT,
         WORDS(XDS_BOOTSTRAP_READERS,
               said ? xds_arena_printf(l->arena, " (\"%s\")", said) : XDS_S("")));
}

/* ---- certificate providers ---- */

static bool has_any(const struct xds_tree *config, const char *name, const char *other)
{
    return xds_tree_member(config, name) || (other && xds_tree_member(config, other));
}

/* What the others refuse, they refuse: see bootstrap.def. */
static void check_files(struct linter *l, const struct xds_path *at,
                        const struct xds_tree *provider)
{
    static const char *const files[][2] = {
        {"certificate_file", NULL},
        {"private_key_file", NULL},
        {"ca_certificate_file", "spiffe_trust_bundle_map_file"},
    };
    const struct xds_tree *config = xds_tree_member(provider, "config");

    if (!is_kind(provider, XDS_TREE_OBJECT) ||
        !is_type(provider, "plugin_name", "file_watcher") ||
        !is_kind(config, XDS_TREE_OBJECT))
        return;
    check_keys(l, XDS_AT(at, "config"), FILES, config);
    if (!xds_release_differs(&l->who, XDS_DIFF_BOOTSTRAP_FILES_ALL))
        return;
    for (size_t i = 0; i < XDS_ARRAY_LEN(files); i++) {
        if (has_any(config, files[i][0], why_no_map(l) ? NULL : files[i][1]))
            continue;
        tell(l, XDS_AT(at, "config"), xds_tree_place(config), XDS_R_BOOT_FILES_INCOMPLETE,
             WORDS(XDS_BOOTSTRAP_READERS, xds_slice_of(files[i][0])));
        return;
    }
}

/* ---- the rest ---- */

/* TYPE~IP~NAME.NAMESPACE~DOMAIN, as istiod takes it apart. */
static bool is_istio_node(const struct xds_tree *node)
{
    const struct xds_tree *id = xds_tree_member(node, "id");
    size_t parts = 1;

    if (!is_kind(id, XDS_TREE_STRING))
        return false;
    for (size_t i = 0; i < id->text.len; i++)
        parts += id->text.data[i] == '~';
    return parts == 4 && id->text.data[0] != '~';
}

static void check_generator(struct linter *l, const struct xds_path *at,
                            const struct xds_tree *node)
{
    const struct xds_tree *metadata = xds_tree_member(node, "metadata");
    const struct xds_tree *generator = is_kind(metadata, XDS_TREE_OBJECT)
                                           ? xds_tree_member(metadata, "GENERATOR")
                                           : NULL;

    if (is_istio_node(node) &&
        !(is_kind(generator, XDS_TREE_STRING) && xds_slice_is(generator->text, "grpc")))
        tell(l, XDS_AT(at, "metadata"),
             xds_tree_place(generator                            ? generator
                            : is_kind(metadata, XDS_TREE_OBJECT) ? metadata
                                                                 : node),
             XDS_R_BOOT_ISTIO_GENERATOR, WORDS({NULL, 0}));
}

static void check_node(struct linter *l, const struct xds_tree *root)
{
    const struct xds_path *at = XDS_AT(NULL, "node");
    const struct xds_tree *node = xds_tree_member(root, "node");

    if (!is_kind(node, XDS_TREE_OBJECT))
        return;
    check_keys(l, at, NODE, node);
    check_keys(l, XDS_AT(at, "locality"), LOCALITY, xds_tree_member(node, "locality"));
    check_generator(l, at, node);
}

static void check_each(struct linter *l, const struct xds_tree *root, const char *name,
                       enum object in)
{
    const struct xds_tree *all = xds_tree_member(root, name);

    if (!is_kind(all, XDS_TREE_OBJECT))
        return;
    for (size_t i = 0; i < all->n; i++) {
        const struct xds_tree *item = &all->items[i];
        const struct xds_path *at = XDS_AT_KEY(NULL, name, quoted(l, item->key));

        check_keys(l, at, in, item);
        if (in == PROVIDER)
            check_files(l, at, item);
        if (in != AUTHORITY || item->kind != XDS_TREE_OBJECT)
            continue;
        check_template(l, at, item, "client_listener_resource_name_template", NULL);
        check_servers(l, at, item);
    }
}

void xds_bootstrap_lint(struct xds_arena *arena, const struct xds_tree *root,
                        struct xds_client_release who, const struct xds_options *options,
                        struct xds_bootstrap_faults *faults)
{
    struct linter l = {arena, options, who, faults};

    if (root->kind != XDS_TREE_OBJECT)
        return;
    const struct xds_tree *authorities = xds_tree_member(root, "authorities");

    check_keys(&l, NULL, ROOT, root);
    check_servers(&l, NULL, root);
    check_node(&l, root);
    check_each(&l, root, "certificate_providers", PROVIDER);
    check_each(&l, root, "allowed_grpc_services", SERVICE);
    check_each(&l, root, "authorities", AUTHORITY);
    check_template(&l, NULL, root, "client_default_listener_resource_name_template",
                   authorities);
    check_template(&l, NULL, root, "server_listener_resource_name_template", authorities);
    check_server_template(&l, root);
}

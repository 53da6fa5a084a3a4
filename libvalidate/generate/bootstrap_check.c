/*
 * bootstrap_check.c - what a client refuses in its bootstrap, by the rows of
 * bootstrap.def.
 *
 * Gives:  faults with path and place; of clients that stop at the first one, that alone.
 * Source: gRFC A27, A29, A47, A65, A97; runs of the clients.
 */
#include "base/path.h"
#include "catalogue/rule.h"
#include "clients/environment.h"
#include "generate/bootstrap.h"
#include "generate/config.h"
#include "source/tree_read.h"

enum rule {
#define XDS_BOOTSTRAP(id, core, go, java) RULE_##id,
#include "generate/bootstrap.def"
    RULES
};

static const char *const words_of[RULES][XDS_CLIENTS] = {
#define XDS_BOOTSTRAP(id, core, go, java)                                                \
    [RULE_##id] = {                                                                      \
        [XDS_CLIENT_CORE] = core, [XDS_CLIENT_GO] = go, [XDS_CLIENT_JAVA] = java},
#include "generate/bootstrap.def"
};

static const struct xds_client_release first_releases[] = {
#define XDS_BOOTSTRAP_FROM(client, major, minor) {XDS_CLIENT_##client, {major, minor, 0}},
#include "generate/bootstrap.def"
};

/* Do the rows hold for a release? */
static bool is_covered(struct xds_client_release who)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(first_releases); i++)
        if (first_releases[i].client == xds_client_as(who.client))
            return who.release.major == 0 ||
                   !xds_release_is_before(who.release, first_releases[i].release);
    return false;
}

struct checker {
    struct xds_arena *arena;
    const struct xds_options *options;
    struct xds_client_release who;
    enum xds_client as;
    struct xds_bootstrap_fault *list;
    size_t n, cap;
};

static bool is_one_of(const struct checker *c, unsigned clients)
{
    return clients >> c->as & 1u;
}

static bool stops(const struct checker *c)
{
    return c->n > 0 && !is_one_of(c, XDS_CORE);
}

static void fault(struct checker *c, const struct xds_path *at,
                  const struct xds_tree *where, enum rule rule, struct xds_slice first,
                  struct xds_slice second)
{
    const char *words = words_of[rule][c->as];
    const struct xds_slice values[] = {first, second, {NULL, 0}, {NULL, 0}};

    if (!words || stops(c))
        return;
    c->list = xds_arena_room(c->arena, c->list, c->n, &c->cap, sizeof *c->list);
    c->list[c->n++] = (struct xds_bootstrap_fault){
        xds_path_render(c->arena, at),
        xds_rule_words(c->arena, words, (struct xds_slice){NULL, 0}, values), where->line,
        where->column};
}

static void plain_fault(struct checker *c, const struct xds_path *at,
                        const struct xds_tree *where, enum rule rule)
{
    fault(c, at, where, rule, XDS_S(""), XDS_S(""));
}

/* ---- values ---- */

enum want { WANT_OBJECT, WANT_ARRAY, WANT_STRING };

static const char *const kind_words[] = {
    [XDS_TREE_NULL] = "null",     [XDS_TREE_BOOL] = "bool",
    [XDS_TREE_NUMBER] = "number", [XDS_TREE_STRING] = "string",
    [XDS_TREE_ARRAY] = "array",   [XDS_TREE_OBJECT] = "object"};

/* For go a null is a value that is not there, of whatever type; for core of some. */
enum {
    NULL_FOR_GO = XDS_GO,
    NULL_FOR_BOTH = XDS_CORE | XDS_GO,
};

/* False after a fault; *out is NULL if there is no value. */
static bool take(struct checker *c, const struct xds_path *at,
                 const struct xds_tree *value, enum want want, unsigned null_is_absent,
                 const struct xds_tree **out)
{
    static const enum xds_tree_kind kinds[] = {XDS_TREE_OBJECT, XDS_TREE_ARRAY,
                                               XDS_TREE_STRING};
    static const enum rule rules[] = {RULE_NOT_OBJECT, RULE_NOT_ARRAY, RULE_NOT_STRING};

    *out = NULL;
    if (!value)
        return true;
    if (value->kind == kinds[want]) {
        *out = value;
        return true;
    }
    if (value->kind == XDS_TREE_NULL && is_one_of(c, null_is_absent))
        return true;
    fault(c, at, value, rules[want], xds_slice_of(kind_words[value->kind]), XDS_S(""));
    return false;
}

static bool take_member(struct checker *c, const struct xds_path *up,
                        const struct xds_tree *object, const char *name, enum want want,
                        unsigned null_is_absent, const struct xds_tree **out)
{
    return take(c, XDS_AT(up, name), xds_tree_member(object, name), want, null_is_absent,
                out);
}

/* A member that is a text, or is not there. */
static void check_text(struct checker *c, const struct xds_path *up,
                       const struct xds_tree *object, const char *name)
{
    const struct xds_tree *text;

    (void)take_member(c, up, object, name, WANT_STRING, NULL_FOR_BOTH, &text);
}

static bool is_empty(const struct xds_tree *text)
{
    return !text || text->text.len == 0;
}

/* ---- files of certificates ---- */

static void check_duration(struct checker *c, const struct xds_path *up,
                           const struct xds_tree *config)
{
    static const char name[] = "refresh_interval";
    const struct xds_tree *text;

    if (!take_member(c, up, config, name, WANT_STRING, NULL_FOR_BOTH, &text) || !text)
        return;
    if (!xds_slice_ends(text->text, XDS_S("s")))
        plain_fault(c, XDS_AT(up, name), text, RULE_DURATION);
    else if (xds_slice_starts(text->text, XDS_S("-")))
        plain_fault(c, XDS_AT(up, name), text, RULE_DURATION_NEGATIVE);
}

/* Core asks whether a file is named, go by what. */
static bool has_file(const struct checker *c, const struct xds_tree *file)
{
    return file && (is_one_of(c, XDS_CORE) || !is_empty(file));
}

static void check_files(struct checker *c, const struct xds_path *at,
                        const struct xds_tree *config, bool needs_one)
{
    const struct xds_tree *ca, *cert, *key, *map;
    const bool good =
        take_member(c, at, config, "ca_certificate_file", WANT_STRING, NULL_FOR_BOTH,
                    &ca) &
        take_member(c, at, config, "certificate_file", WANT_STRING, NULL_FOR_BOTH,
                    &cert) &
        take_member(c, at, config, "private_key_file", WANT_STRING, NULL_FOR_BOTH, &key);
    const bool has_map = xds_env_on_at(c->options, XDS_ENV_MTLS_SPIFFE, &c->who);

    map = NULL;
    if (is_one_of(c, XDS_GO) || has_map)
        (void)take_member(c, at, config, "spiffe_trust_bundle_map_file", WANT_STRING,
                          NULL_FOR_BOTH, &map);
    const bool any = has_file(c, ca) || has_file(c, cert) || has_file(c, key) ||
                     (has_map && has_file(c, map));

    if (!good)
        return;
    if (is_one_of(c, XDS_CORE) || needs_one || any)
        check_duration(c, at, config);
    if (has_file(c, cert) != has_file(c, key))
        plain_fault(c, at, config, RULE_FILES_PAIR);
    else if (!any && needs_one)
        plain_fault(c, at, config, RULE_FILES_NONE);
}

/* ---- channel_creds ---- */

static const struct creds_row {
    const char *type;
    unsigned clients;
    bool has;
} creds_rows[] = {
#define XDS_CHANNEL_CREDS(type, clients, has) {type, clients, has},
#include "generate/bootstrap.def"
};

static const struct creds_since {
    const char *type;
    struct xds_client_release since;
} creds_since[] = {
#define XDS_CHANNEL_CREDS_SINCE(type, client, major, minor)                              \
    {type, {XDS_CLIENT_##client, {major, minor, 0}}},
#include "generate/bootstrap.def"
    {NULL, {XDS_CLIENT_GRFC, {0, 0, 0}}},
};

static bool is_too_old(struct xds_slice type, struct xds_client_release who)
{
    for (const struct creds_since *row = creds_since; row->type; row++)
        if (xds_slice_is(type, row->type) &&
            row->since.client == xds_client_as(who.client) && who.release.major > 0 &&
            xds_release_is_before(who.release, row->since.release))
            return true;
    return false;
}

enum xds_call_creds xds_call_creds_of(struct xds_client_release who,
                                      const struct xds_options *options)
{
    struct xds_options on = *options;
    const char *hint;

    if (xds_env_on_at(options, XDS_ENV_BOOTSTRAP_CALL_CREDS, &who))
        return XDS_CALL_CREDS_READ;
    return xds_options_set_env(&on,
                               XDS_S("GRPC_EXPERIMENTAL_XDS_BOOTSTRAP_CALL_CREDS=true"),
                               &hint) == XDS_OK &&
                   xds_env_on_at(&on, XDS_ENV_BOOTSTRAP_CALL_CREDS, &who)
               ? XDS_CALL_CREDS_OFF
               : XDS_CALL_CREDS_NEVER;
}

bool xds_channel_creds_known(struct xds_slice type, struct xds_client_release who,
                             bool *has)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(creds_rows); i++) {
        const struct creds_row *row = &creds_rows[i];

        if (!xds_slice_is(type, row->type))
            continue;
        *has = row->has;
        return row->clients >> xds_client_as(who.client) & 1u && !is_too_old(type, who);
    }
    *has = false;
    return false;
}

static struct xds_slice known_types(const struct checker *c)
{
    struct xds_text text = {.arena = c->arena};
    bool has;

    for (size_t i = 0; i < XDS_ARRAY_LEN(creds_rows); i++)
        if (xds_channel_creds_known(xds_slice_of(creds_rows[i].type), c->who, &has))
            xds_text_printf(&text, "%s%s", text.len > 0 ? ", " : "", creds_rows[i].type);
    return xds_slice_make(text.data, text.len);
}

/* Who reads the config of which: core of all, whether it knows them or not. */
static bool check_creds_config(struct checker *c, const struct xds_path *at,
                               const struct xds_tree *item, struct xds_slice type,
                               bool is_known)
{
    const bool is_tls = xds_slice_is(type, "tls");
    const struct xds_tree *config;

    if (!is_one_of(c, XDS_CORE) && !(is_one_of(c, XDS_JAVA) && is_known) && !is_tls)
        return true;
    if (!take_member(c, at, item, "config", WANT_OBJECT, NULL_FOR_BOTH, &config))
        return false;
    if (config && is_tls && is_known && !is_one_of(c, XDS_JAVA))
        check_files(c, XDS_AT(at, "config"), config, false);
    return true;
}

/* Is it one that the client knows? *is_shaped becomes false if it is not one of any. */
static bool check_creds(struct checker *c, const struct xds_path *at,
                        const struct xds_tree *value, struct xds_slice uri,
                        bool *is_shaped)
{
    const struct xds_tree *item, *type;
    bool has;

    if (!take(c, at, value, WANT_OBJECT, NULL_FOR_GO, &item)) {
        *is_shaped = false;
        return false;
    }
    if (!item)
        return false;
    if (!take_member(c, at, item, "type", WANT_STRING, NULL_FOR_GO, &type)) {
        *is_shaped = false;
        return false;
    }
    if (!type) {
        *is_shaped &= is_one_of(c, XDS_GO);
        fault(c, XDS_AT(at, "type"), item, RULE_CREDS_TYPE_ABSENT, uri, XDS_S(""));
        return false;
    }
    const bool known = xds_channel_creds_known(type->text, c->who, &has);

    *is_shaped &= check_creds_config(c, at, item, type->text, known);
    return known;
}

static void check_channel_creds(struct checker *c, const struct xds_path *up,
                                const struct xds_tree *server, struct xds_slice uri)
{
    static const char name[] = "channel_creds";
    const struct xds_path *at = XDS_AT(up, name);
    const struct xds_tree *list;
    bool known = false, is_shaped = true;

    if (!take_member(c, up, server, name, WANT_ARRAY, NULL_FOR_GO, &list))
        return;
    if (!list) {
        fault(c, at, server, RULE_CREDS_ABSENT, uri, XDS_S(""));
        return;
    }
    if (list->n == 0) {
        fault(c, at, list, RULE_CREDS_EMPTY, uri, XDS_S(""));
        return;
    }
    for (size_t i = 0; i < list->n; i++) {
        const struct xds_path *here = XDS_AT_I(up, name, i);
        const struct xds_tree *item;

        if (known && is_one_of(c, XDS_JAVA)) /* which looks at no further one */
            (void)take(c, here, &list->items[i], WANT_OBJECT, 0, &item);
        else
            known |= check_creds(c, here, &list->items[i], uri, &is_shaped);
    }
    if (!known && is_shaped)
        fault(c, at, list, RULE_CREDS_UNKNOWN, uri, known_types(c));
}

/* ---- call_creds ---- */

static void check_token_config(struct checker *c, const struct xds_path *at,
                               const struct xds_tree *item)
{
    static const char name[] = "jwt_token_file";
    const struct xds_path *up = XDS_AT(at, "config");
    const struct xds_tree *value = xds_tree_member(item, "config"), *config, *file;

    if (!take(c, up, value, WANT_OBJECT, NULL_FOR_BOTH, &config))
        return;
    if (!value && is_one_of(c, XDS_GO)) {
        plain_fault(c, up, item, RULE_CALL_CONFIG_ABSENT);
        return;
    }
    if (!take(c, XDS_AT(up, name), config ? xds_tree_member(config, name) : NULL,
              WANT_STRING, NULL_FOR_BOTH, &file))
        return;
    if (!file)
        plain_fault(c, XDS_AT(up, name), config ? config : item, RULE_TOKEN_FILE_ABSENT);
    else if (is_empty(file))
        plain_fault(c, XDS_AT(up, name), file, RULE_TOKEN_FILE_EMPTY);
}

static void check_call_creds_item(struct checker *c, const struct xds_path *at,
                                  const struct xds_tree *value, bool is_on)
{
    const struct xds_tree *item, *type, *config;

    if (!take(c, at, value, WANT_OBJECT, NULL_FOR_GO, &item) || !item ||
        !take_member(c, at, item, "type", WANT_STRING, NULL_FOR_GO, &type))
        return;
    if (!type)
        plain_fault(c, XDS_AT(at, "type"), item, RULE_CALL_TYPE_ABSENT);
    else if (is_on && xds_slice_is(type->text, "jwt_token_file"))
        check_token_config(c, at, item);
    else if (is_one_of(c, XDS_CORE))
        (void)take_member(c, at, item, "config", WANT_OBJECT, NULL_FOR_BOTH, &config);
}

/* go looks at their shape also where they are off. */
static void check_call_creds(struct checker *c, const struct xds_path *up,
                             const struct xds_tree *server)
{
    static const char name[] = "call_creds";
    const enum xds_call_creds reads = xds_call_creds_of(c->who, c->options);
    const bool is_on = reads == XDS_CALL_CREDS_READ;
    const struct xds_tree *list;

    if (!is_on && !(reads == XDS_CALL_CREDS_OFF && is_one_of(c, XDS_GO)))
        return;
    if (!take_member(c, up, server, name, WANT_ARRAY, NULL_FOR_GO, &list) || !list)
        return;
    for (size_t i = 0; i < list->n; i++)
        check_call_creds_item(c, XDS_AT_I(up, name, i), &list->items[i], is_on);
}

/* ---- servers ---- */

static void check_server(struct checker *c, const struct xds_path *at,
                         const struct xds_tree *value)
{
    const struct xds_tree *server, *uri, *features, *feature;

    if (!take(c, at, value, WANT_OBJECT, NULL_FOR_GO, &server))
        return;
    if (!server) {
        plain_fault(c, at, value, RULE_NULL_ENTRY);
        return;
    }
    if (!take_member(c, at, server, "server_uri", WANT_STRING, NULL_FOR_GO, &uri))
        uri = NULL;
    else if (!uri)
        plain_fault(c, XDS_AT(at, "server_uri"), server, RULE_URI_ABSENT);
    else if (is_empty(uri))
        plain_fault(c, XDS_AT(at, "server_uri"), uri, RULE_URI_EMPTY);
    check_channel_creds(c, at, server, uri ? uri->text : XDS_S(""));
    check_call_creds(c, at, server);
    if (!take_member(c, at, server, "server_features", WANT_ARRAY, NULL_FOR_GO,
                     &features) ||
        !features || !is_one_of(c, XDS_GO))
        return;
    for (size_t i = 0; i < features->n; i++)
        (void)take(c, XDS_AT_I(at, "server_features", i), &features->items[i],
                   WANT_STRING, NULL_FOR_GO, &feature);
}

static void check_servers(struct checker *c, const struct xds_path *up,
                          const struct xds_tree *list)
{
    for (size_t i = 0; i < list->n; i++)
        check_server(c, XDS_AT_I(up, "xds_servers", i), &list->items[i]);
}

static void check_own_servers(struct checker *c, const struct xds_tree *root)
{
    const struct xds_tree *list;

    if (!take_member(c, NULL, root, "xds_servers", WANT_ARRAY, NULL_FOR_BOTH, &list))
        return;
    if (!list)
        plain_fault(c, XDS_AT(NULL, "xds_servers"), root, RULE_SERVERS_ABSENT);
    else if (list->n == 0)
        plain_fault(c, XDS_AT(NULL, "xds_servers"), list, RULE_SERVERS_EMPTY);
    else
        check_servers(c, NULL, list);
}

/* ---- the rest ---- */

static void check_node(struct checker *c, const struct xds_tree *root)
{
    const struct xds_path *at = XDS_AT(NULL, "node");
    const struct xds_tree *node, *locality, *metadata;

    if (!take_member(c, NULL, root, "node", WANT_OBJECT, NULL_FOR_BOTH, &node) || !node)
        return;
    check_text(c, at, node, "id");
    check_text(c, at, node, "cluster");
    (void)take_member(c, at, node, "metadata", WANT_OBJECT, NULL_FOR_BOTH, &metadata);
    if (!take_member(c, at, node, "locality", WANT_OBJECT, NULL_FOR_BOTH, &locality) ||
        !locality)
        return;
    check_text(c, XDS_AT(at, "locality"), locality, "region");
    check_text(c, XDS_AT(at, "locality"), locality, "zone");
    check_text(c, XDS_AT(at, "locality"), locality, "sub_zone");
}

static struct xds_slice quoted(struct checker *c, struct xds_slice key)
{
    return xds_arena_printf(c->arena, "\"%.*s\"", XDS_FMT(key));
}

/* file_watcher is the plugin that all clients have; core knows no other. */
static void check_provider(struct checker *c, const struct xds_path *at,
                           const struct xds_tree *value)
{
    const struct xds_tree *item, *plugin, *config;

    if (!take(c, at, value, WANT_OBJECT, NULL_FOR_GO, &item) || !item ||
        !take_member(c, at, item, "plugin_name", WANT_STRING, NULL_FOR_GO, &plugin))
        return;
    if (!plugin) {
        plain_fault(c, XDS_AT(at, "plugin_name"), item, RULE_PLUGIN_ABSENT);
        return;
    }
    const bool is_known = xds_slice_is(plugin->text, "file_watcher");
    const struct xds_path *below = XDS_AT(at, "config");

    if (!is_known && plugin->text.len > 0)
        fault(c, XDS_AT(at, "plugin_name"), plugin, RULE_PLUGIN_UNKNOWN, plugin->text,
              XDS_S(""));
    if ((!is_known && !is_one_of(c, XDS_JAVA)) ||
        !take(c, below, xds_tree_member(item, "config"), WANT_OBJECT, NULL_FOR_GO,
              &config))
        return;
    if (!config)
        plain_fault(c, below, item, RULE_PLUGIN_CONFIG_ABSENT);
    if (!config && is_known)
        plain_fault(c, below, item, RULE_FILES_NONE);
    if (config && is_known && !is_one_of(c, XDS_JAVA))
        check_files(c, below, config, true);
}

static void check_providers(struct checker *c, const struct xds_tree *root)
{
    static const char name[] = "certificate_providers";
    const struct xds_tree *all;

    if (!take_member(c, NULL, root, name, WANT_OBJECT, NULL_FOR_BOTH, &all) || !all)
        return;
    for (size_t i = 0; i < all->n; i++)
        check_provider(c, XDS_AT_KEY(NULL, name, quoted(c, all->items[i].key)),
                       &all->items[i]);
}

static void check_template(struct checker *c, const struct xds_path *up,
                           const struct xds_tree *item)
{
    static const char name[] = "client_listener_resource_name_template";
    const struct xds_tree *text;

    if (!take_member(c, up, item, name, WANT_STRING, NULL_FOR_BOTH, &text) || !text ||
        (is_empty(text) && is_one_of(c, XDS_GO)))
        return;
    /* go does not look at the slash that ends the authority. */
    const struct xds_slice prefix = xds_arena_printf(
        c->arena, "xdstp://%.*s%s", XDS_FMT(item->key), is_one_of(c, XDS_GO) ? "" : "/");

    if (!xds_slice_starts(text->text, prefix))
        fault(c, XDS_AT(up, name), text, RULE_TEMPLATE_PREFIX, item->key, text->text);
}

static void check_authority(struct checker *c, const struct xds_path *at,
                            const struct xds_tree *value)
{
    const struct xds_tree *item, *servers;

    if (!take(c, at, value, WANT_OBJECT, NULL_FOR_GO, &item))
        return;
    if (!item) {
        plain_fault(c, at, value, RULE_NULL_ENTRY);
        return;
    }
    check_template(c, at, item);
    if (take_member(c, at, item, "xds_servers", WANT_ARRAY, NULL_FOR_BOTH, &servers) &&
        servers)
        check_servers(c, at, servers);
}

static void check_authorities(struct checker *c, const struct xds_tree *root)
{
    static const char name[] = "authorities";
    const struct xds_tree *all;

    if (!take_member(c, NULL, root, name, WANT_OBJECT, NULL_FOR_BOTH, &all) || !all)
        return;
    for (size_t i = 0; i < all->n; i++)
        check_authority(c, XDS_AT_KEY(NULL, name, quoted(c, all->items[i].key)),
                        &all->items[i]);
}

/* Its parser refuses the text: nothing else is looked at. False: there is one. */
static bool check_keys(struct checker *c, const struct xds_tree *tree)
{
    const struct xds_tree *twice =
        tree->kind == XDS_TREE_OBJECT ? xds_tree_twice(c->arena, tree) : NULL;

    if (twice && words_of[RULE_DUPLICATE_KEY][c->as]) {
        struct xds_tree where = *twice;

        where.line = twice->key_line;
        where.column = twice->key_column;
        fault(c, NULL, &where, RULE_DUPLICATE_KEY, twice->key, XDS_S(""));
        return false;
    }
    for (size_t i = 0; i < tree->n; i++)
        if (!check_keys(c, &tree->items[i]))
            return false;
    return true;
}

static void check_root(struct checker *c, const struct xds_tree *value)
{
    const struct xds_tree *root;

    if (!check_keys(c, value))
        return;
    if (!take(c, NULL, value, WANT_OBJECT, NULL_FOR_GO, &root))
        return;
    if (!root) {
        plain_fault(c, XDS_AT(NULL, "xds_servers"), value, RULE_SERVERS_ABSENT);
        return;
    }
    check_own_servers(c, root);
    check_node(c, root);
    check_providers(c, root);
    check_text(c, NULL, root, "server_listener_resource_name_template");
    check_text(c, NULL, root, "client_default_listener_resource_name_template");
    check_authorities(c, root);
}

struct job {
    struct checker checker;
    const struct xds_tree *root;
};

static void run(void *arg)
{
    struct job *job = arg;

    check_root(&job->checker, job->root);
}

enum xds_status xds_bootstrap_check(struct xds_parsed *bootstrap,
                                    struct xds_client_release who,
                                    const struct xds_options *options,
                                    const struct xds_bootstrap_fault **faults, size_t *n)
{
    struct xds_arena *const arenas[] = {&bootstrap->arena};
    struct job job = {.checker = {.arena = &bootstrap->arena,
                                  .options = options,
                                  .who = who,
                                  .as = xds_client_as(who.client)},
                      .root = &bootstrap->tree};

    *faults = NULL;
    *n = 0;
    if (bootstrap->fault.data || !is_covered(who))
        return XDS_OK;
    const enum xds_status status = xds_arena_guard(arenas, 1, run, &job);

    if (status == XDS_OK) {
        *faults = job.checker.list;
        *n = job.checker.n;
    }
    return status;
}

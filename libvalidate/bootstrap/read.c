/*
 * read.c - what the gRPC bootstrap says that changes a verdict.
 *
 * Fails:  on what is no object, and on members of the wrong type.
 * Source: gRFC A27, A29, A81, draft A102.
 */
#include "bootstrap/bootstrap.h"
#include "include/xdscope/document.h"
#include "source/tree_read.h"

/* "trusted_xds_server" among the features of the first server. A feature that is no text
 * is one that gRPC does not know. */
static bool read_features(const struct xds_tree *server, struct xds_options *options)
{
    const struct xds_tree *features = xds_tree_member(server, "server_features");

    if (!features)
        return true;
    for (size_t i = 0; i < features->n; i++)
        if (features->items[i].kind == XDS_TREE_STRING &&
            xds_slice_is(features->items[i].text, "trusted_xds_server"))
            options->bootstrap.trusted_xds_server = true;
    return features->kind == XDS_TREE_ARRAY;
}

/* The keys of an object of objects; nothing when there is no object. */
static bool read_keys(struct xds_arena *arena, const struct xds_tree *object,
                      const struct xds_slice **names, size_t *n)
{
    struct xds_slice *list;

    if (!object)
        return true;
    if (object->kind != XDS_TREE_OBJECT)
        return false;
    list = XDS_NEW_ARRAY(arena, struct xds_slice, object->n);
    for (size_t i = 0; i < object->n; i++) {
        if (object->items[i].kind != XDS_TREE_OBJECT)
            return false;
        list[i] = object->items[i].key;
    }
    *names = list;
    *n = object->n;
    return true;
}

/* A template for names, "xdstp://a/envoy.config.listener.v3.Listener/%s"; what is no text
 * counts as absent. */
static struct xds_slice read_template(const struct xds_tree *object, const char *name)
{
    const struct xds_tree *template = xds_tree_member(object, name);

    return template && template->kind == XDS_TREE_STRING ? template->text
                                                         : xds_slice_make(NULL, 0);
}

/* gRFC A47. */
static bool read_authorities(struct xds_arena *arena, const struct xds_tree *object,
                             struct xds_options *options)
{
    struct xds_authority *list;

    if (!object)
        return true;
    if (object->kind != XDS_TREE_OBJECT)
        return false;
    list = XDS_NEW_ARRAY(arena, struct xds_authority, object->n);
    for (size_t i = 0; i < object->n; i++) {
        const struct xds_tree *item = &object->items[i];

        if (item->kind != XDS_TREE_OBJECT)
            return false;
        list[i] = (struct xds_authority){
            item->key, read_template(item, "client_listener_resource_name_template")};
    }
    options->bootstrap.authorities = list;
    options->bootstrap.n_authorities = object->n;
    return true;
}

const char *xds_bootstrap_read(struct xds_arena *arena, const struct xds_tree *root,
                               struct xds_options *options)
{
    if (root->kind != XDS_TREE_OBJECT)
        return "not a JSON object";
    const struct xds_tree *servers = xds_tree_member(root, "xds_servers");
    const struct xds_tree *providers = xds_tree_member(root, "certificate_providers");

    if (!servers || servers->kind != XDS_TREE_ARRAY || servers->n == 0 ||
        servers->items[0].kind != XDS_TREE_OBJECT)
        return "xds_servers must be a list of at least one object";
    if (!read_features(&servers->items[0], options))
        return "xds_servers[0].server_features is not a list";
    if (!read_keys(arena, providers, &options->bootstrap.provider_instances,
                   &options->bootstrap.n_provider_instances))
        return "certificate_providers is not an object of objects";

    /* plugin_name of each of the providers, "" for what is not a string. */
    const size_t n = providers ? providers->n : 0;
    struct xds_slice *plugins = XDS_NEW_ARRAY(arena, struct xds_slice, n);

    for (size_t i = 0; i < n; i++) {
        const struct xds_tree *name =
            xds_tree_member(&providers->items[i], "plugin_name");

        plugins[i] = name && name->kind == XDS_TREE_STRING ? name->text : XDS_S("");
    }
    options->bootstrap.provider_plugins = plugins;
    if (!read_keys(arena, xds_tree_member(root, "allowed_grpc_services"),
                   &options->bootstrap.allowed_grpc_services,
                   &options->bootstrap.n_allowed_grpc_services))
        return "allowed_grpc_services is not an object of objects";
    if (!read_authorities(arena, xds_tree_member(root, "authorities"), options))
        return "authorities is not an object of objects";
    options->bootstrap.client_listener_template =
        read_template(root, "client_default_listener_resource_name_template");
    options->bootstrap.server_listener_template =
        read_template(root, "server_listener_resource_name_template");
    options->bootstrap.is_set = true;
    return NULL;
}

struct job {
    struct xds_parsed *parsed;
    struct xds_options *options;
    const char *fault;
};

static void read_tree(void *arg)
{
    struct job *job = arg;

    job->fault =
        xds_bootstrap_read(&job->parsed->arena, &job->parsed->tree, job->options);
}

enum xds_status xds_options_set_bootstrap(struct xds_options *options,
                                          struct xds_parsed *bootstrap,
                                          const char **fault)
{
    struct xds_arena *const arenas[] = {&bootstrap->arena};
    struct job job = {.parsed = bootstrap, .options = options};

    *fault = "not valid JSON";
    if (bootstrap->fault.data)
        return XDS_ERR_USAGE;
    const enum xds_status status = xds_arena_guard(arenas, 1, read_tree, &job);

    *fault = job.fault;
    return status == XDS_OK && job.fault ? XDS_ERR_USAGE : status;
}

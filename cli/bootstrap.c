/*
 * bootstrap.c - what the gRPC bootstrap file says that changes a verdict.
 *
 * Fails:  on what is no JSON object, and on members of the wrong type.
 * Source: gRFC A27, A29, A81, draft A102.
 */
#include "cli/bootstrap.h"

#include "cli/slurp.h"

#include <cjson/cJSON.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "trusted_xds_server" among the features of the first server. */
static bool read_features(struct bootstrap *bootstrap, const cJSON *server)
{
    const cJSON *features = cJSON_GetObjectItemCaseSensitive(server, "server_features");
    const cJSON *feature;

    if (features && !cJSON_IsArray(features))
        return false;
    cJSON_ArrayForEach(feature, features)
    {
        /* A feature that is no string is one that gRPC does not know. */
        if (cJSON_IsString(feature) &&
            strcmp(feature->valuestring, "trusted_xds_server") == 0)
            bootstrap->trusted_xds_server = true;
    }
    return true;
}

/* The keys of an object of objects; nothing when there is no object. */
static bool read_keys(struct name_list *names, const cJSON *object)
{
    const cJSON *member;

    if (!object)
        return true;
    if (!cJSON_IsObject(object))
        return false;
    names->items = calloc((size_t)cJSON_GetArraySize(object) + 1, sizeof *names->items);
    if (!names->items)
        return false;
    cJSON_ArrayForEach(member, object)
    {
        if (!cJSON_IsObject(member))
            return false;
        names->items[names->n++] = slice_of(member->string);
    }
    return true;
}

/* plugin_name of each of the providers, "" for what is no text. */
static bool read_plugins(struct bootstrap *bootstrap, const cJSON *providers)
{
    struct name_list *plugins = &bootstrap->plugins;
    const cJSON *member;

    plugins->items = calloc(bootstrap->providers.n + 1, sizeof *plugins->items);
    if (!plugins->items)
        return false;
    cJSON_ArrayForEach(member, providers)
    {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(member, "plugin_name");

        plugins->items[plugins->n++] =
            slice_of(cJSON_IsString(name) ? name->valuestring : "");
    }
    return true;
}

/* NULL, or what is wrong: nothing is when errno is ENOMEM. */
static const char *read_members(struct bootstrap *bootstrap)
{
    const cJSON *root = bootstrap->json;
    const cJSON *servers = cJSON_GetObjectItemCaseSensitive(root, "xds_servers");

    errno = 0;
    if (!cJSON_IsObject(root))
        return "not a JSON object";
    if (!cJSON_IsArray(servers) || !cJSON_IsObject(cJSON_GetArrayItem(servers, 0)))
        return "xds_servers is not a list with at least one object";
    if (!read_features(bootstrap, cJSON_GetArrayItem(servers, 0)))
        return "xds_servers[0].server_features is not a list";
    if (!read_keys(&bootstrap->providers,
                   cJSON_GetObjectItemCaseSensitive(root, "certificate_providers")))
        return "certificate_providers is not an object of objects";
    if (!read_plugins(bootstrap,
                      cJSON_GetObjectItemCaseSensitive(root, "certificate_providers")))
        return "certificate_providers cannot be kept";
    if (!read_keys(&bootstrap->allowed_services,
                   cJSON_GetObjectItemCaseSensitive(root, "allowed_grpc_services")))
        return "allowed_grpc_services is not an object of objects";
    return NULL;
}

int bootstrap_read(struct bootstrap *bootstrap, const struct command *command,
                   const char *path)
{
    *bootstrap = (struct bootstrap){.json = NULL};
    const int status = slurp_json(command, path, &bootstrap->json);

    if (status != EXIT_CLEAN)
        return status;
    const char *fault = bootstrap->json ? read_members(bootstrap) : "not valid JSON";

    if (fault && errno == ENOMEM)
        return trouble_errno(command, path);
    return fault ? usage_error(command, "%s: %s", path, fault) : EXIT_CLEAN;
}

void bootstrap_release(struct bootstrap *bootstrap)
{
    free(bootstrap->providers.items);
    free(bootstrap->plugins.items);
    free(bootstrap->allowed_services.items);
    cJSON_Delete(bootstrap->json);
}

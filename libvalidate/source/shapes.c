/*
 * shapes.c - the containers of resources: which of their keys lead where.
 *
 * Source: envoy.service.discovery.v3, envoy.service.status.v3, envoy.admin.v3 and
 *         envoy.config.bootstrap.v3 of the data-plane API.
 */
#include "source/walk.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/text.h"

#define SKIP XDS_PLACE_SKIP
#define ROOT XDS_PLACE_ROOT
#define STATIC XDS_PLACE_STATIC
#define DUMP XDS_PLACE_DUMP
#define ENTRY XDS_PLACE_DUMP_ENTRY
#define CLIENT XDS_PLACE_CLIENT
#define ERROR XDS_PLACE_ERROR
#define NODE XDS_PLACE_NODE
#define PER_XDS XDS_PLACE_PER_XDS
#define GENERIC XDS_PLACE_GENERIC
#define RESOURCE XDS_PLACE_RESOURCE
#define RESOURCES XDS_PLACE_RESOURCES

/* ROOT also has the rows of DUMP, CLIENT and BOOTSTRAP. A row to SKIP says that its key
 * marks a container. */
static const struct xds_shape shapes[] = {
    /* DiscoveryResponse, DeltaDiscoveryResponse */
    {ROOT, "resources", XDS_PLACE_ANYS, XDS_TYPE_UNKNOWN},
    {ROOT, "type_url", XDS_PLACE_RESPONSE_TYPE, XDS_TYPE_UNKNOWN},
    {ROOT, "version_info", SKIP, XDS_TYPE_UNKNOWN},
    {ROOT, "system_version_info", SKIP, XDS_TYPE_UNKNOWN},
    {ROOT, "nonce", SKIP, XDS_TYPE_UNKNOWN},
    {ROOT, "canary", SKIP, XDS_TYPE_UNKNOWN},
    {ROOT, "control_plane", SKIP, XDS_TYPE_UNKNOWN},
    {ROOT, "removed_resources", SKIP, XDS_TYPE_UNKNOWN},
    /* resources by type */
    {ROOT, "listeners", RESOURCES, XDS_TYPE_LISTENER},
    {ROOT, "routes", RESOURCES, XDS_TYPE_ROUTE},
    {ROOT, "clusters", RESOURCES, XDS_TYPE_CLUSTER},
    {ROOT, "endpoints", RESOURCES, XDS_TYPE_ENDPOINT},
    {ROOT, "secrets", SKIP, XDS_TYPE_UNKNOWN},
    {ROOT, "runtimes", SKIP, XDS_TYPE_UNKNOWN},
    {ROOT, "extension_configs", SKIP, XDS_TYPE_UNKNOWN},
    /* ClientStatusResponse; config_dump; dumps of several proxies by name */
    {ROOT, "config", CLIENT, XDS_TYPE_UNKNOWN},
    {ROOT, "configs", DUMP, XDS_TYPE_UNKNOWN},
    {ROOT, "xds", XDS_PLACE_NAMED, XDS_TYPE_UNKNOWN},
    {XDS_PLACE_WRAPPER, "resource", RESOURCE, XDS_TYPE_UNKNOWN},
    /* ClientConfig: who it is; before the row of a Bootstrap, which is not asked that */
    {CLIENT, "node", NODE, XDS_TYPE_UNKNOWN},
    {CLIENT, "client_scope", XDS_PLACE_SCOPE, XDS_TYPE_UNKNOWN},
    {NODE, "id", XDS_PLACE_NODE_ID, XDS_TYPE_UNKNOWN},
    {NODE, "user_agent_name", XDS_PLACE_AGENT_NAME, XDS_TYPE_UNKNOWN},
    {NODE, "user_agent_version", XDS_PLACE_AGENT_VERSION, XDS_TYPE_UNKNOWN},
    {NODE, "metadata", XDS_PLACE_METADATA, XDS_TYPE_UNKNOWN},
    {XDS_PLACE_METADATA, XDS_BOOTSTRAP_KEY, XDS_PLACE_BOOTSTRAP_NAMES, XDS_TYPE_UNKNOWN},
    /* Bootstrap */
    {XDS_PLACE_BOOTSTRAP, "static_resources", STATIC, XDS_TYPE_UNKNOWN},
    {XDS_PLACE_BOOTSTRAP, "dynamic_resources", SKIP, XDS_TYPE_UNKNOWN},
    {XDS_PLACE_BOOTSTRAP, "admin", SKIP, XDS_TYPE_UNKNOWN},
    {XDS_PLACE_BOOTSTRAP, "node", SKIP, XDS_TYPE_UNKNOWN},
    {STATIC, "listeners", RESOURCES, XDS_TYPE_LISTENER},
    {STATIC, "clusters", RESOURCES, XDS_TYPE_CLUSTER},
    /* the dumps of envoy.admin.v3 */
    {DUMP, "bootstrap", XDS_PLACE_BOOTSTRAP, XDS_TYPE_UNKNOWN},
    {DUMP, "static_listeners", ENTRY, XDS_TYPE_LISTENER},
    {DUMP, "dynamic_listeners", ENTRY, XDS_TYPE_LISTENER},
    {DUMP, "static_route_configs", ENTRY, XDS_TYPE_ROUTE},
    {DUMP, "dynamic_route_configs", ENTRY, XDS_TYPE_ROUTE},
    {DUMP, "static_clusters", ENTRY, XDS_TYPE_CLUSTER},
    {DUMP, "dynamic_active_clusters", ENTRY, XDS_TYPE_CLUSTER},
    {DUMP, "dynamic_warming_clusters", ENTRY, XDS_TYPE_CLUSTER},
    {DUMP, "static_endpoint_configs", ENTRY, XDS_TYPE_ENDPOINT},
    {DUMP, "dynamic_endpoint_configs", ENTRY, XDS_TYPE_ENDPOINT},
    {ENTRY, "active_state", ENTRY, XDS_TYPE_UNKNOWN},
    {ENTRY, "warming_state", ENTRY, XDS_TYPE_UNKNOWN},
    {ENTRY, "error_state", ERROR, XDS_TYPE_UNKNOWN},
    {ENTRY, "listener", RESOURCE, XDS_TYPE_LISTENER},
    {ENTRY, "route_config", RESOURCE, XDS_TYPE_ROUTE},
    {ENTRY, "cluster", RESOURCE, XDS_TYPE_CLUSTER},
    {ENTRY, "endpoint_config", RESOURCE, XDS_TYPE_ENDPOINT},
    /* ClientConfig */
    {CLIENT, "xds_config", PER_XDS, XDS_TYPE_UNKNOWN},
    {CLIENT, "generic_xds_configs", GENERIC, XDS_TYPE_UNKNOWN},
    {PER_XDS, "listener_config", DUMP, XDS_TYPE_UNKNOWN},
    {PER_XDS, "route_config", DUMP, XDS_TYPE_UNKNOWN},
    {PER_XDS, "cluster_config", DUMP, XDS_TYPE_UNKNOWN},
    {PER_XDS, "endpoint_config", DUMP, XDS_TYPE_UNKNOWN},
    {GENERIC, "type_url", XDS_PLACE_RESPONSE_TYPE, XDS_TYPE_UNKNOWN},
    {GENERIC, "xds_config", RESOURCE, XDS_TYPE_UNKNOWN},
    {GENERIC, "error_state", ERROR, XDS_TYPE_UNKNOWN},
    /* UpdateFailureState */
    {ERROR, "failed_configuration", RESOURCE, XDS_TYPE_UNKNOWN},
};

/* True when key is `snake` or its lowerCamelCase form. */
bool xds_shape_key_is(struct xds_slice key, const char *snake)
{
    size_t i = 0;

    for (; i < key.len && *snake; i++, snake++) {
        const bool camel = *snake == '_' && key.data[i] != '_' && snake[1] != '\0';
        const char upper = camel ? (char)(*++snake - 'a' + 'A') : *snake;

        if (key.data[i] != upper)
            return false;
    }
    return i == key.len && *snake == '\0';
}

static bool has_rows_of(enum xds_place_kind place, enum xds_place_kind in)
{
    return place == in ||
           (place == ROOT && (in == DUMP || in == CLIENT || in == XDS_PLACE_BOOTSTRAP));
}

/* The row of a key at a place, or NULL: then the value is of no interest. */
const struct xds_shape *xds_shape_find(enum xds_place_kind in, struct xds_slice key)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(shapes); i++) {
        if (has_rows_of(in, shapes[i].in) && xds_shape_key_is(key, shapes[i].key))
            return &shapes[i];
    }
    return NULL;
}

bool xds_is_settings(struct xds_slice file)
{
    return xds_slice_ends(file, XDS_S("xdscope.conf"));
}

/* ---- keys of lists, written in another way ---- */

static const struct {
    const char *key, *meant;
} other_names[] = {
    {"route_configs", "routes"},
    {"route_configurations", "routes"},
    {"cluster_load_assignments", "endpoints"},
    {"load_assignments", "endpoints"},
    {"virtual_hosts", "routes"},
};

enum { LONGEST_KEY = 40 };

static const char *meant_by(enum xds_place_kind in, struct xds_slice key)
{
    struct xds_nearest nearest;
    char lower[LONGEST_KEY];

    if (key.len > sizeof lower)
        return NULL;
    for (size_t i = 0; i < key.len; i++)
        lower[i] = xds_ascii_lower(key.data[i]);
    for (size_t i = 0; i < XDS_ARRAY_LEN(other_names); i++)
        if (xds_shape_key_is(key, other_names[i].key))
            return other_names[i].meant;
    nearest = xds_nearest_to(xds_slice_make(lower, key.len));
    for (size_t i = 0; i < XDS_ARRAY_LEN(shapes); i++)
        if (shapes[i].in == in && shapes[i].to == RESOURCES)
            xds_nearest_offer(&nearest, shapes[i].key);
    return nearest.best;
}

void xds_misspelt_look(struct xds_reader *reader, struct xds_arena *arena,
                       enum xds_place_kind in, const struct xds_token *key,
                       struct xds_misspelt *out)
{
    *out = (struct xds_misspelt){
        .meant = in == ROOT || in == STATIC ? meant_by(in, key->text) : NULL};
    if (!out->meant)
        return;
    out->key = xds_arena_dup(arena, key->text);
    out->at = reader->ops->place(reader, key);
}

void xds_misspelt_report(struct xds_report *report, const struct xds_misspelt *misspelt,
                         const struct xds_token *value)
{
    if (misspelt->meant &&
        (value->kind == XDS_TOKEN_ARRAY || value->kind == XDS_TOKEN_OBJECT))
        xds_report_at(report, xds_rule_row(XDS_R_SRC_KEY), XDS_NO_RESOURCE, misspelt->at,
                      "unknown key \"%.*s\", and what is under it is not read; did you "
                      "mean \"%s\"?",
                      XDS_FMT(misspelt->key), misspelt->meant);
}

/* What is after the last slash of a type URL. */
static struct xds_slice type_name(struct xds_slice type_url)
{
    size_t at = type_url.len;

    while (at > 0 && type_url.data[at - 1] != '/')
        at--;
    return xds_slice_from(type_url, at);
}

bool xds_is_wrapper(struct xds_slice type_url)
{
    const struct xds_slice name = XDS_S("envoy.service.discovery.v3.Resource");

    return xds_slice_ends(type_url, name) &&
           (type_url.len == name.len ||
            type_url.data[type_url.len - name.len - 1] == '/');
}

/* True for the message types that are containers, by type URL. */
bool xds_shape_is_container(struct xds_slice type_url)
{
    static const char *const beginnings[] = {
        "envoy.admin.v3.",
        "envoy.config.bootstrap.v3.",
        "envoy.service.discovery.v3.DeltaDiscoveryResponse",
        "envoy.service.discovery.v3.DiscoveryResponse",
        "envoy.service.status.v3.",
    };
    const struct xds_slice name = type_name(type_url);

    for (size_t i = 0; i < XDS_ARRAY_LEN(beginnings); i++) {
        if (xds_slice_starts(name, xds_slice_of(beginnings[i])))
            return true;
    }
    return false;
}

/* True for containers, resources and what wraps them: not for other messages in an Any.
 */
bool xds_shape_is_xds(struct xds_slice type_url)
{
    const struct xds_slice name = type_name(type_url);

    return xds_resource_type_from_name(name) != XDS_TYPE_UNKNOWN ||
           xds_shape_is_container(type_url) || xds_is_wrapper(type_url) ||
           xds_slice_is(name, XDS_SECRET) || xds_slice_is(name, XDS_RUNTIME) ||
           xds_slice_is(name, XDS_EXTENSION);
}

/* Messages that hold resources, or are some: of today, and of xDS v2. */
static const struct {
    const char *name, *v2;
} messages[] = {
    {"envoy.config.listener.v3.Listener", "envoy.api.v2.Listener"},
    {"envoy.config.route.v3.RouteConfiguration", "envoy.api.v2.RouteConfiguration"},
    {"envoy.config.cluster.v3.Cluster", "envoy.api.v2.Cluster"},
    {"envoy.config.endpoint.v3.ClusterLoadAssignment",
     "envoy.api.v2.ClusterLoadAssignment"},
    {"envoy.service.discovery.v3.DiscoveryResponse", "envoy.api.v2.DiscoveryResponse"},
    {"envoy.service.discovery.v3.DeltaDiscoveryResponse",
     "envoy.api.v2.DeltaDiscoveryResponse"},
    {"envoy.service.discovery.v3.Resource", "envoy.api.v2.Resource"},
    {"envoy.service.status.v3.ClientStatusResponse",
     "envoy.service.status.v2.ClientStatusResponse"},
    {"envoy.service.status.v3.ClientConfig", "envoy.service.status.v2.ClientConfig"},
    {"envoy.config.bootstrap.v3.Bootstrap", "envoy.config.bootstrap.v2.Bootstrap"},
};

/* What is after the last dot. */
static struct xds_slice message_of(struct xds_slice name)
{
    size_t at = name.len;

    while (at > 0 && name.data[at - 1] != '.')
        at--;
    return xds_slice_from(name, at);
}

/* The same message of another package of Envoy, or of none; a package of somebody else
 * has its own messages. */
static bool is_same_message(struct xds_slice name, const char *message)
{
    const bool is_ours = xds_slice_starts(name, XDS_S("envoy.")) ||
                         !(name.len > 0 && memchr(name.data, '.', name.len));

    return is_ours && xds_slice_eq(message_of(name), message_of(xds_slice_of(message)));
}

struct xds_slice xds_shape_why_not(struct xds_arena *arena, struct xds_slice type_url)
{
    const struct xds_slice name = type_name(type_url);
    struct xds_nearest nearest = xds_nearest_to(name);

    if (xds_shape_is_xds(type_url))
        return (struct xds_slice){NULL, 0};
    for (size_t i = 0; i < XDS_ARRAY_LEN(messages); i++) {
        if (xds_slice_is(name, messages[i].v2))
            return xds_arena_printf(arena,
                                    "\"%.*s\" is of xDS v2, and clients of today read v3 "
                                    "only; the type of v3 is \"%s\"",
                                    XDS_FMT(name), messages[i].name);
        if (is_same_message(name, messages[i].name))
            nearest = (struct xds_nearest){name, 0, messages[i].name};
        xds_nearest_offer(&nearest, messages[i].name);
    }
    if (!nearest.best)
        return (struct xds_slice){NULL, 0};
    return xds_arena_printf(arena, "\"%.*s\" is not a type of xDS%.*s",
                            XDS_FMT(xds_slice_clip(name, 200)),
                            XDS_FMT(xds_nearest_words(arena, nearest.best)));
}

/* Keys that mark a container and that other documents have as well. */
bool xds_shape_is_common(const struct xds_shape *shape)
{
    static const char *const keys[] = {"admin",    "bootstrap", "canary", "config",
                                       "configs",  "node",      "nonce",  "secrets",
                                       "type_url", "xds"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(keys); i++)
        if (strcmp(shape->key, keys[i]) == 0)
            return true;
    return false;
}

/* True for the keys with which ClusterLoadAssignments begin, not LocalityLbEndpoints. */
bool xds_shape_is_assignment_key(struct xds_slice key)
{
    static const char *const keys[] = {"@type",  "cluster_name",    "endpoints", "name",
                                       "policy", "named_endpoints", "resource"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(keys); i++) {
        if (xds_shape_key_is(key, keys[i]))
            return true;
    }
    return false;
}

/* A name of a Go field in a Snapshot of go-control-plane, or of a oneof in a message. */
bool xds_shape_is_go(struct xds_slice key)
{
    static const char *const keys[] = {
        "ClusterDiscoveryType", "HostIdentifier", "Items",     "LbConfig",
        "ListenerSpecifier",    "PathSpecifier",  "Resources", "VersionMap"};

    if (key.len == 0 || key.data[0] < 'A' || key.data[0] > 'Z')
        return false;
    for (size_t i = 0; i < XDS_ARRAY_LEN(keys); i++)
        if (xds_slice_is(key, keys[i]))
            return true;
    return false;
}

/* Resources by their names, none of which says its type. */
struct xds_slice xds_shape_map_advice(struct xds_arena *arena,
                                      enum xds_resource_type type)
{
    static const char *const names[][2] = {
        [XDS_TYPE_UNKNOWN] = {"resource", "TYPE"},
        [XDS_TYPE_LISTENER] = {"Listener", "listener"},
        [XDS_TYPE_ROUTE] = {"RouteConfiguration", "route"},
        [XDS_TYPE_CLUSTER] = {"Cluster", "cluster"},
        [XDS_TYPE_ENDPOINT] = {"ClusterLoadAssignment", "endpoint"},
    };
    const char *const *name = names[type];

    return xds_arena_printf(
        arena,
        "cannot tell the resource type: it is a map of %ss without \"@type\"; print each "
        "with protojson into an Any, or judge them one by one: jq -c '.[]' FILE | "
        "xdscope "
        "lint --type %s -",
        name[0], name[1]);
}

/* An Any by itself that is not written out, as encoding/json prints it. */
bool xds_shape_is_packed(const struct xds_probe *found)
{
    return found->packed_value.data && !found->type_url.len &&
           xds_shape_is_xds(found->packed) && !xds_shape_is_container(found->packed);
}

/* Of Go, Helm or Jinja: "{{ .Values.name }}", "{% if %}". */
bool xds_shape_is_template(struct xds_slice text)
{
    for (size_t i = 0; i + 2 < text.len; i++)
        if (text.data[i] == '{' &&
            (text.data[i + 1] == '%' ||
             (text.data[i + 1] == '{' && memchr(" -.$#", text.data[i + 2], 5))))
            return true;
    return false;
}

/* Is an "@type" of xDS in an object that was just entered, or in the objects in it? It
 * ends there, or after the object. */
static bool holds_type(struct xds_reader *reader, unsigned levels)
{
    struct xds_token key, value;

    for (;;) {
        reader->ops->next(reader, &key);
        if (key.kind != XDS_TOKEN_KEY)
            return false;
        reader->ops->next(reader, &value);
        if (xds_token_is(&key, "@type") && value.kind == XDS_TOKEN_STRING &&
            xds_shape_is_xds(xds_plain_text(&value, reader->scratch)))
            return true;
        if (value.kind != XDS_TOKEN_OBJECT || levels == 0)
            reader->ops->skip(reader, &value);
        else if (holds_type(reader, levels - 1))
            return true;
        if (reader->failed)
            return false;
    }
}

bool xds_leads_to_type(struct xds_reader *reader)
{
    struct xds_token token;
    bool found = false;

    reader->ops->mark(reader);
    reader->ops->next(reader, &token);
    if (token.kind == XDS_TOKEN_KEY) {
        reader->ops->next(reader, &token);
        if (token.kind == XDS_TOKEN_OBJECT)
            found = holds_type(reader, XDS_SEARCH_LEVELS - 1) ||
                    (!reader->failed && holds_type(reader, XDS_SEARCH_LEVELS));
    }
    reader->ops->rewind(reader);
    reader->failed = false; /* a fault will be met again, in its turn */
    return found;
}

void xds_report_no_type(struct xds_report *report, struct xds_place at,
                        struct xds_slice why)
{
    xds_report_at(report, xds_rule_row(XDS_R_SRC_NO_TYPE), XDS_NO_RESOURCE, at, "%.*s",
                  XDS_FMT(why));
}

bool xds_probe_bytes(const struct xds_reader *reader, const struct xds_probe *found,
                     struct xds_slice *out)
{
    const struct xds_slice text = found->packed_value;
    size_t n = 0;

    *out = text.data ? text : XDS_S("");
    if (reader->repeats || text.len == 0)
        return text.data || reader->repeats;
    char *bytes = xds_arena_alloc(reader->scratch, text.len);

    *out = xds_slice_make(bytes, 0);
    if (!xds_base64_decode(text, XDS_BASE64_JSON, bytes, text.len, &n))
        return false;
    out->len = n;
    return true;
}

enum xds_place_kind xds_shape_item_place(enum xds_place_kind place)
{
    if (place == XDS_PLACE_RESOURCES || place == XDS_PLACE_ANYS)
        return XDS_PLACE_RESOURCE;
    return place == XDS_PLACE_NAMED ? XDS_PLACE_DOCUMENT : place;
}

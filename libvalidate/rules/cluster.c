/*
 * cluster.c - turn envoy.config.cluster.v3.Cluster into the model.
 *
 * Source: spec cluster 1; gRFC A27, A37, A47, A75.
 */
#include "decode/field.h"
#include "decode/wire.h"
#include "rules/inner.h"
#include "rules/lb_policy/registry.h"

/* ---- EDS ---- */

#define SOURCE(arm) ENVOY__CONFIG__CORE__V3__CONFIG_SOURCE__CONFIG_SOURCE_SPECIFIER_##arm

/* The readers that see an xdstp name here. */
static xds_readers xdstp_seen_by(const struct xds_ctx *ctx, struct xds_slice name)
{
    const struct xds_slice scheme = XDS_S("xdstp:");

    if (xds_slice_starts(name, scheme))
        return XDS_EVERYONE;
    return name.len >= scheme.len &&
                   xds_slice_eq_fold(xds_slice_make(name.data, scheme.len), scheme)
               ? xds_who(ctx, XDS_DIFF_XDSTP_IN_ANY_CASE)
               : 0;
}

static void read_eds(struct xds_ctx *ctx, const pb_cluster *pb, struct xds_cluster *out)
{
    const pb_cluster_eds_cluster_config *eds = pb->eds_cluster_config;
    const pb_config_source *source = eds ? eds->eds_config : NULL;
    const struct xds_path *at = XDS_AT(NULL, "eds_cluster_config");

    out->kind = XDS_CLUSTER_EDS;
    out->eds_name = out->name;
    if (!source)
        xds_fire(ctx, eds ? XDS_AT(at, "eds_config") : at, XDS_R_CLUSTER_EDS_CONFIG);
    if (!eds)
        return;
    if (source && source->config_source_specifier_case != SOURCE(ADS) &&
        source->config_source_specifier_case != SOURCE(SELF))
        xds_fire_with(ctx, at, XDS_R_CLUSTER_EDS_SOURCE,
                      XDS_WITH(xds_source_name(source)));
    if (!*eds->service_name) {
        xds_fire_for(ctx, at, xdstp_seen_by(ctx, out->name), XDS_R_CLUSTER_EDS_NAME,
                     XDS_WITH(out->name));
        return;
    }
    out->eds_name = xds_text(ctx, eds->service_name);
    xds_reference_read(ctx, XDS_AT(at, "service_name"), XDS_TYPE_ENDPOINT, out->eds_name);
}

/* ---- LOGICAL_DNS ---- */

#define PORT(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PORT_SPECIFIER_##arm
#define ADDRESS(arm) ENVOY__CONFIG__CORE__V3__ADDRESS__ADDRESS_##arm
#define HOST(arm) ENVOY__CONFIG__ENDPOINT__V3__LB_ENDPOINT__HOST_IDENTIFIER_##arm

/* NULL, and what is missing first is reported. */
static const pb_socket_address *
socket_address(struct xds_ctx *ctx, const struct xds_path *at, const pb_lb_endpoint *pb)
{
    const char *absent = "endpoint.address.socket_address";

    if (pb->host_identifier_case != HOST(ENDPOINT))
        absent = "endpoint";
    else if (!pb->endpoint->address)
        absent = "endpoint.address";
    else if (pb->endpoint->address->address_case == ADDRESS(SOCKET_ADDRESS))
        return pb->endpoint->address->socket_address;
    xds_fire(ctx, XDS_AT(at, absent), XDS_R_CLUSTER_DNS_ADDRESS);
    return NULL;
}

static void check_socket_address(struct xds_ctx *ctx, const struct xds_path *at,
                                 const pb_socket_address *pb)
{
    if (*pb->resolver_name)
        xds_fire_with(ctx, at, XDS_R_CLUSTER_DNS_RESOLVER,
                      XDS_WITH(xds_slice_of(pb->resolver_name)));
    if (!*pb->address)
        xds_fire(ctx, at, XDS_R_CLUSTER_DNS_HOST);
    if (pb->port_specifier_case != PORT(PORT_VALUE))
        xds_fire(ctx, at, XDS_R_CLUSTER_DNS_PORT);
    else if (pb->port_value == 0)
        xds_fire(ctx, at, XDS_R_CLUSTER_DNS_PORT_ZERO);
}

/* "host:port", an IPv6 literal in brackets, as core and go join them. */
static struct xds_slice dns_name(struct xds_arena *arena, const pb_socket_address *pb)
{
    const bool bare_v6 = strchr(pb->address, ':') && *pb->address != '[';
    const uint32_t port =
        pb->port_specifier_case == PORT(PORT_VALUE) ? pb->port_value : 0;

    return xds_arena_printf(arena, bare_v6 ? "[%s]:%u" : "%s:%u", pb->address, port);
}

/* Is it on the path to the address, or a name that says nothing here? */
static bool is_read(const ProtobufCFieldDescriptor *field)
{
    static const char *const read[] = {"cluster_name", "endpoints", "lb_endpoints",
                                       "endpoint", "address"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(read); i++)
        if (strcmp(field->name, read[i]) == 0)
            return true;
    return false;
}

static void report_others(struct xds_ctx *ctx, const struct xds_path *at,
                          const ProtobufCMessage *pb)
{
    for (struct xds_set_fields walk = {.message = pb}; xds_set_fields_next(&walk);) {
        const char *name = walk.field->name;

        if (!is_read(walk.field) &&
            xds_report_is_first(ctx->report,
                                xds_arena_printf(ctx->arena, "LOGICAL_DNS %s", name)))
            xds_fire(ctx, XDS_AT(at, name), XDS_R_CLUSTER_DNS_UNREAD);
    }
}

static void read_dns(struct xds_ctx *ctx, const pb_cluster *pb, struct xds_cluster *out)
{
    const pb_cluster_load_assignment *assignment = pb->load_assignment;
    const struct xds_path *at = XDS_AT(NULL, "load_assignment");
    const struct xds_path *locality_at = XDS_AT_I(at, "endpoints", 0);
    const struct xds_path *entry_at = XDS_AT_I(locality_at, "lb_endpoints", 0);

    out->kind = XDS_CLUSTER_LOGICAL_DNS;
    if (!assignment) {
        xds_fire(ctx, NULL, XDS_R_CLUSTER_DNS_ASSIGNMENT);
        return;
    }
    if (assignment->n_endpoints != 1) {
        xds_fire_with(ctx, at, XDS_R_CLUSTER_DNS_LOCALITIES,
                      XDS_WITH(xds_number(ctx, (int64_t)assignment->n_endpoints)));
        return;
    }

    const pb_locality_lb_endpoints *locality = assignment->endpoints[0];

    if (locality->n_lb_endpoints != 1) {
        xds_fire_with(ctx, locality_at, XDS_R_CLUSTER_DNS_ENDPOINTS,
                      XDS_WITH(xds_number(ctx, (int64_t)locality->n_lb_endpoints)));
        return;
    }

    const pb_lb_endpoint *entry = locality->lb_endpoints[0];
    const pb_socket_address *address = socket_address(ctx, entry_at, entry);
    struct xds_sockaddr parsed;

    if (!address)
        return;
    check_socket_address(ctx, XDS_AT(entry_at, "endpoint.address.socket_address"),
                         address);
    report_others(ctx, at, &assignment->base);
    report_others(ctx, locality_at, &locality->base);
    report_others(ctx, entry_at, &entry->base);
    report_others(ctx, XDS_AT(entry_at, "endpoint"), &entry->endpoint->base);
    out->dns_name = dns_name(ctx->arena, address);
    out->dns_host_is_ip = xds_sockaddr_parse(xds_slice_of(address->address), 0, &parsed);
}

/* ---- aggregate ---- */

#define CONFIG_TYPE "envoy.extensions.clusters.aggregate.v3.ClusterConfig"
#define TYPE_V2 "envoy.config.cluster.aggregate.v2alpha.ClusterConfig"
#define URL_PREFIX "type.googleapis.com/"

static const pb_cluster_config *config_of(const pb_any *any)
{
    return xds_any_message(
        any, &envoy__extensions__clusters__aggregate__v3__cluster_config__descriptor);
}

/* What the bytes are as a ClusterConfig, whatever the type_url; or NULL. */
static const pb_cluster_config *config_of_bytes(struct xds_arena *arena,
                                                const pb_any *any)
{
    const ProtobufCMessage *message = xds_any_of(any)->message;
    struct xds_slice bytes = {(const char *)any->value.data, any->value.len};
    struct xds_any read;

    if (xds_any_of(any)->wire.data) {
        bytes = xds_any_of(any)->wire;
    } else if (message) {
        uint8_t *packed =
            xds_arena_alloc(arena, protobuf_c_message_get_packed_size(message));

        bytes = xds_slice_make((const char *)packed,
                               protobuf_c_message_pack(message, packed));
    }
    xds_decode_any(arena, 0, XDS_S(URL_PREFIX CONFIG_TYPE), bytes, &read, NULL);
    return config_of(&read.pb);
}

static void read_clusters(struct xds_ctx *ctx, const struct xds_path *at,
                          xds_readers readers, const pb_cluster_config *config,
                          struct xds_cluster *out)
{
    struct xds_slice *children =
        XDS_NEW_ARRAY(ctx->arena, struct xds_slice, config->n_clusters);

    if (config->n_clusters == 0)
        xds_fire_for(ctx, at, readers, XDS_R_CLUSTER_AGGREGATE_EMPTY, NULL);
    for (size_t i = 0; i < config->n_clusters; i++) {
        children[i] = xds_text(ctx, config->clusters[i]);
        xds_reference_read(XDS_AMONG(ctx, readers), XDS_AT_I(at, "clusters", i),
                           XDS_TYPE_CLUSTER, children[i]);
    }
    out->children = children;
    out->n_children = config->n_clusters;
}

/* The readers that do not accept the type_url, or the bytes of another type, which those
 * that have rejected the name do not read. Others read the clusters in them. */
static xds_readers refused_by(struct xds_ctx *ctx, const struct xds_path *at,
                              const pb_any *any, xds_readers by_name,
                              struct xds_cluster *out)
{
    const xds_readers by_bytes = xds_who(ctx, XDS_DIFF_AGGREGATE_TYPE_IGNORED);
    const struct xds_slice url = xds_slice_of(any->type_url);
    const pb_cluster_config *config;

    if (xds_slice_is(url, URL_PREFIX CONFIG_TYPE))
        return 0;
    if (xds_slice_is(url, CONFIG_TYPE))
        return xds_who(ctx, XDS_DIFF_AGGREGATE_TYPE_BARE);
    if (xds_slice_is(xds_any_of(any)->type, CONFIG_TYPE))
        return ~(by_bytes | xds_who(ctx, XDS_DIFF_AGGREGATE_TYPE_PREFIX));
    config = config_of_bytes(ctx->arena, any);
    if (!config)
        return XDS_EVERYONE;
    read_clusters(ctx, at, by_bytes & ~by_name, config, out);
    return ~(by_bytes | (xds_slice_is(url, URL_PREFIX TYPE_V2)
                             ? xds_who(ctx, XDS_DIFF_AGGREGATE_TYPE_V2)
                             : 0));
}

static void read_config(struct xds_ctx *ctx, const struct xds_path *at, const pb_any *any,
                        xds_readers refused_by_name, struct xds_cluster *out)
{
    const struct xds_slice url = xds_slice_of(any->type_url), prefix = XDS_S(URL_PREFIX);
    const bool has_prefix = xds_slice_starts(url, prefix);

    xds_fire_for(ctx, at, refused_by(ctx, at, any, refused_by_name, out),
                 XDS_R_CLUSTER_CUSTOM_TYPE,
                 XDS_WITH(url, has_prefix ? xds_slice_from(url, prefix.len) : url));
    if (!xds_slice_is(xds_any_of(any)->type, CONFIG_TYPE))
        return;

    const struct xds_path *value = XDS_AT_VALUE(at, XDS_S(CONFIG_TYPE));
    const pb_cluster_config *config = config_of(any);

    if (!config) {
        xds_fire(ctx, value, XDS_R_CLUSTER_AGGREGATE_UNDECODABLE);
        return;
    }
    read_clusters(ctx, value, XDS_EVERYONE, config, out);
}

static void read_aggregate(struct xds_ctx *ctx, const pb_cluster *pb,
                           struct xds_cluster *out)
{
    const pb_cluster_custom_cluster_type *type = pb->cluster_type;
    const struct xds_path *at = XDS_AT(NULL, "cluster_type");
    const size_t first = ctx->report->n_findings;

    out->kind = XDS_CLUSTER_AGGREGATE;
    if (strcmp(type->name, "envoy.clusters.aggregate") != 0)
        xds_fire_with(ctx, at, XDS_R_CLUSTER_CUSTOM_NAME,
                      XDS_WITH(xds_slice_of(type->name)));
    if (type->typed_config)
        read_config(ctx, XDS_AT(at, "typed_config"), type->typed_config,
                    xds_report_rejecting(ctx->report, first), out);
    else
        xds_fire(ctx, at, XDS_R_CLUSTER_AGGREGATE_NO_CONFIG);
}

/* ---- the cluster ---- */

#define DISCOVERY_TYPES envoy__config__cluster__v3__cluster__discovery_type__descriptor
#define DISCOVERY(type) ENVOY__CONFIG__CLUSTER__V3__CLUSTER__DISCOVERY_TYPE__##type
#define CASE_OF(arm) ENVOY__CONFIG__CLUSTER__V3__CLUSTER__CLUSTER_DISCOVERY_TYPE_##arm

/* gRFC A32, A75. */
#define DEFAULT_IDLE_TIMEOUT_SECONDS 3600

/* The cluster is of a type that no client knows. */
static bool is_unknown(const pb_cluster *pb, enum xds_cluster_kind kind)
{
    if (kind != XDS_CLUSTER_AGGREGATE)
        return kind == XDS_CLUSTER_UNSUPPORTED;
    const pb_any *config = pb->cluster_type->typed_config;

    return !config || !xds_slice_is(xds_any_of(config)->type, CONFIG_TYPE);
}

/* A field that belongs to another type of cluster. */
static void report_unread(struct xds_ctx *ctx, const char *field,
                          enum xds_cluster_kind kind)
{
    static const char *const of_kind[] = {
        [XDS_CLUSTER_EDS] =
            "an EDS cluster: its endpoints are those of a ClusterLoadAssignment",
        [XDS_CLUSTER_LOGICAL_DNS] =
            "a LOGICAL_DNS cluster: its host is that of load_assignment",
        [XDS_CLUSTER_AGGREGATE] =
            "an aggregate cluster: its endpoints are those of the clusters that it names",
    };

    if (xds_report_is_first(ctx->report,
                            xds_arena_printf(ctx->arena, "cluster type %s", field)))
        xds_fire_with(ctx, XDS_AT(NULL, field), XDS_R_CLUSTER_TYPE_UNREAD,
                      XDS_WITH(xds_slice_of(of_kind[kind])));
}

static bool is_default(const pb_circuit_breakers_thresholds *pb)
{
    return pb->priority == ENVOY__CONFIG__CORE__V3__ROUTING_PRIORITY__DEFAULT;
}

static void read_circuit_breakers(struct xds_ctx *ctx, const pb_circuit_breakers *pb,
                                  struct xds_cluster *out)
{
    const xds_readers guarded = xds_guarded_by(ctx, XDS_ENV_XDS_CONNECTION_SCALING);
    const xds_readers unread = out->kind == XDS_CLUSTER_LOGICAL_DNS
                                   ? xds_who(ctx, XDS_DIFF_BREAKER_NOT_FOR_DNS)
                                   : 0;
    const struct xds_path *at = XDS_AT(NULL, "circuit_breakers");
    bool is_first = true;
    size_t i;

    if (!pb)
        return;
    out->zero_threshold = out->unread_threshold = (uint32_t)pb->n_thresholds;
    out->n_thresholds = (uint32_t)pb->n_thresholds;
    for (i = 0; i < pb->n_thresholds; i++) {
        const pb_circuit_breakers_thresholds *t = pb->thresholds[i];

        if (!is_default(t)) {
            if (t->max_requests && out->unread_threshold == pb->n_thresholds)
                out->unread_threshold = (uint32_t)i;
            continue;
        }

        /* Which entry of priority DEFAULT decides: the first one (gRFC A32), but for some
         * clients the last one. */
        const xds_readers takes_last = xds_who(ctx, XDS_DIFF_THRESHOLD_LAST);
        const xds_readers takes_last_set = xds_who(ctx, XDS_DIFF_THRESHOLD_LAST_SET);
        const uint32_t limit =
            t->max_requests ? t->max_requests->value : XDS_DEFAULT_MAX_REQUESTS;

        for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
            if (!(unread & XDS_CLIENT_BIT(c)) &&
                (takes_last & XDS_CLIENT_BIT(c) ||
                 (takes_last_set & XDS_CLIENT_BIT(c) ? t->max_requests != NULL
                                                     : is_first)))
                out->max_requests[c] = limit;
        is_first = false;
        if (out->zero_threshold == pb->n_thresholds && t->max_requests &&
            t->max_requests->value == 0)
            out->zero_threshold = (uint32_t)i;
    }
    i = 0;
    while (i < pb->n_per_host_thresholds && !is_default(pb->per_host_thresholds[i]))
        i++;
    if (i < pb->n_per_host_thresholds && pb->per_host_thresholds[i]->max_connections &&
        pb->per_host_thresholds[i]->max_connections->value == 0)
        xds_fire_for(ctx, XDS_AT_I(at, "per_host_thresholds", i), guarded,
                     XDS_R_CLUSTER_CONNECTION_LIMIT_ZERO, NULL);
}

/* gRFC A55: UNKNOWN, HEALTHY and DRAINING count, other states are ignored; a set
 * that is present but empty allows no override at all. */
static unsigned override_host_status(const pb_cluster_common_lb_config *pb)
{
    const unsigned usable = XDS_HEALTH_BIT(XDS_HEALTH_UNKNOWN) |
                            XDS_HEALTH_BIT(XDS_HEALTH_HEALTHY) |
                            XDS_HEALTH_BIT(XDS_HEALTH_DRAINING);
    unsigned set = 0;

    if (!pb || !pb->override_host_status)
        return XDS_HEALTH_BIT(XDS_HEALTH_UNKNOWN) | XDS_HEALTH_BIT(XDS_HEALTH_HEALTHY);
    for (size_t i = 0; i < pb->override_host_status->n_statuses; i++) {
        const unsigned status = (unsigned)pb->override_host_status->statuses[i];

        if (status < XDS_HEALTHS)
            set |= XDS_HEALTH_BIT(status);
    }
    return set & usable;
}

static struct xds_slice label_of(struct xds_arena *arena, const pb_struct *pb,
                                 const char *key)
{
    const struct xds_tree labels = xds_tree_of_struct(arena, pb);
    const struct xds_tree *value = xds_tree_member(&labels, key);

    return value && value->kind == XDS_TREE_STRING ? xds_arena_dup(arena, value->text)
                                                   : xds_slice_make(NULL, 0);
}

/* gRFC A66; a label that is not a string is ignored. */
static void read_telemetry_labels(struct xds_ctx *ctx, const pb_metadata *pb,
                                  struct xds_cluster *out)
{
    for (size_t i = 0; pb && i < pb->n_filter_metadata; i++) {
        if (strcmp(pb->filter_metadata[i]->key, "com.google.csm.telemetry_labels") != 0)
            continue;
        const pb_struct *labels = pb->filter_metadata[i]->value;

        out->csm_service_name = label_of(ctx->arena, labels, "service_name");
        out->csm_service_namespace = label_of(ctx->arena, labels, "service_namespace");
    }
}

/* How the cluster finds its endpoints, and fields of other ways to do so. */
static void read_discovery(struct xds_ctx *ctx, const pb_cluster *pb,
                           struct xds_cluster *out)
{
    const bool has_type = pb->cluster_discovery_type_case == CASE_OF(TYPE);

    ctx->in_use = &out->killing;
    if (has_type && pb->type == DISCOVERY(EDS))
        read_eds(ctx, pb, out);
    else if (has_type && pb->type == DISCOVERY(LOGICAL_DNS))
        read_dns(ctx, pb, out);
    else if (pb->cluster_discovery_type_case == CASE_OF(CLUSTER_TYPE))
        read_aggregate(ctx, pb, out);
    else
        xds_fire_with(ctx, NULL, XDS_R_CLUSTER_DISCOVERY_TYPE,
                      XDS_WITH(has_type
                                   ? xds_enum_name(ctx, &DISCOVERY_TYPES, (int)pb->type)
                                   : XDS_S("STATIC (the default)")));
    ctx->in_use = NULL;
    const bool is_known = !is_unknown(pb, out->kind);

    if (pb->eds_cluster_config && out->kind != XDS_CLUSTER_EDS && is_known)
        report_unread(ctx, "eds_cluster_config", out->kind);
    if (pb->load_assignment && out->kind != XDS_CLUSTER_LOGICAL_DNS && is_known)
        report_unread(ctx, "load_assignment", out->kind);
}

bool xds_cluster_read(struct xds_ctx *ctx, const pb_cluster *pb, struct xds_cluster *out)
{
    *out = (struct xds_cluster){
        .name = xds_text(ctx, pb->name),
        .kind = XDS_CLUSTER_UNSUPPORTED,
        .override_host_status = override_host_status(pb->common_lb_config),
        .has_override_host_status =
            pb->common_lb_config && pb->common_lb_config->override_host_status,
        .idle_timeout_seconds = DEFAULT_IDLE_TIMEOUT_SECONDS,
        .reports_load = pb->lrs_server != NULL,
    };
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        out->max_requests[c] = XDS_DEFAULT_MAX_REQUESTS;
    if (!*pb->name)
        xds_fire_nameless(ctx, XDS_R_CLUSTER_NAME_EMPTY, NULL);

    read_discovery(ctx, pb, out);
    xds_lb_policy_read(
        XDS_AMONG(ctx, out->kind == XDS_CLUSTER_AGGREGATE
                           ? ~xds_who(ctx, XDS_DIFF_AGGREGATE_POLICY_UNREAD)
                           : XDS_EVERYONE),
        pb, out);

    const xds_readers of_metadata =
        ~xds_who(ctx, XDS_DIFF_METADATA_UNREAD) &
        (~xds_who(ctx, XDS_DIFF_METADATA_FOR_GCP) |
         xds_guarded_by(ctx, XDS_ENV_GCP_AUTHENTICATION_FILTER));

    xds_metadata_read(XDS_AMONG(ctx, of_metadata), XDS_AT(NULL, "metadata"),
                      pb->metadata);
    read_telemetry_labels(ctx, pb->metadata, out);

    ctx = XDS_AMONG(ctx, out->kind == XDS_CLUSTER_AGGREGATE
                             ? ~xds_who(ctx, XDS_DIFF_AGGREGATE_REST_UNREAD)
                             : XDS_EVERYONE);
    ctx->in_use = &out->killing;
    xds_transport_socket_read(ctx, pb, out);
    ctx->in_use = NULL;
    if (pb->lrs_server &&
        pb->lrs_server->config_source_specifier_case !=
            ENVOY__CONFIG__CORE__V3__CONFIG_SOURCE__CONFIG_SOURCE_SPECIFIER_SELF)
        xds_fire_with(ctx, NULL, XDS_R_CLUSTER_LRS_SOURCE,
                      XDS_WITH(xds_source_name(pb->lrs_server)));
    xds_upstream_config_read(ctx, pb->upstream_config, out);
    read_circuit_breakers(ctx, pb->circuit_breakers, out);
    xds_outlier_detection_read(ctx, pb->outlier_detection, out);
    return true;
}

/*
 * cluster.c - turn envoy.config.cluster.v3.Cluster into the model.
 *
 * Takes:  a decoded message, borrowed.
 * Gives:  *out in the model's arena; a cluster that some client rejects is still read as
 *         far as it goes.
 * Fires:  CLUSTER_NAME_EMPTY, CLUSTER_DISCOVERY_TYPE, CLUSTER_TYPE_UNREAD,
 *         CLUSTER_LRS_SOURCE and CLUSTER_CONNECTION_LIMIT_ZERO of cluster.def; the other
 *         rows through the readers of cluster_readers.h.
 * Source: spec cluster 1.
 */
#include "rules/cluster_readers.h"
#include "rules/lb_policy/registry.h"

#define DISCOVERY(type) ENVOY__CONFIG__CLUSTER__V3__CLUSTER__DISCOVERY_TYPE__##type
#define CASE_OF(arm) ENVOY__CONFIG__CLUSTER__V3__CLUSTER__CLUSTER_DISCOVERY_TYPE_##arm

/* gRFC A32, A75. */
#define DEFAULT_MAX_REQUESTS 1024
#define DEFAULT_IDLE_TIMEOUT_MS INT64_C(3600000)

static void read_discovery_type(struct xds_ctx *ctx, const pb_cluster *pb,
                                struct xds_cluster *out)
{
    const bool has_type = pb->cluster_discovery_type_case == CASE_OF(TYPE);

    if (has_type && pb->type == DISCOVERY(EDS))
        xds_cluster_eds_read(ctx, pb, out);
    else if (has_type && pb->type == DISCOVERY(LOGICAL_DNS))
        xds_cluster_dns_read(ctx, pb, out);
    else if (pb->cluster_discovery_type_case == CASE_OF(CLUSTER_TYPE))
        xds_cluster_aggregate_read(ctx, pb, out);
    else
        xds_fire(ctx, XDS_AT(NULL, "type"), XDS_R_CLUSTER_DISCOVERY_TYPE,
                 "unknown discovery type");
}

static void report_field(struct xds_ctx *ctx, const char *field, const char *why)
{
    if (xds_report_is_first(ctx->report,
                            xds_arena_printf(ctx->arena, "cluster type %s", field)))
        xds_fire(ctx, XDS_AT(NULL, field), XDS_R_CLUSTER_TYPE_UNREAD,
                 "%s is not read in %s", field, why);
}

/* What belongs to another type. */
static void report_unread(struct xds_ctx *ctx, const pb_cluster *pb,
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

    if (kind == XDS_CLUSTER_UNSUPPORTED)
        return;
    if (pb->eds_cluster_config && kind != XDS_CLUSTER_EDS)
        report_field(ctx, "eds_cluster_config", of_kind[kind]);
    if (pb->load_assignment && kind != XDS_CLUSTER_LOGICAL_DNS)
        report_field(ctx, "load_assignment", of_kind[kind]);
}

static void read_lrs_server(struct xds_ctx *ctx, const pb_config_source *pb)
{
    if (pb && pb->config_source_specifier_case !=
                  ENVOY__CONFIG__CORE__V3__CONFIG_SOURCE__CONFIG_SOURCE_SPECIFIER_SELF)
        xds_fire(ctx, XDS_AT(NULL, "lrs_server"), XDS_R_CLUSTER_LRS_SOURCE,
                 "ConfigSource is not self");
}

/* The first entry of priority DEFAULT decides (gRFC A32); n when there is none. */
static size_t default_threshold(size_t n, pb_circuit_breakers_thresholds *const *list)
{
    size_t i = 0;

    while (i < n &&
           list[i]->priority != ENVOY__CONFIG__CORE__V3__ROUTING_PRIORITY__DEFAULT)
        i++;
    return i;
}

static void read_per_host_thresholds(struct xds_ctx *ctx, const pb_circuit_breakers *pb)
{
    const size_t i =
        default_threshold(pb->n_per_host_thresholds, pb->per_host_thresholds);
    const struct xds_path *at = XDS_AT(NULL, "circuit_breakers");

    if (i == pb->n_per_host_thresholds || !pb->per_host_thresholds[i]->max_connections ||
        pb->per_host_thresholds[i]->max_connections->value > 0)
        return;
    xds_fire_for(ctx, XDS_AT(XDS_AT_I(at, "per_host_thresholds", i), "max_connections"),
                 xds_env_mask(ctx->options, XDS_ENV_XDS_CONNECTION_SCALING),
                 XDS_R_CLUSTER_CONNECTION_LIMIT_ZERO, "must be greater than 0");
}

/* java takes the last such entry that has a limit, node the last one. */
static void read_last_limits(const pb_circuit_breakers *pb, struct xds_cluster *out)
{
    for (size_t i = 0; i < pb->n_thresholds; i++) {
        const pb_circuit_breakers_thresholds *t = pb->thresholds[i];

        if (t->priority != ENVOY__CONFIG__CORE__V3__ROUTING_PRIORITY__DEFAULT)
            continue;
        if (t->max_requests)
            out->max_requests_java = t->max_requests->value;
        out->max_requests_node =
            t->max_requests ? t->max_requests->value : DEFAULT_MAX_REQUESTS;
    }
}

static uint32_t zero_threshold(const pb_circuit_breakers *pb)
{
    uint32_t i = 0;

    while (i < pb->n_thresholds &&
           (pb->thresholds[i]->priority !=
                ENVOY__CONFIG__CORE__V3__ROUTING_PRIORITY__DEFAULT ||
            !pb->thresholds[i]->max_requests || pb->thresholds[i]->max_requests->value))
        i++;
    return i;
}

static void read_circuit_breakers(struct xds_ctx *ctx, const pb_circuit_breakers *pb,
                                  struct xds_cluster *out)
{
    if (!pb)
        return;
    read_last_limits(pb, out);
    out->zero_threshold = zero_threshold(pb);

    const size_t i = default_threshold(pb->n_thresholds, pb->thresholds);

    if (i < pb->n_thresholds && pb->thresholds[i]->max_requests)
        out->max_requests = pb->thresholds[i]->max_requests->value;
    read_per_host_thresholds(ctx, pb);
}

/* gRFC A55: UNKNOWN, HEALTHY and DRAINING count, other states are passed over; a set
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

/* gRFC A66; a label that is no string is passed over. */
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

static void read_metadata(struct xds_ctx *ctx, const pb_metadata *pb)
{
    const unsigned live = ctx->live;

    ctx->live &= ~XDS_NODE;
    if (!xds_env_on(ctx->options, XDS_ENV_GCP_AUTHENTICATION_FILTER, XDS_CLIENT_GO))
        ctx->live &= ~XDS_GO;
    xds_metadata_read(ctx, XDS_AT(NULL, "metadata"), pb);
    ctx->live = live;
}

bool xds_cluster_read(struct xds_ctx *ctx, const pb_cluster *pb, struct xds_cluster *out)
{
    const unsigned live = ctx->live;

    *out = (struct xds_cluster){
        .name = xds_arena_dup(ctx->arena, xds_slice_of(pb->name)),
        .kind = XDS_CLUSTER_UNSUPPORTED,
        .override_host_status = override_host_status(pb->common_lb_config),
        .has_override_host_status =
            pb->common_lb_config && pb->common_lb_config->override_host_status,
        .idle_timeout_ms = DEFAULT_IDLE_TIMEOUT_MS,
        .max_requests = DEFAULT_MAX_REQUESTS,
        .max_requests_java = DEFAULT_MAX_REQUESTS,
        .max_requests_node = DEFAULT_MAX_REQUESTS,
        .reports_load = pb->lrs_server != NULL,
    };
    if (!*pb->name)
        xds_fire(ctx, XDS_AT(NULL, "name"), XDS_R_CLUSTER_NAME_EMPTY,
                 "empty resource name");
    read_discovery_type(ctx, pb, out);
    report_unread(ctx, pb, out->kind);
    xds_lb_policy_read(ctx, pb, out);
    read_metadata(ctx, pb->metadata);
    read_telemetry_labels(ctx, pb->metadata, out);

    /* Of an aggregate java reads no more than this. */
    if (out->kind == XDS_CLUSTER_AGGREGATE)
        ctx->live &= ~XDS_JAVA;
    xds_transport_socket_read(ctx, pb);
    read_lrs_server(ctx, pb->lrs_server);
    xds_upstream_config_read(ctx, pb->upstream_config, out);
    read_circuit_breakers(ctx, pb->circuit_breakers, out);
    xds_outlier_detection_read(ctx, pb->outlier_detection, out);
    ctx->live = live;
    return true;
}

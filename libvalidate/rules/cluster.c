/*
 * cluster.c - turn envoy.config.cluster.v3.Cluster into the model.
 *
 * Source: spec cluster 1.
 */
#include "rules/cluster_readers.h"
#include "rules/lb_policy/registry.h"

#define DISCOVERY_TYPES envoy__config__cluster__v3__cluster__discovery_type__descriptor
#define DISCOVERY(type) ENVOY__CONFIG__CLUSTER__V3__CLUSTER__DISCOVERY_TYPE__##type
#define CASE_OF(arm) ENVOY__CONFIG__CLUSTER__V3__CLUSTER__CLUSTER_DISCOVERY_TYPE_##arm

/* gRFC A32, A75. */
#define DEFAULT_MAX_REQUESTS 1024
#define DEFAULT_IDLE_TIMEOUT_MS INT64_C(3600000)

xds_readers xds_rejecting_since(const struct xds_ctx *ctx, size_t first)
{
    return xds_report_rejecting(ctx->report, first);
}

struct xds_slice xds_source_name(const pb_config_source *pb)
{
    const ProtobufCFieldDescriptor *arm = protobuf_c_message_descriptor_get_field(
        pb->base.descriptor, (unsigned)pb->config_source_specifier_case);

    return arm ? xds_slice_of(arm->name) : XDS_S("empty");
}

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
        xds_fire_with(ctx, NULL, XDS_R_CLUSTER_DISCOVERY_TYPE,
                      XDS_WITH(has_type
                                   ? xds_enum_name(ctx, &DISCOVERY_TYPES, (int)pb->type)
                                   : XDS_S("STATIC (the default)")));
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

    if (kind != XDS_CLUSTER_UNSUPPORTED &&
        xds_report_is_first(ctx->report,
                            xds_arena_printf(ctx->arena, "cluster type %s", field)))
        xds_fire_with(ctx, XDS_AT(NULL, field), XDS_R_CLUSTER_TYPE_UNREAD,
                      XDS_WITH(xds_slice_of(of_kind[kind])));
}

static bool is_default(const pb_circuit_breakers_thresholds *pb)
{
    return pb->priority == ENVOY__CONFIG__CORE__V3__ROUTING_PRIORITY__DEFAULT;
}

/* Which entry of priority DEFAULT decides: the first one (gRFC A32), but for some clients
 * the last one. */
static void read_limit(const struct xds_ctx *ctx,
                       const pb_circuit_breakers_thresholds *pb, bool is_first,
                       struct xds_cluster *out)
{
    const xds_readers takes_last = xds_who(ctx, XDS_DIFF_THRESHOLD_LAST);
    const xds_readers takes_last_set = xds_who(ctx, XDS_DIFF_THRESHOLD_LAST_SET);
    const uint32_t limit =
        pb->max_requests ? pb->max_requests->value : DEFAULT_MAX_REQUESTS;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (takes_last & XDS_CLIENT_BIT(c) ||
            (takes_last_set & XDS_CLIENT_BIT(c) ? pb->max_requests != NULL : is_first))
            out->max_requests[c] = limit;
}

static void read_circuit_breakers(struct xds_ctx *ctx, const pb_circuit_breakers *pb,
                                  struct xds_cluster *out)
{
    const xds_readers guarded = xds_guarded_by(ctx, XDS_ENV_XDS_CONNECTION_SCALING);
    const struct xds_path *at = XDS_AT(NULL, "circuit_breakers");
    bool is_first = true;
    size_t i;

    if (!pb)
        return;
    out->zero_threshold = (uint32_t)pb->n_thresholds;
    for (i = 0; i < pb->n_thresholds; i++) {
        const pb_circuit_breakers_thresholds *t = pb->thresholds[i];

        if (!is_default(t))
            continue;
        read_limit(ctx, t, is_first, out);
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

bool xds_cluster_read(struct xds_ctx *ctx, const pb_cluster *pb, struct xds_cluster *out)
{
    const xds_readers live = ctx->live;

    *out = (struct xds_cluster){
        .name = xds_arena_dup(ctx->arena, xds_slice_of(pb->name)),
        .kind = XDS_CLUSTER_UNSUPPORTED,
        .override_host_status = override_host_status(pb->common_lb_config),
        .has_override_host_status =
            pb->common_lb_config && pb->common_lb_config->override_host_status,
        .idle_timeout_ms = DEFAULT_IDLE_TIMEOUT_MS,
        .reports_load = pb->lrs_server != NULL,
    };
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        out->max_requests[c] = DEFAULT_MAX_REQUESTS;
    if (!*pb->name)
        xds_fire(ctx, NULL, XDS_R_CLUSTER_NAME_EMPTY);
    read_discovery_type(ctx, pb, out);
    if (pb->eds_cluster_config && out->kind != XDS_CLUSTER_EDS)
        report_unread(ctx, "eds_cluster_config", out->kind);
    if (pb->load_assignment && out->kind != XDS_CLUSTER_LOGICAL_DNS)
        report_unread(ctx, "load_assignment", out->kind);
    xds_lb_policy_read(ctx, pb, out);

    ctx->live &= ~xds_who(ctx, XDS_DIFF_METADATA_UNREAD) &
                 (~xds_who(ctx, XDS_DIFF_METADATA_FOR_GCP) |
                  xds_guarded_by(ctx, XDS_ENV_GCP_AUTHENTICATION_FILTER));
    xds_metadata_read(ctx, XDS_AT(NULL, "metadata"), pb->metadata);
    ctx->live = live;
    read_telemetry_labels(ctx, pb->metadata, out);

    if (out->kind == XDS_CLUSTER_AGGREGATE)
        ctx->live &= ~xds_who(ctx, XDS_DIFF_AGGREGATE_REST_UNREAD);
    xds_transport_socket_read(ctx, pb);
    if (pb->lrs_server &&
        pb->lrs_server->config_source_specifier_case !=
            ENVOY__CONFIG__CORE__V3__CONFIG_SOURCE__CONFIG_SOURCE_SPECIFIER_SELF)
        xds_fire_with(ctx, NULL, XDS_R_CLUSTER_LRS_SOURCE,
                      XDS_WITH(xds_source_name(pb->lrs_server)));
    xds_upstream_config_read(ctx, pb->upstream_config, out);
    read_circuit_breakers(ctx, pb->circuit_breakers, out);
    xds_outlier_detection_read(ctx, pb->outlier_detection, out);
    ctx->live = live;
    return true;
}

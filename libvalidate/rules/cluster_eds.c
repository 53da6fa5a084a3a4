/*
 * cluster_eds.c - what makes a Cluster of type EDS.
 *
 * Takes:  the whole Cluster; only eds_cluster_config and the name are looked at.
 * Gives:  kind and eds_name of the model.
 * Fires:  the CLUSTER_EDS_ rows of cluster.def.
 * Source: spec cluster 1.2; gRFC A27, A47.
 */
#include "rules/cluster_readers.h"

#define SOURCE(arm) ENVOY__CONFIG__CORE__V3__CONFIG_SOURCE__CONFIG_SOURCE_SPECIFIER_##arm

/* The first part that is missing, or NULL. */
static const char *absent_part(const pb_cluster_eds_cluster_config *pb)
{
    if (!pb)
        return "eds_cluster_config";
    return pb->eds_config ? NULL : "eds_cluster_config.eds_config";
}

static bool is_ads_or_self(const pb_config_source *pb)
{
    return pb->config_source_specifier_case == SOURCE(ADS) ||
           pb->config_source_specifier_case == SOURCE(SELF);
}

/* The clients that see an xdstp name here; java alone folds case. */
static unsigned xdstp_seen_by(struct xds_slice name)
{
    const struct xds_slice scheme = XDS_S("xdstp:");

    if (xds_slice_starts(name, scheme))
        return XDS_ALL_CLIENTS;
    if (name.len >= scheme.len &&
        xds_slice_eq_fold(xds_slice_make(name.data, scheme.len), scheme))
        return XDS_JAVA;
    return 0;
}

void xds_cluster_eds_read(struct xds_ctx *ctx, const pb_cluster *pb,
                          struct xds_cluster *out)
{
    const pb_cluster_eds_cluster_config *eds = pb->eds_cluster_config;
    const char *absent = absent_part(eds);

    out->kind = XDS_CLUSTER_EDS;
    out->eds_name = out->name;
    if (absent)
        xds_fire(ctx, XDS_AT(NULL, absent), XDS_R_CLUSTER_EDS_CONFIG,
                 "field not present");
    if (!eds)
        return;
    if (eds->eds_config && !is_ads_or_self(eds->eds_config))
        xds_fire(ctx, XDS_AT(NULL, "eds_cluster_config.eds_config"),
                 XDS_R_CLUSTER_EDS_SOURCE, "ConfigSource is not ads or self");
    if (*eds->service_name) {
        out->eds_name = xds_arena_dup(ctx->arena, xds_slice_of(eds->service_name));
        return;
    }

    const unsigned clients = xdstp_seen_by(out->name);

    if (clients)
        xds_fire_for(ctx, XDS_AT(NULL, "eds_cluster_config.service_name"), clients,
                     XDS_R_CLUSTER_EDS_NAME,
                     "must be set if Cluster resource has an xdstp name");
}

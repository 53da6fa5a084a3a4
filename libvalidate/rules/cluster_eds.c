/*
 * cluster_eds.c - a Cluster of type EDS.
 *
 * Source: spec cluster 1.2; gRFC A27, A47.
 */
#include "rules/cluster_readers.h"

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

void xds_cluster_eds_read(struct xds_ctx *ctx, const pb_cluster *pb,
                          struct xds_cluster *out)
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
    if (*eds->service_name)
        out->eds_name = xds_arena_dup(ctx->arena, xds_slice_of(eds->service_name));
    else
        xds_fire_for(ctx, at, xdstp_seen_by(ctx, out->name), XDS_R_CLUSTER_EDS_NAME,
                     XDS_WITH(out->name));
}

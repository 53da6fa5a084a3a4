/*
 * upstream_tls_context.c - judge an UpstreamTlsContext.
 *
 * Takes:  a decoded message and its path.
 * Gives:  nothing: routing never depends on it.
 * Fires:  the rows of upstream_tls_context.def, and those of the contexts inside.
 * Source: spec cluster 1.14; gRFC A29, A82, A101.
 */
#include "rules/cluster_readers.h"

#define MAX_SNI_BYTES 255

void xds_upstream_tls_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                   const pb_upstream_tls_context *pb)
{
    const struct xds_path *common_at = XDS_AT(at, "common_tls_context");
    const unsigned with_ca =
        xds_common_tls_context_read(ctx, common_at, pb->common_tls_context);

    if (ctx->live & ~with_ca)
        xds_fire_for(ctx, common_at, XDS_ALL_CLIENTS & ~with_ca, XDS_R_UPSTREAM_TLS_NO_CA,
                     "no CA certs configured");
    if (strlen(pb->sni) > MAX_SNI_BYTES)
        xds_fire_for(ctx, XDS_AT(at, "sni"), xds_env_mask(ctx->options, XDS_ENV_SNI),
                     XDS_R_UPSTREAM_TLS_SNI, "must be shorter than 255 characters");
}

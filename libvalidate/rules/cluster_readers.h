/*
 * cluster_readers.h - the readers that Cluster and ClusterLoadAssignment are made of.
 *
 * All take the message or the part of it that was set, and the path where it stands.
 * What they fire is in the .def file of their stem.
 */
#ifndef XDS_RULES_CLUSTER_READERS_H
#define XDS_RULES_CLUSTER_READERS_H

#include "rules/readers.h"

/* Whether the client rejects one of the findings from this one on. */
static inline bool xds_rejects_since(const struct xds_report *report, size_t first,
                                     enum xds_client client)
{
    for (size_t i = first; i < report->n_findings; i++)
        if (report->findings[i].verdict[client] == XDS_NACK)
            return true;
    return false;
}

/* ---- kinds of clusters ------------------------------------------------------------ */

void xds_cluster_eds_read(struct xds_ctx *ctx, const pb_cluster *pb,
                          struct xds_cluster *out);
void xds_cluster_dns_read(struct xds_ctx *ctx, const pb_cluster *pb,
                          struct xds_cluster *out);
void xds_cluster_aggregate_read(struct xds_ctx *ctx, const pb_cluster *pb,
                                struct xds_cluster *out);

/* ---- parts of a cluster ----------------------------------------------------------- */

/* lb_policy, and load_balancing_policy where it is set. */
void xds_lb_policy_read(struct xds_ctx *ctx, const pb_cluster *pb,
                        struct xds_cluster *out);
void xds_outlier_detection_read(struct xds_ctx *ctx, const pb_outlier_detection *pb,
                                struct xds_cluster *out);
void xds_upstream_config_read(struct xds_ctx *ctx, const pb_typed_extension_config *pb,
                              struct xds_cluster *out);
void xds_transport_socket_read(struct xds_ctx *ctx, const pb_cluster *pb);
/* at is the path below which typed_filter_metadata and filter_metadata stand. */
void xds_metadata_read(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_metadata *pb);

/* ---- transport_sockets/tls -------------------------------------------------------- */

void xds_upstream_tls_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                   const pb_upstream_tls_context *pb);
/* The clients that end up with CA certificates: a mask. pb NULL: none. */
unsigned xds_common_tls_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                     const pb_common_tls_context *pb);
/* at is the path of the provider instance. */
void xds_provider_instance_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const char *instance_name);

#endif

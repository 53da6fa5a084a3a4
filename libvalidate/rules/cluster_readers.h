/*
 * cluster_readers.h - the readers that Cluster and ClusterLoadAssignment are made of.
 *
 * All take the message or the part of it that was set, and its path. The rules that they
 * fire are in the .def file of their stem.
 */
#ifndef XDS_RULES_CLUSTER_READERS_H
#define XDS_RULES_CLUSTER_READERS_H

#include "rules/readers.h"

/* The readers that reject one of the findings from this one on. */
xds_readers xds_rejecting_since(const struct xds_ctx *ctx, size_t first);
/* Which source a ConfigSource names: "ads", "path_config_source", "empty". */
struct xds_slice xds_source_name(const pb_config_source *pb);

/* ---- kinds of clusters ---- */

void xds_cluster_eds_read(struct xds_ctx *ctx, const pb_cluster *pb,
                          struct xds_cluster *out);
void xds_cluster_dns_read(struct xds_ctx *ctx, const pb_cluster *pb,
                          struct xds_cluster *out);
void xds_cluster_aggregate_read(struct xds_ctx *ctx, const pb_cluster *pb,
                                struct xds_cluster *out);

/* ---- parts of a cluster ---- */

/* lb_policy, and load_balancing_policy where it is set. */
void xds_lb_policy_read(struct xds_ctx *ctx, const pb_cluster *pb,
                        struct xds_cluster *out);
void xds_outlier_detection_read(struct xds_ctx *ctx, const pb_outlier_detection *pb,
                                struct xds_cluster *out);
void xds_upstream_config_read(struct xds_ctx *ctx, const pb_typed_extension_config *pb,
                              struct xds_cluster *out);
void xds_transport_socket_read(struct xds_ctx *ctx, const pb_cluster *pb);
/* at is the path of what holds typed_filter_metadata and filter_metadata. */
void xds_metadata_read(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_metadata *pb);

/* ---- transport_sockets/tls ---- */

void xds_upstream_tls_context_read(struct xds_ctx *ctx, const struct xds_path *at,
                                   const pb_upstream_tls_context *pb);

#endif

/*
 * side_channel.h - readers of what ext_authz and ext_proc share: both filters ask
 * another service about an RPC.
 *
 * Routing never depends on these messages: they are checked, and nothing of them is kept.
 */
#ifndef XDS_RULES_SIDE_CHANNEL_H
#define XDS_RULES_SIDE_CHANNEL_H

#include "rules/readers.h"

/* The field that holds the GrpcService must be set: pb NULL is a fault. */
void xds_grpc_service_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_grpc_service *pb);
/* Who takes a duration for one that is not positive. */
xds_readers xds_duration_not_positive_to(const struct xds_ctx *ctx, int64_t ns);
/* The other two may be absent. at is the path of the field that holds them. */
void xds_header_mutation_rules_read(struct xds_ctx *ctx, const struct xds_path *at,
                                    const pb_header_mutation_rules *pb);
void xds_list_string_matcher_read(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_list_string_matcher *pb);

#endif

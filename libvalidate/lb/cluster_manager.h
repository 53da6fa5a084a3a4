/* cluster_manager.h - xds_cluster_manager_experimental: one child per cluster. */
#ifndef XDS_LB_CLUSTER_MANAGER_H
#define XDS_LB_CLUSTER_MANAGER_H

#include "lb/named_children.h"

struct xds_cluster_manager {
    struct xds_policy policy; /* first */
    struct xds_named_children children;
};

/* How long the client keeps a child that left the config. */
int64_t xds_cluster_manager_retention(enum xds_client client);

/* parent may be NULL; the name must last. A negative retention is the client's own. */
void xds_cluster_manager_init(struct xds_cluster_manager *self,
                              struct xds_machine *machine, struct xds_policy *parent,
                              struct xds_slice name, const struct xds_child_maker *maker,
                              int64_t retention_ms);
/* A new config: the keys of its clusters; weights are not read. Publishes once. */
void xds_cluster_manager_update(struct xds_cluster_manager *self,
                                const struct xds_named_config *clusters, size_t n);
/* The same config once more, for what has changed below its children. */
void xds_cluster_manager_update_again(struct xds_cluster_manager *self);

#endif

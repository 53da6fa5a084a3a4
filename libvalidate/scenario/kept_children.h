/*
 * kept_children.h - which children the cluster manager has, config after config.
 *
 * A child that a config no longer names is kept for a while, and serves again when a
 * later config names it in time. Only the children's existence is played here.
 */
#ifndef XDS_SCENARIO_KEPT_CHILDREN_H
#define XDS_SCENARIO_KEPT_CHILDREN_H

#include "base/strmap.h"
#include "scenario/subject.h"

struct xds_kept_child {
    struct xds_kept_children *owner;
    struct xds_slice name;
    bool exists, in_config;
    struct xds_timer removal;
    struct xds_kept_child *next;
};

struct xds_kept_children {
    struct xds_play *play;
    struct xds_strmap by_name; /* struct xds_kept_child, also of those that are gone */
    struct xds_kept_child *first, **end; /* in the order in which they first came */
};

void xds_kept_children_init(struct xds_kept_children *children, struct xds_play *play);
/* A config with these names. Writes "created" and "deleted" of the step. */
void xds_kept_children_update(struct xds_kept_children *children,
                              const struct xds_slice *names, size_t n);
/* Another LB policy takes the place of the cluster manager. */
void xds_kept_children_destroy(struct xds_kept_children *children);

#endif

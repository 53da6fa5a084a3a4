/* weighted_target.h - weighted_target_experimental: RPCs spread over children by weight.
 */
#ifndef XDS_LB_WEIGHTED_TARGET_H
#define XDS_LB_WEIGHTED_TARGET_H

#include "lb/named_children.h"
#include "lb/share.h"

struct xds_weighted_target {
    struct xds_policy policy; /* first */
    struct xds_named_children children;
    /* The picker: the children that it chooses from, as they were when it was made. */
    struct xds_target {
        struct xds_named_child *child;
        uint64_t weight;
    } * targets;
    size_t n_targets, cap_targets;
};

/* How long the client keeps a child that left the config. */
int64_t xds_weighted_target_retention(enum xds_client client);

/* parent may be NULL; the name must last. A negative retention is the client's own. */
void xds_weighted_target_init(struct xds_weighted_target *self,
                              struct xds_machine *machine, struct xds_policy *parent,
                              struct xds_slice name, const struct xds_child_maker *maker,
                              int64_t retention_ms);
/* A new config: its targets with their weights. Publishes at most once. */
void xds_weighted_target_update(struct xds_weighted_target *self,
                                const struct xds_named_config *targets, size_t n);

/* The children that a pick chooses from, names in order of their bytes. */
struct xds_target_share {
    struct xds_slice name;
    struct xds_share share; /* of all picks */
};

struct xds_target_shares {
    struct xds_target_share *list;
    size_t n; /* 0: there is nothing to choose, RPCs queue or fail */
};

struct xds_target_shares
xds_weighted_target_shares(const struct xds_weighted_target *self,
                           struct xds_arena *arena);
/* The child that the pick goes to, with a number from random if there are several. NULL:
 * there is none, or the number that decides is not given. */
struct xds_named_child *xds_weighted_target_choose(const struct xds_weighted_target *self,
                                                   struct xds_random *random);

#endif

/*
 * named_children.h - the children of a policy that its config calls by name.
 *
 * A child that leaves the config is kept for a while: when it comes back in time it is
 * the same child with its state, and nothing has to connect anew. Weighted target and the
 * cluster manager work like this; how a child's state counts for that of the whole is the
 * same in both, too.
 */
#ifndef XDS_LB_NAMED_CHILDREN_H
#define XDS_LB_NAMED_CHILDREN_H

#include "base/strmap.h"
#include "lb/policy.h"

struct xds_named_children;

struct xds_named_child {
    struct xds_slice name;
    struct xds_named_children *all;
    struct xds_policy *policy; /* NULL: does not exist, or is being created */
    bool exists;
    bool in_config;
    uint64_t weight; /* what the config says of it; of use to weighted target */
    enum xds_connectivity last;    /* what it has reported */
    enum xds_connectivity counted; /* what it counts as, see xds_named_child_store */
    struct xds_timer retention;    /* set while it is kept outside the config */
    uint64_t round;                /* the update that named it last */
};

struct xds_named_child_list {
    struct xds_named_child **list;
    size_t n, cap;
};

struct xds_named_children {
    struct xds_policy *owner;
    struct xds_child_maker maker;
    int64_t retention_ms; /* 0: destroyed at once */
    struct xds_strmap by_name;
    struct xds_named_child_list seen;      /* all that ever were, in that order */
    struct xds_named_child_list in_config; /* names in order of their bytes */
    uint64_t round;
    bool updating; /* reports are only stored */
    bool changed;  /* the last update has added or removed a child, or one has reported */
};

void xds_named_children_init(struct xds_named_children *all, struct xds_policy *owner,
                             const struct xds_child_maker *maker, int64_t retention_ms);

/* A child as the config names it. */
struct xds_named_config {
    struct xds_slice name;
    uint64_t weight;
};

/* The config names these, each to be created or updated; of a name that appears twice the
 * last one counts. Children it no longer names are kept or destroyed. */
void xds_named_children_update(struct xds_named_children *all,
                               const struct xds_named_config *config, size_t n);
/* Update all that the config names. */
void xds_named_children_update_again(struct xds_named_children *all);
/* The entry of a child that exists; NULL for any other. */
struct xds_named_child *xds_named_children_find(const struct xds_named_children *all,
                                                struct xds_slice name);
/* Take what the child has reported. One in TRANSIENT_FAILURE may continue counting as
 * that, depending on the client. */
void xds_named_child_store(struct xds_named_child *child, enum xds_connectivity state);
/* READY if one in the config is, else CONNECTING, else IDLE, else TRANSIENT_FAILURE. */
enum xds_connectivity xds_named_children_state(const struct xds_named_children *all);
void xds_named_children_destroy(struct xds_named_children *all);

#endif

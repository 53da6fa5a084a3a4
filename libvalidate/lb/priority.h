/*
 * priority.h - priority_experimental: the first child that works takes all RPCs.
 *
 * Children are made when they are needed. A child that does not connect in time is
 * skipped; one that is not needed any more is kept for a while. The clients differ in
 * what a timer means and in what becomes of children that are not in use.
 */
#ifndef XDS_LB_PRIORITY_H
#define XDS_LB_PRIORITY_H

#include "lb/policy.h"

#define XDS_PRIORITY_FAILOVER_MS 10000
#define XDS_PRIORITY_RETENTION_MS 900000

/* An address and the names of the children that it goes through, the outermost first. */
struct xds_path_address {
    struct xds_slice address;
    const struct xds_slice *path;
    size_t n_path;
};

struct xds_priority_entry {
    struct xds_slice name;
    bool ignores_reresolution; /* what the child asks for stays unheard */
};

struct xds_priority_config {
    const struct xds_priority_entry *children;
    size_t n_children;
    const struct xds_slice *priorities; /* names, the most wanted first */
    size_t n_priorities;
    const struct xds_path_address *addresses;
    size_t n_addresses;
};

struct xds_priority_timing {
    int64_t failover_ms;
    int64_t retention_ms; /* 0: a child that leaves the config is destroyed at once, as
                             gRFC A115 has it; others stay for the usual time */
};

#define XDS_PRIORITY_TIMING                                                              \
    ((struct xds_priority_timing){XDS_PRIORITY_FAILOVER_MS, XDS_PRIORITY_RETENTION_MS})

/* The name is copied, the maker is copied. Without a config it is CONNECTING. */
struct xds_policy *xds_priority_new(struct xds_machine *machine,
                                    struct xds_policy *parent, struct xds_slice name,
                                    struct xds_priority_timing timing,
                                    struct xds_child_maker maker);

/* Absent, or why the config is invalid: then the old one stays. What the maker gives its
 * children must be that of this config already. Names are copied; addresses and their
 * paths are borrowed for as long as the policy lives. */
struct xds_slice xds_priority_update(struct xds_policy *self,
                                     const struct xds_priority_config *config);

/* ---- looking at it ---- */

struct xds_priority_child {
    struct xds_slice name;
    struct xds_policy *policy;
    struct xds_lb_report report; /* what counts: after a timer not always its last one */
    bool in_use;
    bool fails_for_it; /* RPCs fail by the policy's picker in the place of its own */
    bool failover_pending;
    bool deactivated;
    const struct xds_path_address *addresses; /* that it was given, with the rest of
                                                 their paths */
    size_t n_addresses;
};

/* All children ever named, in the order in which they first were. */
size_t xds_priority_size(const struct xds_policy *self);
/* False when child i does not exist now. */
bool xds_priority_at(const struct xds_policy *self, size_t i,
                     struct xds_priority_child *out);

#endif

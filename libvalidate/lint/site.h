/*
 * site.h - where a resource names another one, or a filter, small enough to keep.
 *
 * A snapshot holds many references and few of them make a finding: what is kept are the
 * indices of the lists on the way, from which the path is made again.
 */
#ifndef XDS_LINT_SITE_H
#define XDS_LINT_SITE_H

#include "base/path.h"

/* The field, and so which of the indices count. */
enum xds_site_kind {
    XDS_SITE_NONE,
    XDS_SITE_RDS,              /* of a connection manager */
    XDS_SITE_ROUTE_CLUSTER,    /* of a route */
    XDS_SITE_WEIGHTED_CLUSTER, /* ... one of several */
    XDS_SITE_NON_FORWARDING,   /* ... that is only for servers */
    XDS_SITE_HASH_POLICY,      /* the first one of a route */
    XDS_SITE_HOST_OVERRIDE,    /* of a filter, by a virtual host */
    XDS_SITE_ROUTE_OVERRIDE,
    XDS_SITE_WEIGHTED_OVERRIDE,
    XDS_SITE_CLUSTER_NAME, /* which stands for that of its endpoints */
    XDS_SITE_SERVICE_NAME,
    XDS_SITE_CHILD, /* of an aggregate cluster */
};

struct xds_site {
    uint32_t host; /* a virtual host */
    union {
        uint32_t route; /* a route in it */
        uint32_t again; /* where a child stands for the second time */
    };
    uint32_t entry; /* a weighted cluster of the route; a child of an aggregate cluster */
    uint8_t kind;   /* enum xds_site_kind */
    bool is_inline; /* the virtual hosts are in a listener */
};

/* Room for the frames of a path. */
struct xds_site_frames {
    struct xds_path at[8];
    size_t n;
};

/* The path, which lives as long as the frames. key: the name of an override. */
const struct xds_path *xds_site_path(struct xds_site site, struct xds_slice key,
                                     struct xds_site_frames *frames);

#endif

/* virtual_host.h - which virtual host an authority selects. */
#ifndef XDS_ROUTE_VIRTUAL_HOST_H
#define XDS_ROUTE_VIRTUAL_HOST_H

#include "model/route_config.h"

/* Best first. */
enum xds_domain_class {
    XDS_DOMAIN_EXACT,
    XDS_DOMAIN_SUFFIX,   /* "*.example.com" */
    XDS_DOMAIN_PREFIX,   /* "example.*" */
    XDS_DOMAIN_UNIVERSE, /* "*" */
    XDS_DOMAIN_INVALID,
};

struct xds_virtual_host_choice {
    size_t index;
    const struct xds_virtual_host *host; /* NULL: none matches */
    struct xds_slice domain;             /* the pattern that won */
    enum xds_domain_class match;
    struct xds_slice ended_at; /* the pattern at which the client gives up; or absent */
    const char *ended_why;     /* "which is invalid" */
    bool ends_in_panic;        /* of the channel: */
    const struct xds_rule *killed_by; /* NULL: the authority is what it cannot take */
};

/* "exact", "suffix", "prefix", "universe". */
const char *xds_domain_class_name(enum xds_domain_class match);

/* The virtual host for an authority, as this client finds it. */
struct xds_virtual_host_choice
xds_virtual_host_find(const struct xds_route_config *config,
                      const struct xds_options *options, enum xds_client client,
                      struct xds_slice authority);
/* The same under a mask of readings, see route/readings.h. */
struct xds_virtual_host_choice
xds_virtual_host_find_as(const struct xds_route_config *config, uint64_t readings,
                         struct xds_slice authority);

#endif

/* endpoint.h - ClusterLoadAssignment as the model keeps it. Immutable once built. */
#ifndef XDS_MODEL_ENDPOINT_H
#define XDS_MODEL_ENDPOINT_H

#include "base/arena.h"

/* The numbers are those of envoy.config.core.v3.HealthStatus. */
enum xds_health {
    XDS_HEALTH_UNKNOWN,
    XDS_HEALTH_HEALTHY,
    XDS_HEALTH_UNHEALTHY,
    XDS_HEALTH_DRAINING,
    XDS_HEALTH_TIMEOUT,
    XDS_HEALTH_DEGRADED,
    XDS_HEALTHS,
};

/* "UNKNOWN", "HEALTHY" ... */
const char *xds_health_name(enum xds_health health);

/* May RPCs that no session binds go there? */
static inline bool xds_health_serves(enum xds_health health)
{
    return health == XDS_HEALTH_UNKNOWN || health == XDS_HEALTH_HEALTHY;
}

struct xds_endpoint {
    const struct xds_slice *addresses; /* "10.0.0.1:80", "[::1]:80"; the first leads */
    size_t n_addresses;
    enum xds_health health;
    bool lacks_port; /* port_value is not set; the address then says 0 */
    uint32_t weight; /* default 1 */
    struct xds_slice hostname;
    struct xds_slice
        hash_key; /* envoy.lb metadata, gRFC A76; used by go only by default */
};

struct xds_locality {
    struct xds_slice region, zone, sub_zone;
    uint32_t weight; /* > 0: others are not in the model */
    uint32_t priority;
    uint32_t index;                       /* in the resource's list */
    bool weight_set;                      /* to 0, if there is no weight */
    const struct xds_endpoint *endpoints; /* all, in list order, whatever their health */
    size_t n_endpoints;
};

static inline bool xds_locality_serves(const struct xds_locality *locality)
{
    for (size_t i = 0; i < locality->n_endpoints; i++)
        if (xds_health_serves(locality->endpoints[i].health))
            return true;
    return false;
}

struct xds_drop {
    struct xds_slice category;
    uint32_t per_million; /* capped */
};

struct xds_endpoints {
    struct xds_slice cluster_name;
    const struct xds_locality *localities; /* in list order */
    size_t n_localities;
    const struct xds_locality *weightless; /* weight 0: no RPC goes there */
    size_t n_weightless;
    uint32_t n_priorities;
    const struct xds_drop *drops;
    size_t n_drops;
};

#endif

/* listener.h - a Listener as the model keeps it: what clients use of it, and what they
 * would use of the filter chains of a server. Immutable once built. */
#ifndef XDS_MODEL_LISTENER_H
#define XDS_MODEL_LISTENER_H

#include "model/filter_chain.h"
#include "model/route_config.h"

#define XDS_DEFAULT_CHAIN UINT32_MAX

/* The parameter that names of listeners for servers have, unless their template has
 * another form (gRFC A36). */
static inline bool xds_is_server_name(struct xds_slice name)
{
    return xds_slice_search(name, XDS_S("xds.resource.listening_address=")) < name.len;
}

struct xds_listener {
    struct xds_slice name;
    bool is_api_listener;           /* false: a socket listener, of no use to a client */
    bool has_filter_chains;         /* for servers; of no use beside an api_listener */
    struct xds_slice address;       /* of its socket: "0.0.0.0:80"; or absent */
    bool is_not_tcp;                /* the protocol of its socket is another one */
    bool has_max_stream_duration;   /* common_http_protocol_options, gRFC A31 */
    int64_t max_stream_duration_ns; /* 0: no limit, as if it were not set (H-4) */
    bool has_idle_timeout;          /* node reads it instead */
    int64_t idle_timeout_ns;
    const struct xds_filter *filters;
    size_t n_filters;
    struct xds_slice rds_name;                   /* absent: the route config is inline */
    struct xds_killing killing;                  /* once a channel uses it */
    const struct xds_route_config *route_config; /* inline, or NULL */
    /* The HttpConnectionManagers of the filter chains, each as if it were that of an API
     * listener of this name. */
    const struct xds_listener *chains;
    size_t n_chains;
    /* Where they are, with what a connection is matched by. */
    const struct xds_filter_chain *filter_chains;
    size_t n_filter_chains;
    const struct xds_filter_chain *default_chain; /* NULL: there is none */
    /* Of such a one: where it is. */
    uint32_t in_chain, in_filter; /* XDS_DEFAULT_CHAIN: that one */
};

#endif

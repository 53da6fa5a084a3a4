/* filter_chain.h - the filter chains of a server's listener. Immutable once built.
 * Source: gRFC A36, A29. */
#ifndef XDS_MODEL_FILTER_CHAIN_H
#define XDS_MODEL_FILTER_CHAIN_H

#include "base/slice.h"
#include "model/address.h"
#include "model/tls_context.h"

struct xds_listener;

enum xds_source_type {
    XDS_SOURCE_ANY,
    XDS_SOURCE_SAME_IP_OR_LOOPBACK,
    XDS_SOURCE_EXTERNAL,
};

struct xds_chain_cidr {
    struct xds_slice text;                /* "10.0.0.0/8", as written */
    bool is_usable;                       /* false: it matches nothing */
    struct xds_cidr form[XDS_CIDR_FORMS]; /* as the clients compare it */
};

/* filter_chain_match. */
struct xds_chain_criteria {
    bool is_set;
    bool has_destination_port; /* the wrapper is there */
    uint32_t destination_port;
    const struct xds_chain_cidr *destinations, *sources; /* none: any */
    size_t n_destinations, n_sources;
    uint32_t source_type; /* enum xds_source_type */
    const uint32_t *source_ports;
    size_t n_source_ports;
    const struct xds_slice *server_names, *application_protocols;
    size_t n_server_names, n_application_protocols;
    struct xds_slice transport_protocol;
};

struct xds_filter_chain {
    struct xds_slice name; /* may be empty */
    struct xds_chain_criteria match;
    bool has_socket;                   /* false: the server's own credentials count */
    const struct xds_tls_context *tls; /* NULL: none, or it could not be read */
    /* The HttpConnectionManagers of its filters, as in xds_listener.chains. */
    const struct xds_listener *managers;
    size_t n_managers;
};

#endif

/* cookie.h - find the affinity cookie among the request's headers, read what it says. */
#ifndef XDS_SESSION_COOKIE_H
#define XDS_SESSION_COOKIE_H

#include "route/rpc.h"

/* What a decoded cookie says. */
struct xds_cookie {
    struct xds_slice list; /* the left part as text: "A,B" */
    const struct xds_slice *addresses;
    size_t n_addresses;
    struct xds_slice cluster; /* absent: no ';' */
};

/* The raw value of the cookie `name`; false when this client does not find it.
 * *tolerant: a more tolerant reading would have found it. */
bool xds_cookie_find(const struct xds_rpc *rpc, struct xds_slice name,
                     struct xds_slice *value, bool *tolerant);
/* The parts of the clear text; the slices point into it. */
struct xds_cookie xds_cookie_parse(const struct xds_rpc *rpc, struct xds_slice clear);
/* True when text is IP:port, an IPv6 address in brackets. */
bool xds_is_ip_port(struct xds_slice text);

#endif

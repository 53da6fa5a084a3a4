/* override_host.h - the host that a session cookie leads to. */
#ifndef XDS_LB_OVERRIDE_HOST_H
#define XDS_LB_OVERRIDE_HOST_H

#include "lb/candidates.h"
#include "session/session.h"

struct xds_override_pick {
    bool found;
    struct xds_host host; /* when found */
    bool waits;           /* for a connection */
    enum xds_session_code code;
    struct xds_slice reason; /* a sentence */
};

/* active: the candidates in use, or NULL when every priority fails. */
struct xds_override_pick xds_override_host_pick(const struct xds_lb *lb,
                                                const struct xds_cluster *cluster,
                                                const struct xds_endpoints *endpoints,
                                                const struct xds_candidates *active,
                                                const struct xds_cookie *cookie);

#endif

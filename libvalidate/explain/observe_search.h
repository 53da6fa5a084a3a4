/* observe_search.h - the connection states under which an RPC reaches an address. */
#ifndef XDS_EXPLAIN_OBSERVE_SEARCH_H
#define XDS_EXPLAIN_OBSERVE_SEARCH_H

#include "explain/branches.h"
#include "explain/observe_place.h"

/* What the search for one address works with. */
struct xds_observer {
    const struct xds_lb *lb;   /* of the request, with its assumptions */
    struct xds_arena *scratch; /* of a single pick */
    size_t drawn;              /* numbers that are taken before a pick */
    size_t *budget;            /* hosts that may still be looked at */
};

enum xds_rpc_path_end {
    XDS_WAY_FOUND,
    XDS_WAY_TARGET_DOWN, /* the request says that the address is down */
    XDS_WAY_HELD,        /* `what` would have to be down; the request says otherwise */
    XDS_WAY_REFUSED,     /* the RPC is refused before any host; `what` is its error */
    XDS_WAY_PASSED,      /* whatever is down, the RPC passes the address by */
    XDS_WAY_TOO_LONG,    /* a limit was hit */
};

/* How a branch comes to an address. */
struct xds_rpc_path {
    enum xds_rpc_path_end end;
    struct xds_slice what;
    const struct xds_assumption *needs; /* enough on their own; all are necessary, except
                                           when `bulk` */
    size_t n_needs;
    size_t n_rivals;   /* endpoints of the same priority among them */
    bool beats_cookie; /* the host that the request's cookie names is among them */
    bool lazy;         /* two failed endpoints of a ring, the others not connected */
    bool may_be_lazy;
    bool bulk;    /* the order of the rivals is too long to follow: all are down */
    double share; /* of the branch */
    enum xds_host_why why;
    bool waits;
    struct xds_request_key key;         /* that the last ring was asked with */
    const struct xds_lb_policy *policy; /* that chose the address; when found */
};

/* lazy: let ring_hash give a priority up as soon as gRFC A61 lets it. */
struct xds_rpc_path xds_rpc_path_find(const struct xds_observer *o,
                                      const struct xds_branch *branch,
                                      const struct xds_leaves *leaves,
                                      const struct xds_address_place *place, bool lazy);

#endif

/* session.h - what the session-affinity filter does to one RPC and its response. */
#ifndef XDS_SESSION_SESSION_H
#define XDS_SESSION_SESSION_H

#include "model/listener.h"
#include "route/route.h"

/* What a decoded cookie says. */
struct xds_cookie {
    struct xds_slice list; /* the left part as text: "A,B" */
    const struct xds_slice *addresses;
    size_t n_addresses;
    size_t n_usable;          /* all, or 0: one is not in the form of this client */
    struct xds_slice cluster; /* absent: no ';' */
};

/* The raw value of the cookie `name`; false when this client does not find it.
 * *tolerant: a more tolerant reading would have found it. */
bool xds_cookie_find(const struct xds_rpc *rpc, struct xds_slice name,
                     struct xds_slice *value, bool *tolerant);
/* A cluster as this client's cookies have it; absent: they have none. */
struct xds_slice xds_cookie_cluster(const struct xds_rpc *rpc, struct xds_slice cluster);
/* The value of a cookie, in base64, with which this client goes to these addresses
 * ("A,B") in this cluster. */
struct xds_slice xds_cookie_value(const struct xds_rpc *rpc, struct xds_slice addresses,
                                  struct xds_slice cluster);
/* The parts of the clear text; the slices point into it. */
struct xds_cookie xds_cookie_parse(const struct xds_rpc *rpc, struct xds_slice clear);
/* True when text is IP:port, an IPv6 address in brackets. */
bool xds_is_ip_port(struct xds_slice text);

/* A session that kills a client of the difference: it names a host that the client has no
 * connection to, with one of these health states. */
struct xds_session_danger {
    enum xds_difference difference;
    unsigned states;   /* mask of XDS_HEALTH_BIT */
    bool not_with_lrs; /* a cluster with lrs_server is safe */
};

enum { XDS_SESSION_DANGERS = 2 };
extern const struct xds_session_danger xds_session_dangers[XDS_SESSION_DANGERS];

/* How far the filter got with the request; the codes of spec routing 5.10. */
enum xds_session_code {
    XDS_SESSION_OFF,
    XDS_SESSION_PATH,
    XDS_SESSION_NO_COOKIE,
    XDS_SESSION_BAD_BASE64,
    XDS_SESSION_BAD_ADDRESS, /* A55: not IP:port */
    XDS_SESSION_CLUSTER_NOT_IN_ROUTE,
    XDS_SESSION_NO_CLUSTER,
    XDS_SESSION_UNKNOWN_HOST,
    XDS_SESSION_STATUS,
    XDS_SESSION_TRANSIENT_FAILURE,
    XDS_SESSION_OVERRIDE, /* the cookie names what the RPC uses */
};

/* "off", "path", "no-cookie" ... */
const char *xds_session_code_name(enum xds_session_code code);

/* The cluster that an RPC uses once the cookie was looked at. */
struct xds_session_cluster {
    struct xds_slice name;
    bool overridden; /* taken from the cookie */
    bool changed;    /* the cookie says something else: a reason to send a new one */
};

struct xds_session {
    bool filter;                             /* the filter is in the chain */
    struct xds_slice filter_name;            /* of the instance; absent: no filter */
    const struct xds_session_config *config; /* NULL: off */
    bool path_matches;
    bool acts; /* it parses the cookie and may set one */
    enum xds_session_code code;
    struct xds_slice reason; /* a sentence; absent while the cookie's host is open */
    bool out_of_reach;       /* unknown-host: a priority has it that is not in use */
    bool tolerant;           /* the cookie is there, but written so that it is missed */
    struct xds_cookie cookie;
    struct xds_session_cluster cluster; /* after xds_session_use_cluster() */
    struct xds_session *before; /* an earlier filter that acts too, or NULL: of several
                                   the last one names the host */
    const struct xds_route
        *asked;    /* route whose clusters were searched, and the answer: */
    bool in_route; /* the cookie's cluster is one of them */
};

/* Does this client have the filter at all? */
bool xds_session_is_implemented(const struct xds_rpc *rpc);
/* Config, path condition and cookie of all instances of the filter; nothing of clusters
 * or hosts yet. last: what the same RPC read in another scope, or NULL; it is taken over
 * where the config is the same. */
void xds_session_read(const struct xds_rpc *rpc, const struct xds_listener *listener,
                      const struct xds_override_scope *scope,
                      const struct xds_session *last, struct xds_session *out);
/* The RPC ends before it comes to the filter that was read. */
void xds_session_end_before(struct xds_session *session);
/* Is the cluster one of those that the route names? with_zero: one of weight 0 is, too.
 */
bool xds_session_route_names(const struct xds_route *route, struct xds_slice cluster,
                             bool with_zero);
/* selected: what the route or the weighted draw gave; each instance of the filter may
 * change it in turn. Notes cluster-not-in-route and no-cluster in the session. */
struct xds_session_cluster xds_session_use_cluster(const struct xds_rpc *rpc,
                                                   struct xds_session *session,
                                                   struct xds_slice selected,
                                                   bool plugin);
/* The value of set-cookie for an RPC that used the endpoint with this address list;
 * absent when none is sent. */
struct xds_slice xds_session_set_cookie(const struct xds_rpc *rpc,
                                        const struct xds_session *session,
                                        struct xds_slice address_list);
/* RFC 6265 5.1.4: does the cookie path cover the request path? */
bool xds_cookie_path_matches(struct xds_slice cookie_path, struct xds_slice path);

#endif

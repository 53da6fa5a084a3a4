/* explain.h - where an RPC goes, and its session cookie. */
#ifndef XDSCOPE_EXPLAIN_H
#define XDSCOPE_EXPLAIN_H

#include "check.h"

struct xds_header {
    struct xds_slice name, value;
};

enum xds_connectivity {
    XDS_STATE_TRANSIENT_FAILURE,
    XDS_STATE_IDLE,
    XDS_STATE_CONNECTING,
    XDS_STATE_READY,
};
/* "IDLE", "CONNECTING", "READY", "TRANSIENT_FAILURE", and back. */
XDS_API const char *xds_connectivity_name(enum xds_connectivity state);
XDS_API bool xds_connectivity_from_name(struct xds_slice name,
                                        enum xds_connectivity *out);

struct xds_certificate; /* server.h */
struct xds_live;        /* lb/assumptions.h: a client that runs, as a scenario has one */

struct xds_assumption {
    struct xds_slice address; /* "10.0.0.1:80" */
    enum xds_connectivity state;
};

/* Can a host have this address? Addresses of hosts have a port, and one without is easily
 * written: its state would count for no host. */
XDS_API bool xds_is_host_address(struct xds_slice address);

/* One RPC. All text is borrowed. */
struct xds_request {
    struct xds_slice target;    /* "xds:///shop.example.com", or absent */
    struct xds_slice listener;  /* a listener's name instead of a target, or absent */
    struct xds_slice authority; /* overrides the target's, or absent */
    struct xds_slice path;      /* "/pkg.Service/Method" */
    size_t n_headers;
    const struct xds_header *headers; /* in order of arrival; names as given */
    bool has_channel_id, has_hash;
    uint64_t channel_id, hash;
    size_t n_random;
    const double *random; /* each in [0,1), in the order of xdscope-explain(1) */
    size_t n_assumptions;
    const struct xds_assumption *assumptions;
    bool every_route; /* try all routes in order, also those that an index excludes: the
                         answer is the same, the list of routes tried is complete, and
                         where other clients decide otherwise is reported */
    bool ring;        /* describe the ring of ring_hash and the way over it */
    struct xds_slice observed_host; /* ask what could have sent the RPC to this address */
    struct xds_slice why_not;       /* ask why it does not go to this address */
    struct xds_slice route_config;  /* a route configuration instead of a listener, as if
                                       an API listener named it; or absent */
    const struct xds_live *live;    /* ask a running client; NULL: a static answer */
    const struct xds_certificate *server_certificate; /* of the host, for handshakes that
                                                         the client makes; or NULL */
};

struct xds_decision; /* explain/decision.h describes it; print it with xds_print_* */

/* Answers for many RPCs of one client; what one answer needed helps the next. */
struct xds_explainer;

/* check must have been made with keep, have seen all resources, and is borrowed. NULL
 * when there is no memory. */
XDS_API struct xds_explainer *xds_explainer_new(struct xds_check *check,
                                                enum xds_client client);
XDS_API void xds_explainer_free(struct xds_explainer *explainer);
/* Where the RPC goes under the reading of the client. The decision belongs to explainer
 * and lives until the next xds_explain or xds_explainer_free. XDS_ERR_USAGE when the
 * request names no target and the snapshot holds several listeners. */
XDS_API XDS_MUST_USE enum xds_status xds_explain(struct xds_explainer *explainer,
                                                 const struct xds_request *request,
                                                 const struct xds_decision **out);
/* True when the RPC reaches a host or its choice is only open to chance. */
XDS_API bool xds_decision_routed(const struct xds_decision *decision);
/* False when the request named an observed_host that nothing can have sent the RPC to. */
XDS_API bool xds_decision_observable(const struct xds_decision *decision);
/* False when the client refuses the server_certificate of the request, whichever host the
 * RPC goes to. */
XDS_API bool xds_decision_connected(const struct xds_decision *decision);
/* Mark the resources that the RPC meets: the listener and the routes that it asks for,
 * each cluster that it may go to, and their endpoints. met: one for each resource of the
 * report, cleared by the caller. The decision is the explainer's latest. */
XDS_API void xds_decision_mark_resources(const struct xds_explainer *explainer,
                                         const struct xds_decision *decision, bool *met);
/* When nothing says where the RPC starts: the first route configurations that can be
 * asked for; absent after the last one. */
XDS_API struct xds_slice xds_decision_choice(const struct xds_decision *decision,
                                             size_t i);
/* The name of the session cookie of the route that the RPC took; absent if it has none.
 */
XDS_API struct xds_slice xds_decision_cookie_name(const struct xds_decision *decision);

/* Reads RPCs from JSON objects, one at a time. Their members are named as the options of
 * `xdscope explain`, with underscores: "path", "headers", "cookie_host". */
struct xds_json_requests;

/* base: what an object does not say; cookies: the value of base's Cookie header, which is
 * not among its headers, or absent. Both are borrowed. NULL when there is no memory. */
XDS_API struct xds_json_requests *xds_json_requests_new(const struct xds_request *base,
                                                        struct xds_slice cookies);
XDS_API void xds_json_requests_free(struct xds_json_requests *requests);
/* The request of a text; it lives until the next call. XDS_ERR_USAGE when the text is no
 * such object: *fault is a sentence that says why. */
XDS_API XDS_MUST_USE enum xds_status
xds_json_requests_read(struct xds_json_requests *requests, struct xds_slice json,
                       const struct xds_request **out, struct xds_slice *fault);
/* True when the request read last names the host of a session cookie: the cookie is not
 * among its headers, since the route has the name for it. */
XDS_API bool xds_json_requests_name_host(const struct xds_json_requests *requests);
/* xds_explain() for the request read last, with its session cookie: the RPC is sent
 * without it first, to learn its name. */
XDS_API XDS_MUST_USE enum xds_status
xds_json_requests_explain(struct xds_json_requests *requests,
                          struct xds_explainer *explainer,
                          const struct xds_decision **out);

/* base64("ADDR,ADDR;CLUSTER") into buffer, without a NUL; returns the length it has or
 * would need. cluster absent: no ";" part. gRFC A55, A60, A61. */
XDS_API size_t xds_cookie_encode(struct xds_slice addresses, struct xds_slice cluster,
                                 char *buffer, size_t size);
/* The clear text of a cookie value, decoded as C-core does; false when it is not base64
 * or empty. buffer needs 3/4 of the value's length. */
XDS_API bool xds_cookie_decode(struct xds_slice value, char *buffer, size_t size,
                               size_t *len);

#endif

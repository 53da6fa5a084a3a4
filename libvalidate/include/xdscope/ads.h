/*
 * ads.h - an ADS client without input and output: what a gRPC client would ask its
 * control plane for, answer to it, and hold.
 *
 * The caller has the network and the clock. For each stream that is needed it opens a
 * call and reports it, sends what there is to send, and passes on what arrives:
 *
 *   xds_ads_new, then for each stream i for which xds_ads_is_needed(): xds_ads_begin,
 * then xds_ads_request until XDS_END, and again after each xds_ads_response and at
 *   xds_ads_deadline; xds_ads_end when the call ends, which another xds_ads_begin may
 *   follow. At last xds_ads_resource_at, xds_ads_write_dump, xds_ads_write_response.
 *
 * It differs from a client where that makes several requests of one change, one for each
 * name, and where that goes on to ask for what nothing names any more. Two lists of
 * servers have a stream each unless they are the same list, and xdstp names are compared
 * as written. What a NACK says is C-core's own text; of the others it has their form
 * around our words.
 *
 * Times are milliseconds since 1970. One that is before an earlier one counts as that.
 * After XDS_ERR_NO_MEMORY there is nothing to do but xds_ads_free().
 *
 * Source: gRFC A27, A30, A37, A47, A53, A57, A71, A88; the xDS protocol's page; how
 * clients differ was seen in runs of them, see libvalidate/ads/clients.def.
 */
#ifndef XDSCOPE_ADS_H
#define XDSCOPE_ADS_H

#include "document.h"
#include "print.h"

struct xds_ads;

struct xds_ads_settings {
    struct xds_client_release as; /* who asks; {0, 0, 0} is its newest release */
    /* "xds:///NAME", "xds://AUTHORITY/NAME", or names of listeners, also xdstp names. */
    const char *const *targets;
    size_t n_targets;
    /* Addresses of gRPC servers, such as "0.0.0.0:8080": their listeners are named by
     * server_listener_resource_name_template of the bootstrap, or as is usual. */
    const char *const *server_listeners;
    size_t n_server_listeners;
    struct xds_parsed *bootstrap; /* or NULL; must outlive the client */
    /* In place of those of the bootstrap's node; absent: those. */
    struct xds_slice node_id, node_cluster, region, zone, sub_zone;
    const struct xds_tree *metadata; /* an object, or NULL */
    bool delta;           /* the incremental protocol, which no gRPC client has */
    bool always_ack;      /* whatever comes is accepted and used */
    unsigned resource_ms; /* that a resource may take to come; 0: 15 s, as clients have */
};

/* Why something cannot be used, in one line. */
struct xds_ads_note {
    char text[240];
};

/* Settings and options are copied, all texts too, but for the bootstrap. options: as for
 * lint; whose verdict counts is said by the settings. XDS_ERR_USAGE: *note says why; *out
 * is NULL unless XDS_OK. */
XDS_API XDS_MUST_USE enum xds_status xds_ads_new(const struct xds_ads_settings *settings,
                                                 const struct xds_options *options,
                                                 struct xds_ads **out,
                                                 struct xds_ads_note *note);
XDS_API void xds_ads_free(struct xds_ads *ads);

/* ---- streams: one for each list of servers ---- */

/* A control plane of the bootstrap. Stream 0 is that of xds_servers, which are asked for
 * whatever is of no other authority; without a bootstrap there is no other.
 */
struct xds_ads_server {
    struct xds_slice uri;          /* server_uri; empty without a bootstrap */
    const struct xds_tree *config; /* its object in the bootstrap, or NULL */
};

XDS_API size_t xds_ads_streams(const struct xds_ads *ads);
/* The one of the list that is asked: the first, until one of these two is called between
 * two calls. A client goes on to the next one when a call ends without any response (gRFC
 * A71); false: there is none, or the client only knows the first. */
XDS_API struct xds_ads_server xds_ads_server(const struct xds_ads *ads, size_t stream);
XDS_API bool xds_ads_next_server(struct xds_ads *ads, size_t stream);
XDS_API void xds_ads_first_server(struct xds_ads *ads, size_t stream);
/* Is its server asked for anything, as far as the last xds_ads_request() knew? */
XDS_API bool xds_ads_is_needed(const struct xds_ads *ads, size_t stream);
/* "/envoy.service.discovery.v3.AggregatedDiscoveryService/...": the method of the calls.
 */
XDS_API const char *xds_ads_method(const struct xds_ads *ads);
/* A call was opened: all is asked for again, with the versions that are held and without
 * nonces. */
XDS_API void xds_ads_begin(struct xds_ads *ads, size_t stream);
/* It ended: what was asked for is not waited for until another one begins. */
XDS_API void xds_ads_end(struct xds_ads *ads, size_t stream);
/* The next message to send, a DiscoveryRequest or a DeltaDiscoveryRequest; it lasts until
 * the next call. XDS_END: there is none now. What should have come by now, and has not,
 * does not exist from now on. */
XDS_API XDS_MUST_USE enum xds_status xds_ads_request(struct xds_ads *ads, size_t stream,
                                                     int64_t now,
                                                     struct xds_slice *message);
/* A message that came on a stream that was begun. It is of malloc(), and belongs to the
 * client from now on, whatever is returned: the resources that it holds are parts of it.
 * XDS_ERR_USAGE: it is no response that a client would take; xds_ads_fault() says why,
 * and what this client does then. Nothing has changed. XDS_ERR_IO: a response of more
 * than 2,000,000 resources, which no client has a limit for, so that what a client does
 * is not known any more; xds_ads_fault() says so. XDS_OK: xds_ads_fault() may have what
 * was rejected of a resource that has no name, or none that can be read. */
XDS_API XDS_MUST_USE enum xds_status xds_ads_response(struct xds_ads *ads, size_t stream,
                                                      int64_t now, char *message,
                                                      size_t size);
XDS_API const char *xds_ads_fault(const struct xds_ads *ads);
/* stop(user) is called before each resource of a response. Once it says true, the rest of
 * the response is left, nothing answers it, and xds_ads_response() returns XDS_END: for
 * who is about to end. NULL: never. user is borrowed until the client is freed. */
XDS_API void xds_ads_stop_when(struct xds_ads *ads, bool (*stop)(void *user), void *user);

/* What the last response was, and what the client makes of it. */
struct xds_ads_verdict {
    struct xds_slice type_url, version,
        nonce;                 /* version is empty in the delta protocol */
    size_t resources, removed; /* in the response */
    size_t rejected;           /* of them; if none is, it is acknowledged */
    struct xds_slice error;    /* of the NACK */
};
/* About the last response that was taken; as long as what xds_ads_resource_at() gives. */
XDS_API struct xds_ads_verdict xds_ads_verdict(const struct xds_ads *ads);
/* When something times out next: xds_ads_request() is to be called then, of any stream.
 * INT64_MAX: never. */
XDS_API int64_t xds_ads_deadline(const struct xds_ads *ads);
/* All that is asked for has arrived, accepted or not, or is known not to exist. No
 * request is left to send on a stream that is open. */
XDS_API bool xds_ads_is_complete(const struct xds_ads *ads);

/* ---- what is held ---- */

#define XDS_ADS_NO_STREAM SIZE_MAX

struct xds_ads_resource {
    enum xds_resource_type type;
    struct xds_slice type_url, name;
    size_t stream; /* XDS_ADS_NO_STREAM: the bootstrap does not have its authority */
    enum xds_held_status status;
    /* What is in use; empty where there is nothing. */
    struct xds_slice bytes, version, nonce;
    int64_t updated; /* when it came */
    /* What was rejected since, if anything was. */
    struct xds_slice rejected, rejected_version;
    int64_t rejected_at;
    struct xds_slice error; /* why it was; or why it is not asked for */
    bool is_late;           /* it does not exist because it did not come in time */
    int64_t deadline;       /* until when it is waited for; INT64_MAX: it is not */
};

/* By type, and in the order in which they were asked for. False when there is no i-th.
 * All of it lasts until the next call that is not const. */
XDS_API bool xds_ads_resource_at(const struct xds_ads *ads, size_t i,
                                 struct xds_ads_resource *out);
/* As a dump: an envoy.service.status.v3.ClientStatusResponse with one ClientConfig, which
 * the source reads as what a client holds. XDS_ERR_IO when write failed. */
XDS_API XDS_MUST_USE enum xds_status xds_ads_write_dump(const struct xds_ads *ads,
                                                        const struct xds_printer *to);
/* The same as JSON without contents, and with the nonces: it lies beside files that have
 * the contents. */
XDS_API XDS_MUST_USE enum xds_status xds_ads_write_versions(const struct xds_ads *ads,
                                                            const struct xds_printer *to);
/* What is used of one type and stream as an
 * envoy.service.discovery.v3.DiscoveryResponse. XDS_END: there is none. */
XDS_API XDS_MUST_USE enum xds_status xds_ads_write_response(const struct xds_ads *ads,
                                                            size_t stream,
                                                            enum xds_resource_type type,
                                                            const struct xds_printer *to);

#endif

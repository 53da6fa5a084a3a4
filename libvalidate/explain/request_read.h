/*
 * request_read.h - one RPC from an object, as in files of tests and on lines of JSON.
 *
 * Members are named as the options of `explain`, with underscores. null is absent.
 */
#ifndef XDS_EXPLAIN_REQUEST_READ_H
#define XDS_EXPLAIN_REQUEST_READ_H

#include "model/tree.h"

/* A request while it is read. It begins with an arena, and with what the object does not
 * say; texts stay where they are. */
struct xds_request_reader {
    struct xds_arena *arena;
    struct xds_request rpc;
    struct xds_slice cookies; /* "a=1; b=2"; the last header in the end */
    const struct xds_tree
        *hosts; /* of a session cookie, for which a route has the name */
    struct xds_slice host_cluster;   /* its cluster part; absent: none */
    struct xds_slice session_cookie; /* its value, made of these two; absent: none */
    /* what is wrong, if something is */
    const struct xds_tree *wrong; /* the member or the object */
    bool wrong_key;               /* it is the member's key */
    struct xds_slice fault;       /* a sentence */
};

enum xds_request_member { XDS_MEMBER_READ, XDS_MEMBER_UNKNOWN, XDS_MEMBER_WRONG };

/* Read one member of an object. Cookies become a header in xds_request_finish(). */
enum xds_request_member xds_request_read_member(struct xds_request_reader *reader,
                                                const struct xds_tree *member);
/* False after a fault. */
bool xds_request_finish(struct xds_request_reader *reader);
/* All members of an object: none unknown, none twice. False after a fault. */
bool xds_request_read(struct xds_request_reader *reader, const struct xds_tree *object);
/* Does the member take one value, and no list? */
bool xds_request_takes_one(struct xds_slice name);
/* Where the RPC goes. A session cookie gets its name from the route, so that the RPC is
 * sent without it first. As xds_explain() otherwise. */
enum xds_status xds_request_ask(struct xds_explainer *explainer,
                                struct xds_request_reader *reader,
                                const struct xds_decision **out) XDS_MUST_USE;

#endif

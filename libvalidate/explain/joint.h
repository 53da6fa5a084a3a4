/*
 * joint.h - both ends of one RPC: where its client sends it, the connection, and what the
 * server does to it.
 *
 * Takes:  nothing; a record that explain/ fills and print/ formats.
 */
#ifndef XDS_EXPLAIN_JOINT_H
#define XDS_EXPLAIN_JOINT_H

#include "explain/decision.h"
#include "server/server.h"

/* Who says how the RPC ends. */
enum xds_joint_end {
    XDS_JOINT_CLIENT,  /* the decision: the RPC does not leave the client */
    XDS_JOINT_REFUSED, /* the client does not accept the certificate of the host */
    XDS_JOINT_SERVER,  /* served, well or not */
    XDS_JOINT_UNKNOWN, /* what the host does is not in the snapshot */
};

/* Of the client. */
enum xds_joint_certificate {
    XDS_JOINT_CERTIFICATE_NONE,
    XDS_JOINT_CERTIFICATE_GIVEN,
    XDS_JOINT_CERTIFICATE_ASSUMED, /* there is one, and its names are not known */
};

struct xds_joint {
    const struct xds_decision *decision;
    enum xds_joint_end end;
    struct xds_slice reason;               /* REFUSED, UNKNOWN: a clause */
    const struct xds_rpc_failure *failure; /* REFUSED; NULL: none is known */
    const struct xds_decision_host *host;  /* that is looked at; NULL: none */
    struct xds_slice address;              /* of it, or the one that was asked for */
    const struct xds_served *served;       /* SERVER only */
    bool is_tls;                           /* what the client speaks to the host */
    struct xds_slice server_name;          /* SNI; absent: none */
    struct xds_slice peer;                 /* the client's address */
    bool peer_assumed;
    enum xds_joint_certificate certificate;
    struct xds_slice *notes;
    size_t n_notes;
};

#endif

/* override_choice.h - which address of a session cookie serves: one rule for a static
 * answer and for the running policy. */
#ifndef XDS_LB_OVERRIDE_CHOICE_H
#define XDS_LB_OVERRIDE_CHOICE_H

#include "model/cluster.h"
#include "model/endpoint.h"
#include "session/session.h"

/* Which text a client follows. */
enum xds_override_generation {
    XDS_OVERRIDE_A55, /* one address and its endpoint's others; no connection is made */
    XDS_OVERRIDE_A75, /* all addresses of the cookie; connections are made on demand */
};

enum xds_override_generation xds_override_generation_of(enum xds_client client);

/* Is a host of this health allowed by the status set, a mask of XDS_HEALTH_BIT? */
bool xds_override_admits(unsigned status, enum xds_health health);

/* What is known of an address that some endpoint has. */
struct xds_override_candidate {
    bool usable; /* its health is in the status set */
    bool has_subchannel;
    enum xds_connectivity state; /* of the subchannel */
};

/* Better first: gRFC A75's picker goes through the whole list once per kind. */
enum xds_override_rank {
    XDS_RANK_READY,
    XDS_RANK_IDLE,
    XDS_RANK_CONNECTING,
    XDS_RANK_NONE, /* no subchannel yet */
    XDS_RANK_UNUSABLE,
};

/* The best of the addresses considered so far. */
struct xds_override_choice {
    enum xds_override_generation generation;
    enum xds_override_rank rank; /* UNUSABLE: nothing was found */
    void *best;                  /* found: as the caller gave it */
    struct xds_override_candidate candidate;
    enum xds_session_code code; /* nothing found: the most telling reason */
    void *worst;                /* whose reason that is; NULL: nothing was considered */
    bool unconnected;           /* A55 skipped an address without subchannel */
};

struct xds_override_choice
xds_override_choice_start(enum xds_override_generation generation);
/* In the order of the cookie; an address that no endpoint has is left out. */
void xds_override_consider(struct xds_override_choice *choice, void *what,
                           const struct xds_override_candidate *candidate);
/* Why it is that address, or why none: a sentence. */
struct xds_slice xds_override_reason(const struct xds_override_choice *choice);

#endif

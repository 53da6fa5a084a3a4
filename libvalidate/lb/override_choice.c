/*
 * override_choice.c - the address that a session cookie leads to, by health and state.
 *
 * Source: gRFC A55, A61, A75, spec routing 8.2, 8.4, OH-c, OH-d, OH-e and 5.10.
 */
#include "lb/override_choice.h"

#include "clients/readers.h"

enum xds_override_generation xds_override_generation_of(enum xds_client client)
{
    return xds_newest_differs(client, XDS_DIFF_OVERRIDE_HOST_A55) ? XDS_OVERRIDE_A55
                                                                  : XDS_OVERRIDE_A75;
}

bool xds_override_admits(unsigned status, enum xds_health health)
{
    const unsigned possible = XDS_HEALTH_BIT(XDS_HEALTH_UNKNOWN) |
                              XDS_HEALTH_BIT(XDS_HEALTH_HEALTHY) |
                              XDS_HEALTH_BIT(XDS_HEALTH_DRAINING);

    return status & possible & XDS_HEALTH_BIT(health);
}

static enum xds_override_rank rank_of(const struct xds_override_candidate *candidate)
{
    if (!candidate->usable)
        return XDS_RANK_UNUSABLE;
    if (!candidate->has_subchannel)
        return XDS_RANK_NONE;
    switch (candidate->state) {
    case XDS_STATE_READY:
        return XDS_RANK_READY;
    case XDS_STATE_IDLE:
        return XDS_RANK_IDLE;
    case XDS_STATE_CONNECTING:
        return XDS_RANK_CONNECTING;
    case XDS_STATE_TRANSIENT_FAILURE:
        break;
    }
    return XDS_RANK_UNUSABLE;
}

/* Why an address is of no use; the order of the codes is that of the checks. */
static enum xds_session_code code_of(const struct xds_override_candidate *candidate)
{
    return candidate->usable ? XDS_SESSION_TRANSIENT_FAILURE : XDS_SESSION_STATUS;
}

struct xds_override_choice
xds_override_choice_start(enum xds_override_generation generation)
{
    return (struct xds_override_choice){.generation = generation,
                                        .rank = XDS_RANK_UNUSABLE,
                                        .code = XDS_SESSION_UNKNOWN_HOST};
}

/* Of equals the first serves, but A55 remembers the last IDLE one it has seen. */
static bool is_better(const struct xds_override_choice *choice,
                      enum xds_override_rank rank)
{
    if (rank == XDS_RANK_IDLE && choice->generation == XDS_OVERRIDE_A55)
        return rank <= choice->rank;
    return rank < choice->rank;
}

void xds_override_consider(struct xds_override_choice *choice, void *what,
                           const struct xds_override_candidate *candidate)
{
    const enum xds_override_rank rank = rank_of(candidate);

    if (rank == XDS_RANK_NONE && choice->generation == XDS_OVERRIDE_A55) {
        choice->unconnected = true;
        return;
    }
    if (is_better(choice, rank)) {
        choice->rank = rank;
        choice->best = what;
        choice->candidate = *candidate;
    }
    if (code_of(candidate) > choice->code) {
        choice->code = code_of(candidate);
        choice->worst = what;
    }
}

/* ---- sentences ---- */

static struct xds_slice failure_reason(const struct xds_override_choice *choice)
{
    if (choice->code == XDS_SESSION_STATUS)
        return XDS_S("the health status of the cookie's host excludes it from overrides");
    if (choice->code == XDS_SESSION_TRANSIENT_FAILURE)
        return XDS_S("the connection to the cookie's host fails");
    if (choice->unconnected)
        return XDS_S("the cookie's host has no connection, and A55 makes none for it");
    return XDS_S("no endpoint of the cluster has an address of the cookie");
}

struct xds_slice xds_override_reason(const struct xds_override_choice *choice)
{
    switch (choice->rank) {
    case XDS_RANK_READY:
        return XDS_S("the cookie names the host");
    case XDS_RANK_IDLE:
        return XDS_S("the cookie names the host; it is idle and is asked to connect");
    case XDS_RANK_CONNECTING:
        return XDS_S("the cookie names the host; the RPC waits while it connects");
    case XDS_RANK_NONE:
        return XDS_S("the cookie names the host; the RPC waits for a connection to it");
    case XDS_RANK_UNUSABLE:
        break;
    }
    return failure_reason(choice);
}

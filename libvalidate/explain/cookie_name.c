/*
 * cookie_name.c - the session cookie that the route of a decision asks for.
 *
 * Takes:  a decision, of an RPC with or without cookies.
 * Gives:  the cookie's name, so that a caller can send one.
 * Source: gRFC A55.
 */
#include "explain/decision.h"

struct xds_slice xds_decision_cookie_name(const struct xds_decision *decision)
{
    const struct xds_session *session = decision->session;

    return session && session->config ? session->config->cookie_name
                                      : (struct xds_slice){NULL, 0};
}

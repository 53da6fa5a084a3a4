/*
 * cookie_name.c - the session cookie that the route of a decision asks for.
 *
 * Source: gRFC A55.
 */
#include "explain/decision.h"

struct xds_slice xds_decision_cookie_name(const struct xds_decision *decision)
{
    const struct xds_session *session = decision->session;

    return session && session->config ? session->config->cookie_name
                                      : (struct xds_slice){NULL, 0};
}

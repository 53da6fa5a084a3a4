/*
 * listeners.c - a listener that is one of clients and one of servers at once.
 *
 * Source: gRFC A27, A36; spec listener L1.
 */
#include "lint/checks.h"

void xds_check_listener_form(const struct xds_inspection *in,
                             const struct xds_listener *listener)
{
    if (listener->is_api_listener && listener->has_filter_chains)
        (void)xds_lint_fire(
            in, XDS_AT(NULL, "api_listener"), XDS_R_LINT_LISTENER_BOTH_FORMS,
            "api_listener makes this a listener for clients: its filter chains are "
            "ignored, and a server that requests it does not serve");
}

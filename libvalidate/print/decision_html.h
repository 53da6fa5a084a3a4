/* decision_html.h - what the parts of the page of a decision share. */
#ifndef XDS_PRINT_DECISION_HTML_H
#define XDS_PRINT_DECISION_HTML_H

#include "print/decision.h"
#include "print/html.h"

struct xds_decision_page {
    const struct xds_decision *d;
    struct xds_arena arena;
    struct xds_out out;
};

/* The routes that were tried, and why; with verbose also those after them. */
void xds_html_routes(struct xds_decision_page *page);
/* The hosts that the RPC may end on. */
void xds_html_hosts(struct xds_decision_page *page);

#endif

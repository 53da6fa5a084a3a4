/* findings_html.h - what the parts of the page of findings share. */
#ifndef XDS_PRINT_FINDINGS_HTML_H
#define XDS_PRINT_FINDINGS_HTML_H

#include "print/findings.h"
#include "print/html.h"

/* Finding number i is the element "fI", a rule the element "rule-SLUG". */
struct xds_findings_page {
    const struct xds_report *report;
    struct xds_arena arena;
    struct xds_out out;
};

/* Who rejects which resource. */
void xds_html_matrix(struct xds_findings_page *page);
/* The rules of the findings, by slug. */
void xds_html_rules(struct xds_findings_page *page);
/* 'RouteConfiguration "shop"' */
void xds_html_resource(struct xds_out *out, const struct xds_resource_result *resource);

#endif

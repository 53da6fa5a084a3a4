/* report.c - what the reports of a suite share. */
#include "suite/report.h"

#include <stdio.h>

void xds_out_more_mismatches(struct xds_out *out, const struct xds_suite_case *c)
{
    xds_out_line(out, "and %zu more value%s that differ%s", c->n_more_mismatches,
                 xds_plural(c->n_more_mismatches), c->n_more_mismatches == 1 ? "s" : "");
}

struct xds_short_text xds_tenths(double percent)
{
    const unsigned tenths = (unsigned)(percent * 10 + 1e-9);
    struct xds_short_text out;

    if (tenths % 10 == 0)
        (void)snprintf(out.text, sizeof(out.text), "%u", tenths / 10);
    else
        (void)snprintf(out.text, sizeof(out.text), "%u.%u", tenths / 10, tenths % 10);
    return out;
}

void xds_out_cases(struct xds_out *out, const struct xds_suite_results *results)
{
    xds_out_format(out, "%zu case%s: %zu passed, %zu failed", results->cases,
                   xds_plural(results->cases), results->cases - results->failed,
                   results->failed);
    if (results->not_run)
        xds_out_format(out, ", %zu not run", results->not_run);
    if (results->n_faults)
        xds_out_format(out, "; %zu fault%s in test files", results->n_faults,
                       xds_plural(results->n_faults));
}

void xds_out_covered(struct xds_out *out, const struct xds_suite_results *results)
{
    xds_out_format(out, "routes %zu/%zu, weighted targets %zu/%zu: %s%%",
                   results->routes_covered, results->routes, results->targets_covered,
                   results->targets, xds_tenths(xds_suite_percent(results)).text);
}

bool xds_suite_under_limit(const struct xds_suite_results *results,
                           const struct xds_suite_view *view)
{
    return view->has_limit && xds_suite_percent(results) < view->limit;
}

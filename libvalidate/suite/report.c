/* report.c - what the reports of a suite share. */
#include "suite/report.h"

void xds_out_more_mismatches(struct xds_out *out, const struct xds_suite_case *c)
{
    xds_out_text(out, "and ");
    xds_out_count(out, c->n_more_mismatches, "more value");
    xds_out_text(out, c->n_more_mismatches == 1 ? " that differs" : " that differ");
}

void xds_out_tenths(struct xds_out *out, double percent)
{
    const uint64_t tenths = (uint64_t)(percent * 10 + 1e-9);

    xds_out_u64(out, tenths / 10);
    if (tenths % 10 == 0)
        return;
    xds_out_char(out, '.');
    xds_out_u64(out, tenths % 10);
}

void xds_out_cases(struct xds_out *out, const struct xds_suite_results *results)
{
    xds_out_count(out, results->cases, "case");
    xds_out_text(out, ": ");
    xds_out_u64(out, results->cases - results->failed);
    xds_out_text(out, " passed, ");
    xds_out_u64(out, results->failed);
    xds_out_text(out, " failed");
    if (results->not_run) {
        xds_out_text(out, ", ");
        xds_out_u64(out, results->not_run);
        xds_out_text(out, " not run");
    }
    if (results->n_faults) {
        xds_out_text(out, "; ");
        xds_out_count(out, results->n_faults, "fault");
        xds_out_text(out, " in test files");
    }
}

static void out_share(struct xds_out *out, const char *what, size_t covered, size_t all)
{
    xds_out_text(out, what);
    xds_out_u64(out, covered);
    xds_out_char(out, '/');
    xds_out_u64(out, all);
}

void xds_out_covered(struct xds_out *out, const struct xds_suite_results *results)
{
    out_share(out, "routes ", results->routes_covered, results->routes);
    out_share(out, ", weighted targets ", results->targets_covered, results->targets);
    xds_out_text(out, ": ");
    xds_out_tenths(out, xds_suite_percent(results));
    xds_out_char(out, '%');
}

bool xds_suite_under_limit(const struct xds_suite_results *results,
                           const struct xds_suite_view *view)
{
    return view->has_limit && xds_suite_percent(results) < view->limit;
}

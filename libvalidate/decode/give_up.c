/* give_up.c - a resource for which there was not enough memory. */
#include "decode/decode.h"

#include "base/limits.h"
#include "catalogue/rule.h"

struct job {
    const struct xds_resource *in;
    struct xds_report *report;
};

static void fire(void *arg)
{
    const struct job *job = arg;
    struct xds_report *report = job->report;

    if (report->of_resource >= XDS_MAX_FINDINGS_PER_RESOURCE)
        report->of_resource = XDS_MAX_FINDINGS_PER_RESOURCE - 1; /* it has room */
    xds_report_at(report, xds_rule_row(XDS_R_DECODE_TOO_LARGE),
                  (uint32_t)report->n_resources - 1, job->in->at,
                  "the input has a resource that needs more than 512 MiB of memory");
}

enum xds_status xds_decode_give_up(const struct xds_resource *in,
                                   struct xds_report *report, bool is_limit)
{
    struct xds_arena *const arenas[] = {&report->arena};
    struct job job = {in, report};

    report->telling = NULL; /* its finding was not made */
    xds_report_place_rest(report);
    if (!is_limit)
        return XDS_ERR_NO_MEMORY;
    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), fire, &job);
}

/*
 * scopes.c - which of the xDS clients of a process each ClientConfig of a dump is of.
 *
 * Source: client_scope of envoy.service.status.v3.ClientConfig.
 */
#include "report/report.h"

void xds_report_name_scope(struct xds_report *report, uint32_t config,
                           struct xds_slice scope)
{
    while (report->scopes.n <= config) {
        report->scopes.list =
            xds_arena_room(&report->arena, report->scopes.list, report->scopes.n,
                           &report->scopes.cap, sizeof *report->scopes.list);
        report->scopes.list[report->scopes.n++] = XDS_S("");
    }
    if (report->scopes.list[config].len == 0)
        report->scopes.list[config] = xds_arena_dup(&report->arena, scope);
}

struct xds_slice xds_report_scope(const struct xds_report *report, uint32_t config)
{
    return config < report->scopes.n ? report->scopes.list[config] : XDS_S("");
}

/*
 * scopes.c - which of the xDS clients of a process each ClientConfig of a dump is of.
 *
 * Source: client_scope of envoy.service.status.v3.ClientConfig.
 */
#include "report/report.h"

void xds_report_name_scope(struct xds_report *report, uint32_t config,
                           struct xds_slice scope)
{
    while (report->n_scopes <= config) {
        report->scopes = xds_arena_room(&report->arena, report->scopes, report->n_scopes,
                                        &report->cap_scopes, sizeof *report->scopes);
        report->scopes[report->n_scopes++] = XDS_S("");
    }
    if (report->scopes[config].len == 0)
        report->scopes[config] = xds_arena_dup(&report->arena, scope);
}

struct xds_slice xds_report_scope(const struct xds_report *report, uint32_t config)
{
    return config < report->n_scopes ? report->scopes[config] : XDS_S("");
}

/* inspect.c - how a check beyond NACK reports. */
#include "lint/inspect.h"

#include "clients/clients.h"

static bool fire(const struct xds_inspection *in, const struct xds_path *at,
                 enum xds_rule_id rule, const char *format, va_list args)
{
    const struct xds_rule *row = xds_rule_row(rule);
    struct xds_slice message = XDS_S("");

    if (!xds_report_is_full(in->report))
        message = xds_pool_vprintf(&in->report->texts, format, args);
    return xds_report_add(in->report, row, in->resource, at, NULL, NULL, message);
}

bool xds_lint_fire(const struct xds_inspection *in, const struct xds_path *at,
                   enum xds_rule_id rule, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const bool added = fire(in, at, rule, format, args);
    va_end(args);
    return added;
}

bool xds_lint_fire_note(const struct xds_inspection *in, const struct xds_path *at,
                        enum xds_rule_id rule, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const bool added = fire(in, at, rule, format, args);
    va_end(args);
    if (added)
        in->report->findings[in->report->n_findings - 1].level = XDS_LEVEL_NOTE;
    return added;
}

struct xds_slice xds_lint_who(const struct xds_inspection *in, unsigned clients)
{
    const unsigned selected = in->report->options.clients;

    clients &= selected;
    if (clients == selected && (clients & (clients - 1)))
        return XDS_S("every client");
    return xds_arena_printf(in->scratch, "%s", xds_client_list(clients, " and ").text);
}

struct xds_slice xds_lint_for_some(const struct xds_inspection *in, unsigned clients)
{
    const unsigned selected = in->report->options.clients;

    clients &= selected;
    if (clients == 0 || clients == selected)
        return XDS_S("");
    return xds_arena_printf(in->scratch, ", for %s", xds_client_list(clients, ", ").text);
}

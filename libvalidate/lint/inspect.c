/*
 * inspect.c - how a check beyond NACK reports.
 *
 * Takes:  a rule of lint.def's kind, a path, what is wrong there.
 * Gives:  a finding of the report.
 */
#include "lint/inspect.h"

#include "base/text.h"

static bool fire(const struct xds_inspection *in, const struct xds_path *at,
                 enum xds_rule_id rule, const char *format, va_list args)
{
    const struct xds_rule *row = xds_rule_row(rule);
    struct xds_slice message = XDS_S("");

    if (!xds_report_is_full(in->report))
        message = xds_arena_vprintf(&in->report->arena, format, args);
    return xds_report_add(in->report, row, in->resource, at, NULL, row->verdict, message);
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
    unsigned left = clients & in->report->options.clients;
    struct xds_text who = {.arena = in->scratch};

    if (left == in->report->options.clients && (left & (left - 1)))
        return XDS_S("every client");
    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        if (!(left & XDS_CLIENT_BIT(c)))
            continue;
        left &= ~XDS_CLIENT_BIT(c);
        if (who.len > 0)
            xds_text_add(&who, left ? XDS_S(", ") : XDS_S(" and "));
        xds_text_add(&who, xds_slice_of(xds_client_name((enum xds_client)c)));
    }
    return xds_slice_make(who.data, who.len);
}

struct xds_slice xds_lint_for_some(const struct xds_inspection *in, unsigned clients)
{
    const unsigned selected = in->report->options.clients;
    struct xds_slice out = XDS_S("");

    if ((selected & ~clients) == 0)
        return out;
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (clients & selected & XDS_CLIENT_BIT(c))
            out = xds_arena_printf(in->scratch, "%.*s%s%s", XDS_FMT(out),
                                   out.len > 0 ? ", " : ", for ", xds_client_name(c));
    return out;
}

/*
 * fire.c - how a check reports: once for all releases that were asked for, and whom its
 * text names. Owns nothing: findings are the report's, a text that is returned is in the
 * scratch memory of the inspection. Called by all checks of this room.
 */
#include "lint/checks.h"

/* That of a newer release by the same rule at this place, or NULL. */
static struct xds_finding *find_newer(const struct xds_inspection *in,
                                      const struct xds_path *at,
                                      const struct xds_rule *row)
{
    const struct xds_slice path = xds_pool_path(&in->report->texts, at);

    for (size_t i = in->first; i < in->report->n_findings; i++) {
        struct xds_finding *finding = &in->report->findings[i];

        if (finding->rule == row && finding->resource == in->resource &&
            finding->path.data == path.data)
            return finding;
    }
    return NULL;
}

/* It names clients, and not that of the older release. */
static void name_older(const struct xds_inspection *in, struct xds_finding *newer)
{
    const unsigned client = XDS_CLIENT_BIT(in->older->client);

    if (newer->named == 0 || (newer->named & client) || newer->message.len == 0)
        return;
    newer->named |= client;
    newer->message = xds_pool_text(
        &in->report->texts,
        xds_arena_printf(in->scratch, "%.*s; for %s too, up to %s",
                         XDS_FMT(newer->message), xds_client_name(in->older->client),
                         xds_client_label(*in->older).text));
}

/* The clients that the text in work names; 0: none. */
static unsigned take_named(const struct xds_inspection *in)
{
    const unsigned named = in->named ? *in->named : 0;

    if (in->named)
        *in->named = 0;
    return named;
}

static bool fire(const struct xds_inspection *in, const struct xds_path *at,
                 enum xds_rule_id rule, const char *format, va_list args)
{
    const struct xds_rule *row = xds_rule_row(rule);
    const unsigned named = take_named(in);
    struct xds_finding *newer = in->older ? find_newer(in, at, row) : NULL;
    struct xds_slice message = XDS_S("");

    if (newer) {
        name_older(in, newer);
        return false;
    }
    if (!xds_report_is_full(in->report))
        message = xds_pool_vprintf(&in->report->texts, format, args);
    if (in->older && message.len > 0)
        message = xds_pool_text(&in->report->texts,
                                xds_arena_printf(in->scratch, "%.*s (up to %s)",
                                                 XDS_FMT(message),
                                                 xds_client_label(*in->older).text));
    if (!xds_report_add(in->report, row, in->resource, at, NULL, NULL, message))
        return false;
    in->report->findings[in->report->n_findings - 1].named = named;
    return true;
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

unsigned xds_lint_named(const struct xds_inspection *in, unsigned clients)
{
    const struct xds_options *options = &in->report->options;

    return xds_clients_named(options, clients & options->clients);
}

struct xds_slice xds_lint_who(const struct xds_inspection *in, unsigned clients)
{
    const struct xds_options *options = &in->report->options;
    const unsigned selected = options->clients, named = xds_lint_named(in, clients);

    if (in->named)
        *in->named = clients;

    if (named == xds_clients_named(options, selected) && (named & (named - 1)))
        return XDS_S("every client");
    return xds_arena_printf(in->scratch, "%s",
                            xds_named_list(options, named, " and ").text);
}

struct xds_client_label xds_lint_last(const struct xds_inspection *in,
                                      enum xds_difference difference)
{
    const struct xds_options *options = &in->report->options;
    struct xds_client_release list[XDS_RELEASES + XDS_CLIENTS];
    const size_t n = xds_options_asked(options, list);
    struct xds_client_label last = {""};

    for (size_t i = 0; i < n; i++)
        if (list[i].release.major != 0 && xds_release_differs(&list[i], difference))
            last = xds_client_label(list[i]);
    return last;
}

struct xds_slice xds_lint_for_some(const struct xds_inspection *in, unsigned clients)
{
    const struct xds_options *options = &in->report->options;
    const unsigned named = xds_lint_named(in, clients);

    if (in->named)
        *in->named = clients;
    if (named == 0 || named == xds_clients_named(options, options->clients))
        return XDS_S("");
    return xds_arena_printf(in->scratch, ", for %s",
                            xds_named_list(options, named, ", ").text);
}

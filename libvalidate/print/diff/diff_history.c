/* diff_history.c - what a client is known to do otherwise between two releases, and what
 * lint warns of for one of two readers. */
#include <string.h>

#include "clients/readers.h"
#include "print/diff/diff.h"
#include "print/findings/findings.h"
#include "print/write/document.h"

enum { SHOWN = 20 };

static bool has_servers(const struct xds_diff *diff)
{
    for (unsigned side = 0; side < XDS_SIDES; side++) {
        const struct xds_snapshot *snapshot = &diff->side[side].check->snapshot;

        for (const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_LISTENER]; e;
             e = e->next) {
            const struct xds_listener *listener = e->model;

            if (!listener || !listener->is_api_listener)
                return true;
        }
    }
    return false;
}

/* Can the snapshot meet what this text says? Few have a bootstrap beside them, or servers
 * with RBAC. */
static bool may_meet(const struct xds_diff *diff, const char *text)
{
    const struct xds_options *options = &diff->side[XDS_SIDE_NEW].check->report->options;

    if (strstr(text, "bootstrap"))
        return options->bootstrap.is_set || options->bootstraps;
    return !strstr(text, "RBAC") || has_servers(diff);
}

static void print_past(struct xds_out *out, const struct xds_difference_before *row)
{
    const struct xds_client_release at = {row->client, row->release};
    const struct xds_difference_row said = xds_difference_row(row->difference);

    xds_out_line(out, "  %s %s %s: %s (%s)", row->differs ? "before" : "from",
                 xds_client_name(row->client),
                 (row->release.patch ? xds_release_text(at) : xds_release_minor(at)).text,
                 said.text, said.source);
}

void xds_diff_print_history(struct xds_out *out, const struct xds_diff *diff)
{
    const struct xds_difference_before *row;
    const bool all = out->to->verbose;
    size_t shown = 0, others = 0;

    xds_out_line(out, ": what is known to differ between the two releases");
    for (size_t i = 0; (row = xds_diff_history(diff, i)) != NULL && !out->failed; i++) {
        if (!all && !may_meet(diff, xds_difference_row(row->difference).text)) {
            others++;
        } else if (shown == SHOWN && !all) {
            xds_out_line(out, "  and more; -v shows all");
            return;
        } else {
            print_past(out, row);
            shown++;
        }
    }
    if (others > 0)
        xds_out_line(out,
                     "  and %zu on bootstraps or RBAC, which are not compared here; -v "
                     "shows all",
                     others);
}

void xds_diff_print_warnings(struct xds_out *out, const struct xds_diff *diff)
{
    xds_out_line(out, ": what lint says for one of the two");
    for (size_t i = 0; i < diff->warnings.n && !out->failed; i++) {
        const struct xds_warning_change *change = &diff->warnings.list[i];
        const enum xds_side side = change->rule.side;

        xds_out_format(out, "  %s: ", diff->as[side].text);
        xds_out_finding_line(out, diff->warnings.linted[side], &change->rule.finding);
        if (change->n > 1)
            xds_out_line(out, "    and in %zu more resource%s", change->n - 1,
                         xds_plural(change->n - 1));
    }
    if (diff->warnings.n_more > 0)
        xds_out_line(out, "  and %zu more", diff->warnings.n_more);
}

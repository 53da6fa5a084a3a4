/* ring_priorities.c - which priorities were looked at, and why one was skipped. */
#include "print/decision.h"
#include "print/ring.h"

/* Priorities of a page that is not verbose. */
enum { MANY = 20 };

static const char blanks[] = "              ";

/* Told where there was a choice, or something to wait for. */
static bool priorities_matter(const struct xds_decision *d)
{
    return d->n_priorities > 1 ||
           (d->n_priorities == 1 && d->priorities[0].state != XDS_STATE_READY);
}

static void print_priority(struct xds_out *out, const struct xds_decision *d,
                           const struct xds_priority_try *try)
{
    static const char *const used[] = {
        [XDS_STATE_TRANSIENT_FAILURE] = ": fails, and no other is left; ",
        [XDS_STATE_IDLE] = ": used; ",
        [XDS_STATE_CONNECTING] = ": used; ",
        [XDS_STATE_READY] = ": used; ",
    };

    xds_out_u64(out, try->priority);
    if (d->cluster && !xds_slice_eq(try->leaf, d->cluster->name)) {
        xds_out_text(out, " of \"");
        xds_out_clean(out, try->leaf);
        xds_out_char(out, '"');
    }
    xds_out_text(out, try->chosen ? used[try->state] : ": skipped; ");
    xds_out_clean(out, try->reason);
    xds_out_char(out, '\n');
}

/* Of a long list the last ones are shown: the one in use is there. */
void xds_print_priorities_text(struct xds_out *out, const struct xds_decision *d)
{
    const size_t n = priorities_matter(d) ? d->n_priorities : 0;
    const size_t from = out->to->verbose || n <= MANY ? 0 : n - MANY;

    if (n == 0)
        return;
    xds_out_styled(out, XDS_STYLE_BOLD, n == 1 ? "priority" : "priorities");
    xds_out_text(out, n == 1 ? "      " : "    ");
    if (from) {
        xds_out_u64(out, from);
        xds_out_text(out, " before these fail\n");
        xds_out_text(out, blanks);
    }
    for (size_t i = from; i < n; i++) {
        if (i > from)
            xds_out_text(out, blanks);
        print_priority(out, d, &d->priorities[i]);
    }
}

static void write_priority(struct xds_out *out, const struct xds_priority_try *try)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_key(out, "leaf");
    xds_json_string(out, try->leaf);
    xds_json_key(out, "priority");
    xds_json_u64(out, try->priority);
    xds_json_key(out, "state");
    xds_json_text(out, xds_connectivity_name(try->state));
    xds_json_key(out, "chosen");
    xds_json_bool(out, try->chosen);
    xds_json_key(out, "reason");
    xds_json_string(out, try->reason);
    xds_json_end_object(out);
}

void xds_print_priorities_json(struct xds_out *out, const struct xds_decision *d)
{
    xds_json_begin_array(out);
    for (size_t i = 0; i < d->n_priorities; i++)
        write_priority(out, &d->priorities[i]);
    xds_json_end_array(out);
}

/* observed_text.c - the causes of an observed address, for people. */
#include "print/observed.h"

/* Addresses of a cause, when the page is not verbose. */
enum { MANY_NEEDS = 20 };

/* A line below a cause. */
static void indent(struct xds_out *out)
{
    xds_out_text(out, "                   ");
}

static void print_state(struct xds_out *out, enum xds_connectivity state)
{
    static const char *const words[] = {
        [XDS_STATE_TRANSIENT_FAILURE] = " is down (TRANSIENT_FAILURE)",
        [XDS_STATE_IDLE] = " is not connected (IDLE)",
        [XDS_STATE_CONNECTING] = " is connecting (CONNECTING)",
        [XDS_STATE_READY] = " is connected (READY)",
    };

    xds_out_text(out, words[state]);
}

static void print_needs(struct xds_out *out, const struct xds_cause *cause)
{
    const size_t all = cause->n_needs + cause->n_more_needs;
    const size_t most = out->to->verbose ? cause->n_needs : MANY_NEEDS;
    const size_t n = cause->n_needs < most ? cause->n_needs : most;

    for (size_t i = 0; i < n; i++) {
        indent(out);
        xds_out_text(out, "when ");
        xds_out_clean(out, cause->needs[i].address);
        print_state(out, cause->needs[i].state);
        xds_out_char(out, '\n');
    }
    if (all > n) {
        indent(out);
        xds_out_text(out, "... and ");
        xds_out_u64(out, all - n);
        xds_out_text(out, " more\n");
    }
}

static void print_place(struct xds_out *out, const struct xds_cause *cause)
{
    if (!cause->cluster.data)
        return;
    xds_out_text(out, ", cluster \"");
    xds_out_clean(out, cause->cluster);
    xds_out_char(out, '"');
    if (!xds_slice_eq(cause->leaf, cause->cluster)) {
        xds_out_text(out, " by its leaf \"");
        xds_out_clean(out, cause->leaf);
        xds_out_char(out, '"');
    }
    if (cause->has_priority) {
        xds_out_text(out, ", priority ");
        xds_out_u64(out, cause->priority);
    }
}

/* Something must be so that the request does not say. */
static bool is_conditional(const struct xds_cause *cause)
{
    return cause->n_needs > 0 || (cause->cookie.data && !cause->sent);
}

static void print_cause(struct xds_out *out, const struct xds_cause *cause, size_t number)
{
    xds_out_text(out, number < 10 ? "               " : "              ");
    xds_out_u64(out, number);
    xds_out_text(out, ". ");
    xds_out_styled(out, XDS_STYLE_BOLD, xds_cause_kind_name(cause->kind));
    print_place(out, cause);
    if (cause->probability != XDS_NOT_COMPUTABLE) {
        xds_out_text(out, is_conditional(cause) ? ", then " : ", ");
        xds_out_percent(out, cause->probability);
        xds_out_text(out, " of such RPCs");
    }
    xds_out_char(out, '\n');
    indent(out);
    xds_out_clean(out, cause->reason);
    xds_out_char(out, '\n');
    if (cause->cookie.data) {
        indent(out);
        xds_out_text(out, "cookie ");
        xds_out_clean(out, cause->cookie);
        xds_out_char(out, '\n');
    }
    print_needs(out, cause);
}

static void print_observed(struct xds_out *out, const struct xds_observation *o)
{
    xds_out_styled(out, XDS_STYLE_BOLD, "observed");
    xds_out_text(out, "      ");
    xds_out_clean(out, o->address);
    if (o->n_causes == 0) {
        xds_out_styled(out, XDS_STYLE_RED,
                       o->incomplete ? " has no known cause" : " is impossible");
        xds_out_text(out, ": ");
        xds_out_clean(out, o->reason);
        xds_out_char(out, '\n');
    } else {
        xds_out_styled(out, XDS_STYLE_GREEN, " is possible");
        xds_out_text(out, ", with ");
        xds_out_count(out, o->n_causes, "cause");
        xds_out_char(out, '\n');
    }
    for (size_t i = 0; i < o->n_causes; i++)
        print_cause(out, &o->causes[i], i + 1);
    if (o->incomplete)
        xds_out_text(out,
                     "              there are too many hosts or clusters to look at; "
                     "there may be more causes\n");
}

static void print_why_not(struct xds_out *out, const struct xds_why_not *w)
{
    for (size_t i = 0; i < w->n_reasons; i++) {
        if (i == 0) {
            xds_out_styled(out, XDS_STYLE_BOLD, "why not");
            xds_out_text(out, "       ");
            xds_out_clean(out, w->address);
            xds_out_text(out, ":\n");
        }
        xds_out_text(out, i < 9 ? "               " : "              ");
        xds_out_u64(out, i + 1);
        xds_out_text(out, ". ");
        xds_out_clean(out, w->reasons[i]);
        xds_out_char(out, '\n');
    }
}

void xds_print_observed_text(struct xds_out *out, const struct xds_decision *d)
{
    if (d->observed)
        print_observed(out, d->observed);
    if (d->why_not)
        print_why_not(out, d->why_not);
}

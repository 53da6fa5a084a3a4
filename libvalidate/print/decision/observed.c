/* observed.c - the causes of an observed address, as text and as JSON. */
#include "print/decision/decision.h"
#include "print/write/document.h"
#include "print/write/json.h"

/* Addresses of a cause, when the page is not verbose. */
enum { MANY_NEEDS = 20 };

static const char *xds_cause_kind_name(enum xds_cause_kind kind)
{
    static const char *const names[] = {
        [XDS_CAUSE_WEIGHT] = "weight",     [XDS_CAUSE_FRACTION] = "fraction",
        [XDS_CAUSE_FAILOVER] = "failover", [XDS_CAUSE_COOKIE] = "cookie",
        [XDS_CAUSE_HASH] = "hash",         [XDS_CAUSE_DRAW] = "draw",
        [XDS_CAUSE_DOWN] = "down",         [XDS_CAUSE_PLUGIN] = "plugin",
    };
    return names[kind];
}

/* Before a line below a cause. */
static const char below[] = "                   ";

static const char *const states[] = {
    [XDS_STATE_TRANSIENT_FAILURE] = "is down (TRANSIENT_FAILURE)",
    [XDS_STATE_IDLE] = "is not connected (IDLE)",
    [XDS_STATE_CONNECTING] = "is connecting (CONNECTING)",
    [XDS_STATE_READY] = "is connected (READY)",
};

static void print_observed(struct xds_out *out, const struct xds_observation *o)
{
    xds_page_title(out, "observed");
    xds_out_clean(out, o->address);
    if (o->n_causes == 0) {
        xds_out_styled(out, XDS_STYLE_RED,
                       o->incomplete ? " has no known cause" : " is impossible");
        xds_out_line(out, ": %.*s", XDS_FMT(o->reason));
    } else {
        xds_out_styled(out, XDS_STYLE_GREEN, " is possible");
        xds_out_line(out, ", with %zu cause%s", o->n_causes, xds_plural(o->n_causes));
    }
    for (size_t i = 0; i < o->n_causes; i++) {
        const struct xds_cause *cause = &o->causes[i];
        /* Something must be so that the request does not say. */
        const bool conditional =
            cause->n_needs > 0 || (cause->cookie.data && !cause->sent);

        xds_out_format(out, "%16zu. ", i + 1);
        xds_out_styled(out, XDS_STYLE_BOLD, xds_cause_kind_name(cause->kind));
        if (cause->cluster.data) {
            xds_out_format(out, ", cluster \"%.*s\"", XDS_FMT(cause->cluster));
            if (!xds_slice_eq(cause->leaf, cause->cluster))
                xds_out_format(out, " by its leaf \"%.*s\"", XDS_FMT(cause->leaf));
            if (cause->has_priority)
                xds_out_format(out, ", priority %u", cause->priority);
        }
        if (cause->probability != XDS_NOT_COMPUTABLE)
            xds_out_format(out, ", %s%s of such RPCs", conditional ? "then " : "",
                           xds_percent(cause->probability).text);
        xds_out_line(out, "\n%s%.*s", below, XDS_FMT(cause->reason));
        if (cause->cookie.data)
            xds_out_line(out, "%scookie %.*s", below, XDS_FMT(cause->cookie));

        const size_t all = cause->n_needs + cause->n_more_needs;
        const size_t most = out->to->verbose ? cause->n_needs : MANY_NEEDS;
        const size_t n = cause->n_needs < most ? cause->n_needs : most;

        for (size_t k = 0; k < n; k++)
            xds_out_line(out, "%swhen %.*s %s", below, XDS_FMT(cause->needs[k].address),
                         states[cause->needs[k].state]);
        if (all > n)
            xds_out_line(out, "%s... and %zu more", below, all - n);
    }
    if (o->incomplete)
        xds_page_line(
            out, NULL,
            "there are too many hosts or clusters to look at; there may be more "
            "causes");
}

void xds_print_observed_text(struct xds_out *out, const struct xds_decision *d)
{
    if (d->asked.observed)
        print_observed(out, d->asked.observed);
    if (d->asked.why_not) {
        const struct xds_why_not *w = d->asked.why_not;

        if (w->n_reasons > 0)
            xds_page_line(out, "why not", "%.*s:", XDS_FMT(w->address));
        for (size_t i = 0; i < w->n_reasons; i++)
            xds_out_line(out, "%16zu. %.*s", i + 1, XDS_FMT(w->reasons[i]));
    }
}

static void write_observed(struct xds_out *out, const struct xds_observation *o)
{
    if (!xds_json_object_or_null(xds_json_line(out), "observed", o))
        return;
    xds_json_members(out, "address: %.*s, possible: %d, complete: %d",
                     XDS_FMT_OR_NULL(o->address), o->n_causes > 0, !o->incomplete);
    xds_json_key_array(out, "causes");
    for (size_t i = 0; i < o->n_causes; i++) {
        const struct xds_cause *cause = &o->causes[i];

        xds_json_begin_row(out);
        xds_json_members(out, "cause: %s, probability: %g, cluster: %.*s, leaf: %.*s",
                         xds_cause_kind_name(cause->kind),
                         xds_json_probability(cause->probability),
                         XDS_FMT_OR_NULL(cause->cluster), XDS_FMT_OR_NULL(cause->leaf));
        xds_json_key_u64_or_null(out, "priority", cause->has_priority, cause->priority);
        xds_json_key_array(out, "needs");
        for (size_t k = 0; k < cause->n_needs; k++) {
            xds_json_object(out, "address: %.*s, state: %s",
                            XDS_FMT_OR_NULL(cause->needs[k].address),
                            xds_connectivity_name(cause->needs[k].state));
        }
        xds_json_end_array(out);
        xds_json_key_u64(out, "more_needs", cause->n_more_needs);
        xds_json_key_string_or_null(out, "cookie", cause->cookie);
        xds_json_key_bool_or_null(out, "cookie_sent", cause->cookie.data, cause->sent);
        xds_json_key_string_or_null(out, "reason", cause->reason);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_key_string_or_null(out, "reason", o->reason);
    xds_json_end_object(out);
}

void xds_print_observed_json(struct xds_out *out, const struct xds_decision *d)
{
    write_observed(out, d->asked.observed);
    const struct xds_why_not *w = d->asked.why_not;

    if (!xds_json_object_or_null(xds_json_line(out), "why_not", w))
        return;
    xds_json_key_string_or_null(out, "address", w->address);
    xds_json_key_array(out, "reasons");
    for (size_t i = 0; i < w->n_reasons; i++)
        xds_json_row(out, "reason: %.*s", XDS_FMT_OR_NULL(w->reasons[i]));
    xds_json_end_array(out);
    xds_json_end_object(out);
}

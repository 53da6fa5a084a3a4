/* served_text.c - what a server does to an RPC, for people: as text, and as an HTML page.
 */
#include "print/decision/decision.h"
#include "print/decision/served.h"
#include "print/write/document.h"

const char *xds_served_name(enum xds_served_outcome outcome)
{
    static const char *const names[] = {
        [XDS_SERVED_YES] = "served",
        [XDS_SERVED_DENIED] = "denied",
        [XDS_SERVED_FAILED] = "failed",
        [XDS_SERVED_CLOSED] = "closed",
        [XDS_SERVED_HANDSHAKE] = "no_handshake",
        [XDS_SERVED_NOT_SERVING] = "not_serving",
        [XDS_SERVED_CRASH] = "crash",
        [XDS_SERVED_UNDECIDED] = "undecided",
    };
    return names[outcome];
}

const char *xds_listener_by_name(enum xds_listener_by by)
{
    static const char *const names[] = {
        [XDS_LISTENER_BY_TEMPLATE] = "template",
        [XDS_LISTENER_BY_USUAL_NAME] = "usual_template",
        [XDS_LISTENER_BY_ADDRESS] = "address",
    };
    return names[by];
}

struct xds_decision xds_served_approach(const struct xds_served *d)
{
    return (struct xds_decision){
        .request = d->inbound->rpc,
        .outcome = d->outcome == XDS_SERVED_FAILED && !d->virtual_host.host
                       ? XDS_OUTCOME_NO_VIRTUAL_HOST
                       : XDS_OUTCOME_ROUTED,
        .start.authority = d->authority,
        .start.route_config = d->route_config,
        .virtual_host = d->virtual_host,
        .walk = d->walk,
        .route = d->route,
    };
}

void xds_out_chain(struct xds_out *out, const struct xds_filter_chain *chain,
                   size_t index)
{
    if (index == XDS_DEFAULT_CHAIN) {
        xds_out_text(out, "default");
        return;
    }
    xds_out_format(out, "#%zu", index);
    if (chain->name.len == 0)
        return;
    xds_out_char(out, ' ');
    xds_doc_quoted(out, chain->name);
}

/* ---- sections ---- */

static void print_listener(struct xds_out *out, const struct xds_served *d)
{
    static const char *const how[] = {
        [XDS_LISTENER_BY_TEMPLATE] = "by the template of the bootstrap",
        [XDS_LISTENER_BY_USUAL_NAME] = "by the usual template",
        [XDS_LISTENER_BY_ADDRESS] = "by its address",
    };

    if (!d->listener_name.data)
        return;
    xds_page_title(out, "listener");
    xds_doc_quoted(out, d->listener_name);
    xds_out_line(out, ", %s", how[d->listener_by]);
}

static void print_chains(struct xds_out *out, const struct xds_served *d)
{
    const struct xds_chain_choice *c = &d->chains;

    for (size_t i = 0; i < c->n_tries; i++) {
        const bool chosen = c->chain == c->tries[i].chain;

        xds_page_title(out, i == 0 ? "chains" : NULL);
        if (chosen)
            xds_doc_span(out, "good", "yes   ");
        else
            xds_out_text(out, c->tries[i].fate == XDS_CHAIN_CHOSEN ? "maybe " : "no    ");
        xds_out_chain(out, c->tries[i].chain, i);
        xds_out_line(out, ": %.*s",
                     XDS_FMT(c->tries[i].reason.data ? c->tries[i].reason
                             : chosen ? XDS_S("matches the connection best")
                                      : XDS_S("matches the connection as others do")));
    }
    if (c->chain && c->index == XDS_DEFAULT_CHAIN) {
        xds_page_title(out, c->n_tries == 0 ? "chains" : NULL);
        xds_doc_span(out, "good", "yes   ");
        xds_out_line(out, "default: no other filter chain matches");
    }
}

static void print_routes(struct xds_out *out, const struct xds_served *d)
{
    const struct xds_decision approach = xds_served_approach(d);

    if (!d->manager)
        return;
    xds_page_title(out, "route config");
    if (d->route_config_name.len > 0)
        xds_doc_quoted(out, d->route_config_name);
    xds_out_line(out, "%s%s", d->route_config_name.len > 0 ? ", " : "",
                 d->manager->rds_name.data ? "by RDS" : "inline");
    if (d->route_config)
        xds_print_approach_text(out, &approach);
}

static void print_filters(struct xds_out *out, const struct xds_served *d)
{
    for (size_t i = 0; i < d->n_filters; i++) {
        const struct xds_served_filter *f = &d->filters[i];

        xds_page_title(out, i == 0 ? "filters" : NULL);
        xds_doc_quoted(out, f->use.filter->name);
        if (f->reached && f->use.from != XDS_CONFIG_LISTENER)
            xds_out_format(out, ", override of the %s",
                           xds_config_level_words(f->use.from));
        xds_out_line(out, ": %.*s",
                     XDS_FMT(f->reached ? f->result : XDS_S("not reached")));
        if (f->rbac)
            xds_print_rbac_text(out, f->rbac);
    }
}

void xds_print_served_sections(struct xds_out *out, const char *title,
                               const struct xds_served *d)
{
    const struct xds_inbound *in = d->inbound;

    xds_page_line(out, title, "%.*s to authority %.*s, from %.*s to server %s at %.*s",
                  XDS_FMT(in->rpc.path), XDS_FMT(d->authority), XDS_FMT(in->peer),
                  d->as.text, XDS_FMT(in->server));
    print_listener(out, d);
    print_chains(out, d);
    if (d->security.data)
        xds_page_line(out, "connection", "%.*s", XDS_FMT(d->security));
    print_routes(out, d);
    print_filters(out, d);
    if (d->n_why_not > 0)
        xds_page_line(out, "why not", "policy \"%.*s\":", XDS_FMT(in->rpc.why_not));
    for (size_t i = 0; i < d->n_why_not; i++)
        xds_out_line(out, "%16zu. %.*s", i + 1, XDS_FMT(d->why_not[i]));
    for (size_t i = 0; i < d->n_notes; i++)
        xds_page_line(out, "note", "%.*s", XDS_FMT(d->notes[i]));
}

/* ---- the answer ---- */

void xds_text_served_answer(struct xds_out *out, const struct xds_served *d)
{
    switch (d->outcome) {
    case XDS_SERVED_YES:
        xds_out_line(out, "the RPC is served");
        return;
    case XDS_SERVED_DENIED:
    case XDS_SERVED_FAILED:
        xds_out_line(out, "the RPC fails with %.*s: %.*s", XDS_FMT(d->code),
                     XDS_FMT(d->error));
        return;
    case XDS_SERVED_CLOSED:
    case XDS_SERVED_HANDSHAKE:
    case XDS_SERVED_NOT_SERVING:
        xds_out_line(out, "the RPC fails with %.*s at its client: %.*s", XDS_FMT(d->code),
                     XDS_FMT(d->error));
        return;
    case XDS_SERVED_CRASH:
        xds_out_line(out, "CRASH: %.*s", XDS_FMT(d->error));
        return;
    case XDS_SERVED_UNDECIDED:
        xds_out_line(out, "no answer: %.*s", XDS_FMT(d->error));
        return;
    }
}

static void print_all(void *arg)
{
    struct xds_answer *answer = arg;
    const struct xds_served *d = answer->of;
    struct xds_out *out = &answer->out;
    const bool is_page = xds_doc_of(out) != NULL;

    if (is_page) {
        xds_doc_verdict(out, xds_served_well(d));
        xds_text_served_answer(out, d);
        xds_doc_section(out, "steps", "Step by step");
    }
    if (is_page || !out->to->quiet)
        xds_print_served_sections(out, "request", d);
    if (!is_page)
        xds_text_served_answer(out, d);
}

enum xds_status xds_print_served_text(const struct xds_printer *to,
                                      const struct xds_served *served)
{
    return xds_answer_print(to, print_all, served);
}

enum xds_status xds_print_served_html(const struct xds_printer *to,
                                      const struct xds_served *served)
{
    struct xds_doc doc;

    xds_doc_begin(&doc, to, "explain");
    return xds_doc_end(&doc, xds_print_served_text(&doc.printer, served));
}

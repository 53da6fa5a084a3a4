/* decision_session_text.c - the sections of the page about session affinity. */
#include "print/decision_parts.h"

/* Addresses of a page that is not verbose: a cookie may have any number of them. */
enum { MANY = 20 };

/* ---- request ---- */

static bool says_something(const struct xds_session *s)
{
    return s->cookie.n_addresses > 0 || s->cookie.cluster.data;
}

static void print_addresses(struct xds_out *out, const struct xds_cookie *c)
{
    const size_t n = out->to->verbose || c->n_addresses <= MANY ? c->n_addresses : MANY;

    for (size_t i = 0; i < n; i++) {
        xds_out_text(out, i == 0 ? " host " : " or ");
        xds_out_clean(out, c->addresses[i]);
    }
    if (n < c->n_addresses) {
        xds_out_text(out, " or ");
        xds_out_u64(out, c->n_addresses - n);
        xds_out_text(out, " more");
    }
}

static void print_wish(struct xds_out *out, const struct xds_session *s)
{
    const struct xds_cookie *c = &s->cookie;

    xds_out_text(out, "cookie ");
    quoted(out, s->config->cookie_name);
    xds_out_text(out, " asks for");
    print_addresses(out, c);
    if (c->cluster.data) {
        xds_out_text(out, c->n_addresses ? " in cluster " : " cluster ");
        quoted(out, c->cluster);
    }
    xds_out_char(out, '\n');
}

static void print_failing(struct xds_out *out, const struct xds_session *s)
{
    if (s->config && s->code != XDS_SESSION_NO_COOKIE) {
        xds_out_text(out, "cookie ");
        quoted(out, s->config->cookie_name);
        xds_out_text(out, ": ");
    }
    xds_out_clean(out, s->reason);
    xds_out_char(out, '\n');
}

void xds_text_session(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_session *s = d->session;

    if (!s || !s->filter)
        return;
    heading(out, "session");
    if (!s->config || !says_something(s)) {
        print_failing(out, s);
        return;
    }
    print_wish(out, s);
    if (s->reason.len == 0)
        return;
    indent(out);
    xds_out_clean(out, s->reason);
    xds_out_char(out, '\n');
}

/* ---- response ---- */

/* "name=VALUE; HttpOnly": what is encoded in VALUE. */
static void print_clear_text(struct xds_out *out, struct xds_slice header)
{
    char clear[512];
    struct xds_slice name, value;
    size_t len;
    const struct xds_slice rest = xds_slice_cut(header, '=', &name);

    (void)xds_slice_cut(rest, ';', &value);
    if (!xds_cookie_decode(value, clear, sizeof(clear), &len))
        return;
    indent(out);
    xds_out_text(out, "its value is ");
    quoted(out, xds_slice_make(clear, len));
    xds_out_char(out, '\n');
}

void xds_text_set_cookie(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_session *s = d->session;

    if (d->outcome != XDS_OUTCOME_ROUTED || !s || !s->acts)
        return;
    heading(out, "set-cookie");
    if (d->set_cookie.data) {
        xds_out_clean(out, d->set_cookie);
        xds_out_char(out, '\n');
        print_clear_text(out, d->set_cookie);
    } else if (d->host) {
        xds_out_text(out, "none, the cookie of the request is still valid\n");
    } else {
        xds_out_text(out, "the response sets one that names the host it comes from\n");
    }
}

/*
 * decision_text.c - one decision as a page for people.
 *
 * Takes:  a decision record.
 * Gives:  one short section per step, each with its reason, and the answer; behind it
 *         what was asked about one address. A reader needs to know
 *         nothing of gRPC's LB policies.
 */
#include "print/decision_parts.h"
#include "print/observed.h"
#include "print/ring.h"

/* Hosts and routes of a page that is not verbose. */
enum { MANY = 20 };

/* ---- pieces ----------------------------------------------------------------------- */

/* "... and 7 more" */
static void more(struct xds_out *out, size_t n)
{
    indent(out);
    xds_out_text(out, "... and ");
    xds_out_u64(out, n);
    xds_out_text(out, " more\n");
}

/* ---- request to virtual host ------------------------------------------------------ */

static void print_request(struct xds_out *out, const struct xds_decision *d)
{
    heading(out, "request");
    xds_out_clean(out, d->request.path);
    if (d->authority.data) {
        xds_out_text(out, " to authority ");
        xds_out_clean(out, d->authority);
    }
    xds_out_text(out, ", as client ");
    xds_out_text(out, xds_client_name(d->client));
    xds_out_char(out, '\n');
}

static void print_listener(struct xds_out *out, const struct xds_decision *d)
{
    if (!d->listener)
        return;
    heading(out, "listener");
    quoted(out, d->listener_name);
    if (d->listener->rds_name.data) {
        xds_out_text(out, ", route configuration ");
        quoted(out, d->route_config_name);
    } else {
        xds_out_text(out, ", route configuration inline");
    }
    xds_out_char(out, '\n');
}

static void print_virtual_host(struct xds_out *out, const struct xds_decision *d)
{
    static const char *const how[] = {
        [XDS_DOMAIN_EXACT] = " is the authority itself",
        [XDS_DOMAIN_SUFFIX] = " is the best pattern: its end matches",
        [XDS_DOMAIN_PREFIX] = " is the best pattern: its beginning matches",
        [XDS_DOMAIN_UNIVERSE] = " matches every authority",
        [XDS_DOMAIN_INVALID] = "",
    };

    if (!d->virtual_host.host)
        return;
    heading(out, "virtual host");
    quoted(out, d->virtual_host.host->name);
    xds_out_text(out, ": domain ");
    xds_out_clean(out, d->virtual_host.domain);
    xds_out_text(out, how[d->virtual_host.match]);
    xds_out_char(out, '\n');
}

/* ---- routes ----------------------------------------------------------------------- */

static void print_try(struct xds_out *out, const struct xds_route_try *try)
{
    static const char *const marks[] = {[XDS_CHANCE_NO] = "no    ",
                                        [XDS_CHANCE_YES] = "yes   ",
                                        [XDS_CHANCE_OPEN] = "maybe "};

    xds_out_text(out, marks[try->matched]);
    route_title(out, try);
    xds_out_text(out, ": ");
    xds_out_clean(out, try->reason);
    xds_out_char(out, '\n');
}

static void print_untried(struct xds_out *out, const struct xds_decision *d)
{
    for (size_t i = d->walk.n_tries; i < d->virtual_host.host->n_routes; i++) {
        const struct xds_route_try rest = {
            .index = i,
            .route = &d->virtual_host.host->routes[i],
            .reason = XDS_S("not tried, a route before it takes the RPC")};
        indent(out);
        print_try(out, &rest);
    }
}

/* Of a long list the last ones are shown: the winner stands there. */
static void print_routes(struct xds_out *out, const struct xds_decision *d)
{
    const size_t n = d->walk.n_tries;
    const size_t from = out->to->verbose || n <= MANY ? 0 : n - MANY;

    if (n == 0)
        return;
    heading(out, "routes");
    if (from) {
        xds_out_text(out, "... ");
        xds_out_count(out, from, "route");
        xds_out_text(out, " before these do not match\n");
    }
    for (size_t i = from; i < n; i++) {
        if (i > 0)
            indent(out);
        print_try(out, &d->walk.tries[i]);
    }
    if (out->to->verbose)
        print_untried(out, d);
}

/* ---- cluster ---------------------------------------------------------------------- */

static void print_cluster_why(struct xds_out *out, const struct xds_decision_cluster *c)
{
    switch (c->why) {
    case XDS_CLUSTER_ONLY:
        xds_out_text(out, ", the only one of the route");
        return;
    case XDS_CLUSTER_WEIGHTED:
        xds_out_text(out, ", by its weight of ");
        xds_out_u64(out, c->weight);
        return;
    case XDS_CLUSTER_COOKIE:
        xds_out_text(out, ", because the session cookie names it");
        return;
    case XDS_CLUSTER_PLUGIN:
        xds_out_text(out, ", a plugin that looks the cluster up for each RPC");
        return;
    }
}

static void print_possible_clusters(struct xds_out *out, const struct xds_decision *d)
{
    const size_t n = out->to->verbose || d->n_clusters <= MANY ? d->n_clusters : MANY;

    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            indent(out);
        xds_out_percent(out, d->clusters[i].probability);
        xds_out_char(out, ' ');
        quoted(out, d->clusters[i].name);
        if (d->clusters[i].has_weight) {
            xds_out_text(out, ", weight ");
            xds_out_u64(out, d->clusters[i].weight);
        }
        xds_out_char(out, '\n');
    }
    if (n < d->n_clusters)
        more(out, d->n_clusters - n);
}

static void print_cluster(struct xds_out *out, const struct xds_decision *d)
{
    if (d->n_clusters == 0)
        return;
    heading(out, "cluster");
    if (!d->cluster) {
        print_possible_clusters(out, d);
        return;
    }
    quoted(out, d->cluster->name);
    print_cluster_why(out, d->cluster);
    if (d->leaf.data && !xds_slice_eq(d->leaf, d->cluster->name)) {
        xds_out_text(out, "; it is made of several, ");
        quoted(out, d->leaf);
        xds_out_text(out, " is the first that can be used");
    }
    xds_out_char(out, '\n');
}

/* ---- session ---------------------------------------------------------------------- */

static void print_cookie(struct xds_out *out, const struct xds_session *s)
{
    if (s->cookie.n_addresses == 0 && !s->cookie.cluster.data)
        return;
    indent(out);
    xds_out_text(out, "it says host ");
    xds_out_clean(out, s->cookie.list);
    if (s->cookie.cluster.data) {
        xds_out_text(out, ", cluster ");
        quoted(out, s->cookie.cluster);
    }
    xds_out_char(out, '\n');
}

static void print_session(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_session *s = d->session;

    if (!s || !s->filter)
        return;
    heading(out, "session");
    if (s->config) {
        xds_out_text(out, "cookie ");
        quoted(out, s->config->cookie_name);
        xds_out_text(out, ": ");
    }
    xds_out_text(out, xds_session_code_name(s->code));
    if (s->reason.len) {
        xds_out_text(out, ", ");
        xds_out_clean(out, s->reason);
    }
    xds_out_char(out, '\n');
    print_cookie(out, s);
}

/* ---- hosts ------------------------------------------------------------------------ */

static void print_policy(struct xds_out *out, const struct xds_decision *d)
{
    static const char *const words[] = {
        [XDS_LB_ROUND_ROBIN] = "each endpoint in turn (round_robin)",
        [XDS_LB_RING_HASH] = "the request's hash chooses the endpoint (ring_hash)",
        [XDS_LB_LEAST_REQUEST] = "the endpoint with the fewest requests (least_request)",
        [XDS_LB_PICK_FIRST] = "the first endpoint that can be reached (pick_first)",
        [XDS_LB_WEIGHTED_ROUND_ROBIN] =
            "endpoints in turn, by their load (weighted_round_robin)",
        [XDS_LB_OTHER] = "a custom policy; its picks cannot be computed",
    };

    if (!d->policy)
        return;
    heading(out, "balancing");
    if (d->host && d->host_why == XDS_HOST_OVERRIDE) {
        xds_out_text(out, "not asked, the session cookie has named the host\n");
        return;
    }
    if (d->policy->wrr_locality)
        xds_out_text(out, "localities by weight, then ");
    xds_out_text(out, words[d->policy->kind]);
    if (d->policy->kind == XDS_LB_RING_HASH && d->has_hash) {
        xds_out_text(out, ", hash ");
        xds_out_u64(out, d->hash);
    }
    xds_out_char(out, '\n');
}

/* region/zone/sub_zone, without what is empty at the end. */
static void print_locality(struct xds_out *out, const struct xds_host *host)
{
    const struct xds_locality *l = host->locality;
    const struct xds_slice parts[] = {l->region, l->zone, l->sub_zone};
    size_t n = XDS_ARRAY_LEN(parts);

    xds_out_text(out, " in priority ");
    xds_out_u64(out, l->priority);
    while (n > 0 && parts[n - 1].len == 0)
        n--;
    for (size_t i = 0; i < n; i++) {
        xds_out_text(out, i > 0 ? "/" : ", locality ");
        xds_out_clean(out, parts[i]);
    }
}

static void print_possible_host(struct xds_out *out, const struct xds_decision *d,
                                const struct xds_decision_host *h)
{
    if (h->probability == XDS_NOT_COMPUTABLE)
        xds_out_char(out, '?');
    else if (!xds_out_share(out, h->share))
        xds_out_percent(out, h->probability);
    xds_out_char(out, ' ');
    xds_out_clean(out, xds_host_address(h->host));
    print_locality(out, h->host);
    if (!d->cluster) {
        xds_out_text(out, ", if the cluster is ");
        quoted(out, h->cluster);
    }
    xds_out_char(out, '\n');
}

static void print_hosts(struct xds_out *out, const struct xds_decision *d)
{
    const size_t n = out->to->verbose || d->n_hosts <= MANY ? d->n_hosts : MANY;

    if (n == 0)
        return;
    heading(out, "hosts");
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            indent(out);
        print_possible_host(out, d, &d->hosts[i]);
    }
    if (n < d->n_hosts)
        more(out, d->n_hosts - n);
}

static void print_drops(struct xds_out *out, const struct xds_decision *d)
{
    if (!d->endpoints || d->endpoints->n_drops == 0)
        return;
    heading(out, "drops");
    if (!xds_out_share(out, d->drop_share))
        xds_out_percent(out, d->drop_probability);
    xds_out_text(out, " of the RPCs:");
    for (size_t i = 0; i < d->endpoints->n_drops; i++) {
        xds_out_text(out, i > 0 ? ", " : " ");
        quoted(out, d->endpoints->drops[i].category);
        xds_out_char(out, ' ');
        xds_out_percent(out, d->endpoints->drops[i].per_million / 1e6);
    }
    xds_out_char(out, '\n');
}

static void print_set_cookie(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_session *s = d->session;

    if (d->outcome != XDS_OUTCOME_ROUTED || !s || !s->acts)
        return;
    heading(out, "set-cookie");
    if (d->set_cookie.data)
        xds_out_clean(out, d->set_cookie);
    else if (d->host)
        xds_out_text(out, "none, the cookie is right");
    else
        xds_out_text(out, "names the host, which is open");
    xds_out_char(out, '\n');
}

static void print_note(struct xds_out *out, struct xds_slice text)
{
    heading(out, "note");
    xds_out_clean(out, text);
    xds_out_char(out, '\n');
}

static void print_notes(struct xds_out *out, const struct xds_decision *d)
{
    for (size_t i = 0; i < d->n_notes; i++)
        print_note(out, d->notes[i]);
    for (size_t i = 0; i < d->n_others; i++)
        print_note(out, d->others[i].note);
}

/* ---- answer ----------------------------------------------------------------------- */

static void print_destination(struct xds_out *out, const struct xds_decision *d)
{
    if (d->host)
        xds_out_clean(out, xds_host_address(d->host));
    else if (d->n_hosts) {
        xds_out_text(out, "one of ");
        xds_out_count(out, d->n_hosts, "host");
    } else {
        xds_out_text(out, "what the lookup gives");
    }
    if (!d->cluster) {
        xds_out_text(out, " in ");
        xds_out_count(out, d->n_clusters, "cluster");
        return;
    }
    xds_out_text(out, " in cluster ");
    quoted(out, d->cluster->name);
}

static void print_answer(struct xds_out *out, const struct xds_decision *d)
{
    if (d->outcome == XDS_OUTCOME_ROUTED) {
        xds_out_styled(out, XDS_STYLE_GREEN, "the RPC goes to ");
        print_destination(out, d);
    } else if (d->outcome == XDS_OUTCOME_UNDECIDED) {
        xds_out_styled(out, XDS_STYLE_RED, "no answer");
        xds_out_text(out, " (undecided): ");
        xds_out_clean(out, d->error);
    } else {
        xds_out_styled(out, XDS_STYLE_RED,
                       d->outcome == XDS_OUTCOME_FAULT ? "the RPC ends"
                                                       : "the RPC fails");
        xds_out_text(out, " (");
        xds_out_text(out, xds_outcome_name(d->outcome));
        xds_out_text(out, "): ");
        xds_out_clean(out, d->code.data ? d->code : XDS_S("UNAVAILABLE"));
        xds_out_text(out, d->error.len ? ", " : "");
        xds_out_clean(out, d->error);
    }
    xds_out_char(out, '\n');
}

enum xds_status xds_print_decision_text(const struct xds_printer *to,
                                        const struct xds_decision *decision)
{
    struct xds_out out;

    xds_out_init(&out, to);
    if (!to->quiet) {
        print_request(&out, decision);
        print_listener(&out, decision);
        print_virtual_host(&out, decision);
        print_routes(&out, decision);
        xds_text_nearest(&out, decision);
        print_cluster(&out, decision);
        xds_text_config(&out, decision);
        print_session(&out, decision);
        print_policy(&out, decision);
        xds_print_priorities_text(&out, decision);
        print_hosts(&out, decision);
        xds_print_rings_text(&out, decision, to->verbose);
        print_drops(&out, decision);
        print_set_cookie(&out, decision);
        print_notes(&out, decision);
    }
    print_answer(&out, decision);
    xds_print_observed_text(&out, decision);
    return xds_out_finish(&out);
}

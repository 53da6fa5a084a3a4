/* decision_text.c - one decision as a page for people. */
#include "print/decision_parts.h"
#include "print/observed.h"
#include "print/page.h"
#include "print/ring.h"

/* Hosts and routes of a page that is not verbose. */
enum { MANY = 20 };

/* ---- pieces ---- */

/* "... and 7 more" */
static void more(struct xds_out *out, size_t n)
{
    indent(out);
    xds_out_text(out, "... and ");
    xds_out_u64(out, n);
    xds_out_text(out, " more\n");
}

/* ---- request to virtual host ---- */

static void print_request(struct xds_out *out, const struct xds_decision *d)
{
    heading(out, "request");
    xds_out_clean(out, d->request.path);
    if (d->authority.data) {
        xds_out_text(out, " to authority ");
        xds_out_clean(out, d->authority);
    }
    xds_out_text(out, ", as client ");
    xds_out_text(out, d->as.text);
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

/* What the authority was compared with, in vain. */
static void print_domains(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_route_config *config = d->route_config;
    const size_t most = out->to->verbose ? SIZE_MAX : MANY;
    size_t n = 0;

    heading(out, "virtual host");
    xds_out_text(out, d->virtual_host.ended_why
                          ? "none; there are"
                          : "none, as no domain matches; there are");
    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        for (size_t k = 0; k < config->virtual_hosts[i].n_domains; k++) {
            if (n++ >= most)
                continue;
            xds_out_text(out, n > 1 ? ", " : " ");
            xds_out_clean(out, config->virtual_hosts[i].domains[k]);
        }
    if (n == 0)
        xds_out_text(out, " none at all");
    if (n > most) {
        xds_out_text(out, " and ");
        xds_out_u64(out, n - most);
        xds_out_text(out, " more");
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

    const bool ended = d->outcome == XDS_OUTCOME_NO_VIRTUAL_HOST ||
                       (d->outcome == XDS_OUTCOME_CRASH && !d->virtual_host.host);

    if (ended && d->route_config)
        print_domains(out, d);
    if (!d->virtual_host.host)
        return;
    heading(out, "virtual host");
    quoted(out, d->virtual_host.host->name);
    xds_out_text(out, ": domain ");
    xds_out_clean(out, d->virtual_host.domain);
    xds_out_text(out, how[d->virtual_host.match]);
    xds_out_char(out, '\n');
}

/* ---- routes ---- */

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
            .reason = XDS_S("not tried, an earlier route matches the RPC")};
        indent(out);
        print_try(out, &rest);
    }
}

/* Of a long list the last ones are shown: the winner is there. */
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

/* ---- cluster ---- */

static uint64_t sum_of_weights(const struct xds_decision *d)
{
    const struct xds_route *route = d->route ? d->route->route : NULL;
    uint64_t sum = 0;

    for (size_t i = 0; route && i < route->n_weighted; i++)
        sum += route->weighted[i].weight;
    return sum;
}

/* "90 of 100", or "90" where several routes are possible. */
static void print_weight(struct xds_out *out, const struct xds_decision *d)
{
    const uint64_t sum = sum_of_weights(d);

    xds_out_u64(out, d->cluster->weight);
    if (sum == 0)
        return;
    xds_out_text(out, " of ");
    xds_out_u64(out, sum);
}

static void print_cluster_why(struct xds_out *out, const struct xds_decision *d)
{
    switch (d->cluster->why) {
    case XDS_CLUSTER_ONLY:
        xds_out_text(out, ", the only one of the route");
        return;
    case XDS_CLUSTER_WEIGHTED:
        xds_out_text(out, ", by its weight of ");
        print_weight(out, d);
        return;
    case XDS_CLUSTER_COOKIE:
        xds_out_text(out, ", because the session cookie names it");
        return;
    case XDS_CLUSTER_PLUGIN:
        xds_out_text(out, ", a plugin that looks the cluster up for each RPC");
        return;
    }
}

static void print_dropped(struct xds_out *out, const struct xds_decision_cluster *c)
{
    if (c->drops.value <= 0)
        return;
    xds_out_text(out, "; drops ");
    if (!xds_out_share(out, c->drops))
        xds_out_percent(out, c->drops.value);
    xds_out_text(out, " of them");
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
        print_dropped(out, &d->clusters[i]);
        xds_out_char(out, '\n');
    }
    if (n < d->n_clusters)
        more(out, d->n_clusters - n);
}

void xds_text_cluster(struct xds_out *out, const struct xds_decision *d)
{
    if (d->n_clusters == 0)
        return;
    heading(out, "cluster");
    if (!d->cluster) {
        print_possible_clusters(out, d);
        return;
    }
    quoted(out, d->cluster->name);
    print_cluster_why(out, d);
    if (d->leaf.data && !xds_slice_eq(d->leaf, d->cluster->name)) {
        xds_out_text(out, "; it is an aggregate of several, of which ");
        quoted(out, d->leaf);
        xds_out_text(out, " is the first that can be used");
    }
    xds_out_char(out, '\n');
}

/* ---- hosts ---- */

void xds_text_policy(struct xds_out *out, const struct xds_decision *d)
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
        xds_out_text(out, "not asked, the session cookie names the host\n");
        return;
    }
    if (d->policy->wrr_locality)
        xds_out_text(out, "localities by weight, then ");
    xds_out_text(out, words[d->policy->kind]);
    if (d->policy->kind == XDS_LB_RING_HASH && d->has_hash) {
        xds_out_text(out, ", hash ");
        xds_out_u128(out, d->hash);
    } else if (d->policy->kind == XDS_LB_RING_HASH) {
        xds_out_text(out, d->hash_of_channel
                              ? ", here a hash that is random for each channel"
                              : ", here a random hash");
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

/* What a reader would not expect of a host that is used. */
static void print_health(struct xds_out *out, const struct xds_host *host)
{
    if (!xds_endpoint_usable(host->endpoint)) {
        xds_out_text(out, ", ");
        xds_out_text(out, xds_health_name(host->endpoint->health));
    }
}

static void print_place(struct xds_out *out, const struct xds_host *host)
{
    xds_out_clean(out, xds_host_address(host));
    print_locality(out, host);
    print_health(out, host);
}

static void print_possible_host(struct xds_out *out, const struct xds_decision *d,
                                const struct xds_decision_host *h)
{
    if (h->probability == XDS_NOT_COMPUTABLE)
        xds_out_char(out, '?');
    else if (!xds_out_share(out, h->share))
        xds_out_percent(out, h->probability);
    xds_out_char(out, ' ');
    print_place(out, h->host);
    if (!d->cluster) {
        xds_out_text(out, ", if the cluster is ");
        quoted(out, h->cluster);
    }
    xds_out_char(out, '\n');
}

void xds_text_hosts(struct xds_out *out, const struct xds_decision *d)
{
    const size_t n = out->to->verbose || d->n_hosts <= MANY ? d->n_hosts : MANY;

    if (n == 0)
        return;
    if (d->host) {
        heading(out, "host");
        print_place(out, d->host);
        xds_out_char(out, '\n');
        return;
    }
    heading(out, n == 1 ? "host" : "hosts");
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            indent(out);
        print_possible_host(out, d, &d->hosts[i]);
    }
    if (n < d->n_hosts)
        more(out, d->n_hosts - n);
}

void xds_text_drops(struct xds_out *out, const struct xds_decision *d)
{
    if (!d->endpoints || d->endpoints->n_drops == 0)
        return;
    heading(out, "drops");
    if (!xds_out_share(out, d->drop_share))
        xds_out_percent(out, d->drop_probability);
    xds_out_text(out, " of such RPCs are dropped before a host is chosen:");
    for (size_t i = 0; i < d->endpoints->n_drops; i++) {
        xds_out_text(out, i > 0 ? ", " : " ");
        quoted(out, d->endpoints->drops[i].category);
        xds_out_char(out, ' ');
        xds_out_percent(out, d->endpoints->drops[i].per_million / 1e6);
    }
    xds_out_char(out, '\n');
}

/* ---- the page ---- */

bool xds_comes_to_balancing(const struct xds_decision *d)
{
    return d->outcome == XDS_OUTCOME_ROUTED ||
           (d->n_hosts == 0 && !d->faults && !d->refused);
}

static void print_balancing(struct xds_out *out, const struct xds_decision *d)
{
    xds_text_policy(out, d);
    xds_print_priorities_text(out, d);
    xds_text_hosts(out, d);
    xds_print_rings_text(out, d, out->to->verbose);
}

void xds_text_way(struct xds_out *out, const struct xds_decision *d)
{
    print_request(out, d);
    print_listener(out, d);
    print_virtual_host(out, d);
}

static void print_sections(struct xds_out *out, const struct xds_decision *d)
{
    xds_text_way(out, d);
    print_routes(out, d);
    xds_text_nearest(out, d);
    xds_text_cluster(out, d);
    xds_text_config(out, d);
    xds_text_session(out, d);
    xds_text_drops(out, d);
    if (xds_comes_to_balancing(d))
        print_balancing(out, d);
    xds_text_set_cookie(out, d);
    xds_text_notes(out, d);
}

enum xds_status xds_print_decision_text(const struct xds_printer *to,
                                        const struct xds_decision *decision)
{
    struct xds_page page;
    struct xds_out out;

    xds_page_init(&page, to);
    xds_out_init(&out, &page.printer);
    if (!to->quiet)
        print_sections(&out, decision);
    xds_text_answer(&out, decision);
    xds_print_observed_text(&out, decision);
    return xds_out_finish(&out);
}

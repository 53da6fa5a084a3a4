/* decision_text.c - one decision for people: as text, and as an HTML page. */
#include "model/names.h"
#include "print/decision/decision.h"
#include "print/write/document.h"
#include "secret/secret.h"

/* Hosts, routes and addresses of a page that is not verbose. */
enum { MANY = 20 };

static size_t shown(const struct xds_out *out, size_t n)
{
    return out->to->verbose || n <= MANY ? n : MANY;
}

/* "... and 7 more" */
static void more(struct xds_out *out, size_t n)
{
    if (n > 0)
        xds_page_line(out, NULL, "... and %zu more", n);
}

/* ---- request to virtual host ---- */

static void print_listener(struct xds_out *out, const struct xds_decision *d)
{
    if (!d->start.listener)
        return;
    xds_page_title(out, "listener");
    if (d->start.listener_name.len > 0)
        xds_doc_quoted(out, d->start.listener_name);
    else
        xds_out_text(out, d->start.assumed ? "assumed" : "\"\"");
    xds_out_text(out, ", route configuration ");
    if (d->start.listener->rds_name.data)
        xds_doc_quoted(out, d->start.route_config_name);
    else
        xds_out_text(out, "inline");
    xds_out_char(out, '\n');
}

/* What the authority was compared with, in vain. */
static void print_domains(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_route_config *config = d->start.route_config;
    const size_t most = out->to->verbose ? SIZE_MAX : MANY;
    size_t n = 0;

    xds_page_title(out, "virtual host");
    xds_out_format(out, "none%s; there are",
                   d->virtual_host.ended_why ? "" : ", as no domain matches");
    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        for (size_t k = 0; k < config->virtual_hosts[i].n_domains; k++)
            if (n++ < most)
                xds_out_format(out, "%s%.*s", n > 1 ? ", " : " ",
                               XDS_FMT(config->virtual_hosts[i].domains[k]));
    if (n == 0)
        xds_out_text(out, " none at all");
    if (n > most)
        xds_out_format(out, " and %zu more", n - most);
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
    const struct xds_virtual_host_choice *v = &d->virtual_host;
    const bool ended = d->outcome == XDS_OUTCOME_NO_VIRTUAL_HOST ||
                       (d->outcome == XDS_OUTCOME_CRASH && !v->host);

    if (ended && d->start.route_config)
        print_domains(out, d);
    if (!v->host)
        return;
    xds_page_title(out, "virtual host");
    xds_doc_quoted(out, v->host->name);
    xds_out_text(out, ": domain ");
    xds_doc_code(out, v->domain);
    xds_out_line(out, "%s", how[v->match]);
}

/* ---- routes ---- */

static void print_route_title(struct xds_out *out, size_t index,
                              const struct xds_route *route)
{
    xds_out_format(out, "#%zu", index);
    if (route->name.len) {
        xds_out_char(out, ' ');
        xds_doc_quoted(out, route->name);
    }
}

static void print_try(struct xds_out *out, const struct xds_route_try *try,
                      const char *matches)
{
    static const struct xds_column columns[] = {{"Matches", NULL},
                                                {"Route", "name"},
                                                {"Probability", "number"},
                                                {"Reason", NULL}};
    static const struct xds_table table = {"Routes", columns, XDS_ARRAY_LEN(columns),
                                           NULL};

    xds_doc_row(out, &table, NULL);
    xds_doc_cell(out, "");
    if (try->matched != XDS_CHANCE_NO)
        xds_doc_span(out, "good", matches);
    else
        xds_out_text(out, matches);
    xds_doc_cell(out, "");
    print_route_title(out, try->index, try->route);
    xds_doc_cell(out, "");
    if (xds_doc_of(out) && try->matched != XDS_CHANCE_NO)
        xds_out_text(out, xds_percent(try->probability).text);
    xds_doc_cell(out, ": ");
    xds_out_line(out, "%.*s", XDS_FMT(try->reason));
}

static void print_tries(struct xds_out *out, const struct xds_decision *d, size_t from,
                        size_t to)
{
    static const char *const marks[] = {[XDS_CHANCE_NO] = "no    ",
                                        [XDS_CHANCE_YES] = "yes   ",
                                        [XDS_CHANCE_OPEN] = "maybe "};

    for (size_t i = from; i < to && !out->failed; i++) {
        xds_page_title(out, i == 0 ? "routes" : NULL);
        print_try(out, &d->walk.tries[i], marks[d->walk.tries[i].matched]);
    }
}

/* Of a long list the last ones are shown: the winner is there. */
static void print_routes(struct xds_out *out, const struct xds_decision *d)
{
    const size_t n = d->walk.n_tries;
    const size_t from = n - shown(out, n);

    if (from) {
        xds_page_title(out, "routes");
        const bool all = xds_doc_fold(out);

        xds_out_line(out, "... %zu route%s before these do not match", from,
                     xds_plural(from));
        if (all) {
            print_tries(out, d, 0, from);
            xds_doc_fold_end(out);
        }
    }
    print_tries(out, d, from, n);
    for (size_t i = n; n > 0 && out->to->verbose && i < d->virtual_host.host->n_routes;
         i++) {
        const struct xds_route_try rest = {
            .index = i,
            .route = &d->virtual_host.host->routes[i],
            .reason = XDS_S("not tried, an earlier route matches the RPC")};

        xds_page_title(out, NULL);
        print_try(out, &rest, "no    ");
    }
}

void xds_print_approach_text(struct xds_out *out, const struct xds_decision *d)
{
    print_virtual_host(out, d);
    print_routes(out, d);
}

static void print_reason(struct xds_out *out, const char *before, struct xds_slice reason)
{
    xds_out_line(out, "%s%.*s", reason.data ? before : "", XDS_FMT(reason));
}

/* What an RPC without a route has just missed. */
static void print_nearest(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_near_domain *domain = &d->asked.nearest_domain;

    for (size_t i = 0; i < d->asked.n_nearest; i++) {
        xds_page_title(out, i == 0 ? "nearest" : NULL);
        print_route_title(out, d->asked.nearest[i].index, d->asked.nearest[i].route);
        print_reason(out, " matches except for this: ", d->asked.nearest[i].reason);
    }
    if (!domain->host)
        return;
    xds_page_title(out, "nearest");
    xds_out_format(out, "domain %.*s of virtual host ", XDS_FMT(domain->domain));
    xds_doc_quoted(out, domain->host->name);
    print_reason(out, ": ", domain->reason);
}

/* ---- cluster ---- */

/* "90 of 100", or "90" where several routes are possible. */
static void print_weight(struct xds_out *out, const struct xds_decision *d)
{
    xds_out_format(out, ", by its weight of %" PRIu64, d->cluster->weight);
    if (d->route)
        xds_out_format(out, " of %" PRIu64, d->cluster->weight_of);
}

static void print_cluster_why(struct xds_out *out, const struct xds_decision *d)
{
    switch (d->cluster->why) {
    case XDS_CLUSTER_ONLY:
        xds_out_text(out, ", the only one of the route");
        return;
    case XDS_CLUSTER_WEIGHTED:
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

static void print_cluster(struct xds_out *out, const struct xds_decision *d)
{
    if (!d->cluster) {
        const size_t n = shown(out, d->n_clusters);

        for (size_t i = 0; i < n; i++) {
            const struct xds_decision_cluster *c = &d->clusters[i];

            xds_page_title(out, i == 0 ? "cluster" : NULL);
            xds_out_format(out, "%s ", xds_percent(c->probability).text);
            xds_doc_quoted(out, c->name);
            if (c->has_weight)
                xds_out_format(out, ", weight %" PRIu64, c->weight);
            if (c->drops.value > 0)
                xds_out_format(out, "; drops %s of them",
                               xds_share_text(c->drops, c->drops.value).text);
            xds_out_char(out, '\n');
        }
        more(out, d->n_clusters - n);
        return;
    }
    xds_page_title(out, "cluster");
    xds_doc_quoted(out, d->cluster->name);
    print_cluster_why(out, d);
    if (d->leaf.data && !xds_slice_eq(d->leaf, d->cluster->name))
        xds_out_format(out,
                       "; it is an aggregate of several, of which \"%.*s\" is the %s",
                       XDS_FMT(d->leaf),
                       d->outcome == XDS_OUTCOME_UNAVAILABLE ? "last one, and fails too"
                                                             : "first that can be used");
    xds_out_char(out, '\n');
}

/* ---- what the route configures ---- */

/* "2.5 s", "25 ms" */
static struct xds_short_text duration(int64_t ns)
{
    const bool small = ns < 1000000000 && ns % 1000 == 0;

    return xds_decimal((uint64_t)ns, small ? 1000000 : 1000000000, small ? " ms" : " s");
}

static void print_retry(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_method_config *m = &d->method_config;
    const struct xds_retries *r = &d->asked.config->retries;

    if (!m->retry)
        return;
    xds_page_title(out, "retry");
    xds_out_format(out, "up to %u attempt%s%s on ", r->attempts, xds_plural(r->attempts),
                   r->capped ? " (more are configured, gRPC makes no more)" : "");

    const char *separator = "";

    for (size_t i = 0; i < XDS_RETRY_CODES; i++) {
        if (!(m->codes & xds_retry_names[i].bit))
            continue;
        xds_out_format(out, "%s%s", separator, xds_retry_names[i].name);
        separator = ", ";
    }
    xds_out_line(out, ", waiting %s to %s; policy of the %s",
                 duration(r->initial_backoff_ns).text, duration(r->max_backoff_ns).text,
                 m->retry_of_route ? "route" : "virtual host");
}

static void print_hash_policies(struct xds_out *out, const struct xds_decision_config *c)
{
    for (size_t i = 0; i < c->n_hashes; i++) {
        const struct xds_hash_step *step = &c->hashes[i];
        const struct xds_hash_policy *policy = step->policy;

        xds_page_title(out, i == 0 ? "hash policies" : NULL);
        xds_out_format(out, "#%zu %s", i,
                       policy->field ? policy->field : "without specifier");
        if (policy->kind == XDS_HASH_HEADER)
            xds_out_format(out, " %.*s", XDS_FMT(policy->header_name));
        if (step->has_hash)
            xds_out_format(out, " \"%.*s\": hash %" PRIu64, XDS_FMT(step->value),
                           step->hash);
        print_reason(out, ": ", step->reason);
    }
}

/* Filters that just are in the listener are worth no line. */
static bool worth_telling(const struct xds_out *out, const struct xds_decision_config *c)
{
    for (size_t i = 0; i < c->n_filters; i++)
        if (out->to->verbose || c->filters[i].from != XDS_CONFIG_LISTENER ||
            c->filters[i].reason.data)
            return true;
    return false;
}

static void print_filters(struct xds_out *out, const struct xds_decision_config *c)
{
    for (size_t i = 0; worth_telling(out, c) && i < c->n_filters; i++) {
        const struct xds_filter_use *use = &c->filters[i];
        const bool off = use->dropped || use->disabled;

        xds_page_title(out, i == 0 ? "filters" : NULL);
        xds_out_format(out, "\"%.*s\"%s%s", XDS_FMT(use->filter->name),
                       off ? " is not used" : " with the config of the ",
                       off ? "" : xds_config_level_words(use->from));
        print_reason(out, ": ", use->reason);
    }
}

static void print_host_rewrite(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_decision_config *c = d->asked.config;

    if (!d->route->route->auto_host_rewrite)
        return;
    xds_page_title(out, "authority");
    if (c->sent_authority.data)
        xds_out_format(out, "\"%.*s\"", XDS_FMT(c->sent_authority));
    else
        xds_out_text(out, "the hostname of the endpoint");
    xds_out_line(out, " is sent%s: %.*s",
                 c->host_rewrite ? "" : ", auto_host_rewrite is ignored",
                 XDS_FMT(c->host_rewrite_reason));
}

static void print_config(struct xds_out *out, const struct xds_decision *d)
{
    if (d->asked.config) {
        const struct xds_method_config *m = &d->method_config;

        if (m->timeout_from)
            xds_page_line(out, "timeout", "%s, by %s of the %s",
                          m->has_timeout ? duration(m->timeout_ns).text : "no limit",
                          m->timeout_from, m->timeout_of_route ? "route" : "listener");
        print_retry(out, d);
        print_hash_policies(out, d->asked.config);
        print_filters(out, d->asked.config);
        print_host_rewrite(out, d);
    }
    if (d->faults) {
        const struct xds_decision_faults *f = d->faults;

        if (f->abort > 0 && f->several_aborts)
            xds_page_line(out, "faults",
                          "%s of the RPCs are aborted with different statuses",
                          xds_percent(f->abort).text);
        else if (f->abort > 0)
            xds_page_line(out, "faults", "%s of the RPCs are aborted with %.*s%s%.*s",
                          xds_percent(f->abort).text, XDS_FMT(f->code),
                          f->text.len ? ", " : "", XDS_FMT(f->text));
        if (f->delay > 0)
            xds_page_line(out, f->abort > 0 ? NULL : "faults",
                          "%s of the RPCs are delayed by %s", xds_percent(f->delay).text,
                          f->several_delays ? "different times"
                                            : duration(f->delay_ns).text);
    }
}

/* ---- session affinity ---- */

static void print_session(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_session *s = d->session;

    if (!s || !s->filter)
        return;
    if (s->config && (s->cookie.n_addresses > 0 || s->cookie.cluster.data)) {
        /* What the cookie of the request asks for. */
        const struct xds_cookie *c = &s->cookie;
        const size_t n = shown(out, c->n_addresses);

        xds_page_title(out, "session");
        xds_out_format(out, "cookie \"%.*s\" asks for", XDS_FMT(s->config->cookie_name));
        for (size_t i = 0; i < n; i++)
            xds_out_format(out, "%s%.*s", i == 0 ? " host " : " or ",
                           XDS_FMT(c->addresses[i]));
        if (n < c->n_addresses)
            xds_out_format(out, " or %zu more", c->n_addresses - n);
        if (c->cluster.data)
            xds_out_format(out, "%s cluster \"%.*s\"", n > 0 ? " in" : "",
                           XDS_FMT(c->cluster));
        xds_out_char(out, '\n');
        if (s->reason.len > 0)
            xds_page_line(out, NULL, "%.*s", XDS_FMT(s->reason));
    } else if (s->config && s->code != XDS_SESSION_NO_COOKIE) {
        xds_page_line(out, "session", "cookie \"%.*s\": %.*s",
                      XDS_FMT(s->config->cookie_name), XDS_FMT(s->reason));
    } else {
        xds_page_line(out, "session", "%.*s", XDS_FMT(s->reason));
    }
}

static void print_set_cookie(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_session *s = d->session;

    if (d->outcome != XDS_OUTCOME_ROUTED || !s || !s->acts)
        return;
    if (d->pick.set_cookie.data) {
        xds_page_line(out, "set-cookie", "%.*s", XDS_FMT(d->pick.set_cookie));

        /* "name=VALUE; HttpOnly": what is encoded in VALUE. */
        char clear[512];
        struct xds_slice name, value;
        size_t len;
        const struct xds_slice rest = xds_slice_cut(d->pick.set_cookie, '=', &name);

        (void)xds_slice_cut(rest, ';', &value);
        if (xds_cookie_decode(value, clear, sizeof(clear), &len))
            xds_page_line(out, NULL, "its value is \"%.*s\"", (int)len, clear);
        return;
    }
    xds_page_line(out, "set-cookie", "%s",
                  d->pick.host
                      ? "none, the cookie of the request is still valid"
                      : "the response sets one that names the host it comes from");
}

/* ---- hosts ---- */

static void print_policy(struct xds_out *out, const struct xds_decision *d)
{
    if (!d->pick.policy)
        return;
    if (d->pick.host && d->pick.host_why == XDS_HOST_OVERRIDE) {
        xds_page_line(out, "balancing", "not asked, the session cookie names the host");
        return;
    }
    xds_page_title(out, "balancing");
    xds_out_format(out, "%s%s",
                   d->pick.policy->wrr_locality ? "localities by weight, then " : "",
                   xds_lb_traits(d->pick.policy)->balancing);
    if (xds_lb_traits(d->pick.policy)->hashes && d->pick.has_hash)
        xds_out_format(out, ", hash %s", xds_u128_text(d->pick.hash).text);
    else if (xds_lb_traits(d->pick.policy)->hashes)
        xds_out_text(out, d->pick.hash_of_channel
                              ? ", here a hash that is random for each channel"
                              : ", here a random hash");
    xds_out_char(out, '\n');
    if (d->pick.has_limit &&
        (out->to->verbose || d->pick.max_requests != XDS_DEFAULT_MAX_REQUESTS))
        xds_page_line(
            out, "limit", "at most %" PRIu32 " requests at a time%s, then UNAVAILABLE",
            d->pick.max_requests,
            d->pick.max_requests == XDS_DEFAULT_MAX_REQUESTS ? " (the default)" : "");
}

/* The address, where it is, and what a reader would not expect of a host that is used. */
static void print_place(struct xds_out *out, const struct xds_host *host)
{
    const struct xds_locality *l = host->locality;
    const struct xds_slice parts[] = {l->region, l->zone, l->sub_zone};
    size_t n = XDS_ARRAY_LEN(parts);

    xds_doc_code(out, xds_host_address(host));
    xds_doc_cell(out, " in priority ");
    xds_out_u64(out, l->priority);
    while (n > 0 && parts[n - 1].len == 0)
        n--;
    xds_doc_cell(out, n > 0 ? ", locality " : "");
    for (size_t i = 0; i < n; i++)
        xds_out_format(out, "%s%.*s", i > 0 ? "/" : "", XDS_FMT(parts[i]));
    const bool usable = xds_endpoint_usable(host->endpoint);

    xds_doc_cell(out, usable ? "" : ", ");
    xds_out_text(out, usable ? "" : xds_health_name(host->endpoint->health));
}

static void print_possible_hosts(struct xds_out *out, const struct xds_decision *d,
                                 size_t from, size_t to)
{
    static const struct xds_column columns[] = {
        {"Probability", "no"}, {"Host", "name"}, {"Priority", "number"},
        {"Locality", NULL},    {"Health", NULL}, {"In the cluster", "no"},
        {"Cluster", NULL}};
    static const struct xds_table table = {"Hosts", columns, XDS_ARRAY_LEN(columns),
                                           NULL};

    for (size_t i = from; i < to && !out->failed; i++) {
        const struct xds_decision_host *h = &d->pick.hosts[i];
        const bool known = h->probability != XDS_NOT_COMPUTABLE;
        const struct xds_short_text share = known
                                                ? xds_share_text(h->share, h->probability)
                                                : (struct xds_short_text){"?"};

        xds_page_title(out, i > 0 ? NULL : d->pick.n_hosts == 1 ? "host" : "hosts");
        xds_doc_row(out, &table, NULL);
        xds_doc_cell(out, "");
        if (known)
            xds_doc_meter(out, d->cluster ? h->probability : h->overall.value);
        if (!known || d->cluster)
            xds_out_text(out, share.text);
        else
            xds_out_text(out, xds_percent(h->overall.value).text);
        xds_doc_cell(out, " ");
        print_place(out, h->host);
        xds_doc_cell(out, d->cluster ? "" : ", ");
        xds_out_text(out, d->cluster ? "" : share.text);
        xds_doc_cell(out, d->cluster ? "" : " of ");
        if (!d->cluster)
            xds_doc_quoted(out, h->cluster);
        xds_out_char(out, '\n');
    }
}

static void print_hosts(struct xds_out *out, const struct xds_decision *d)
{
    const size_t n = shown(out, d->pick.n_hosts);

    if (d->pick.host) {
        xds_page_title(out, "host");
        print_place(out, d->pick.host);
        xds_out_char(out, '\n');
        return;
    }
    print_possible_hosts(out, d, 0, n);
    if (n < d->pick.n_hosts) {
        xds_page_title(out, NULL);
        const bool all = xds_doc_fold(out);

        xds_out_line(out, "... and %zu more", d->pick.n_hosts - n);
        if (all) {
            print_possible_hosts(out, d, n, d->pick.n_hosts);
            xds_doc_fold_end(out);
        }
    }
}

static void print_drops(struct xds_out *out, const struct xds_decision *d)
{
    if (!d->pick.endpoints || d->pick.endpoints->n_drops == 0)
        return;
    xds_page_title(out, "drops");
    xds_out_format(out, "%s of such RPCs are dropped before a host is chosen:",
                   xds_share_text(d->pick.drop_share, d->pick.drop_probability).text);
    for (size_t i = 0; i < d->pick.endpoints->n_drops; i++)
        xds_out_format(out, "%s\"%.*s\" %s", i > 0 ? ", " : " ",
                       XDS_FMT(d->pick.endpoints->drops[i].category),
                       xds_percent(d->pick.endpoints->drops[i].per_million / 1e6).text);
    xds_out_char(out, '\n');
}

/* ---- notes ---- */

/* What a client does, after its name. */
static struct xds_slice deed(const struct xds_other *other)
{
    return xds_slice_from(other->note, strlen(xds_client_name(other->client)));
}

/* The clients that do the same as other i; none when an earlier one has reported it. */
static unsigned clients_like(const struct xds_decision *d, size_t i)
{
    const struct xds_slice this = deed(&d->asked.others[i]);
    unsigned clients = 0;

    for (size_t k = 0; this.data && k < d->asked.n_others; k++) {
        const struct xds_slice that = deed(&d->asked.others[k]);

        if (!that.data || !xds_slice_eq(this, that))
            continue;
        if (k < i)
            return 0;
        clients |= XDS_CLIENT_BIT(d->asked.others[k].client);
    }
    return clients;
}

/* ---- the page ---- */

/* What the client of a dump says of what it uses. */
static void print_held(struct xds_out *out, const struct xds_decision *d)
{
    static const char *const kinds[] = {
        [XDS_TYPE_UNKNOWN] = "resource",          [XDS_TYPE_LISTENER] = "listener",
        [XDS_TYPE_ROUTE] = "route configuration", [XDS_TYPE_CLUSTER] = "cluster",
        [XDS_TYPE_ENDPOINT] = "endpoints",
    };

    for (size_t i = 0; i < d->n_held; i++) {
        const struct xds_decision_held *h = &d->held[i];
        const struct xds_held *held = h->held;
        const struct xds_slice error = xds_slice_clip(held->error, 200);

        xds_page_line(out, "client", "%s \"%.*s\" is %s%s%.*s%s%.*s%s%.*s%s%.*s%s",
                      kinds[h->type], XDS_FMT(h->name),
                      xds_held_status_name(held->status),
                      held->error_version.len > 0 ? " in version " : "",
                      XDS_FMT(held->error_version),
                      held->version.len > 0 ? ", version in use " : "",
                      XDS_FMT(held->version), held->updated.len > 0 ? " since " : "",
                      XDS_FMT(held->updated), error.len > 0 ? ": " : "", XDS_FMT(error),
                      error.len < held->error.len ? "..." : "");
        if (held->against)
            xds_page_line(
                out, "note",
                "%s \"%.*s\" is in use by the client of the dump, though xdscope "
                "judges it as NACK (%s); is its --bootstrap or --env missing?",
                kinds[h->type], XDS_FMT(h->name), held->against);
    }
}

void xds_print_decision_sections(struct xds_out *out, const struct xds_decision *d)
{
    xds_page_line(out, "request", "%.*s%s%.*s, as client %s", XDS_FMT(d->request.path),
                  d->start.authority.data ? " to authority " : "",
                  XDS_FMT(d->start.authority), d->as.text);
    print_listener(out, d);
    xds_print_approach_text(out, d);
    print_nearest(out, d);
    print_cluster(out, d);
    print_config(out, d);
    print_session(out, d);
    print_drops(out, d);
    if (d->outcome == XDS_OUTCOME_ROUTED ||
        (d->pick.n_hosts == 0 && !d->faults && !d->status.refused)) {
        print_policy(out, d);
        xds_print_priorities_text(out, d);
        print_hosts(out, d);
        xds_print_security_text(out, d);
        xds_print_rings_text(out, d, out->to->verbose);
    }
    print_set_cookie(out, d);
    print_held(out, d);
    /* What is worth knowing besides. */
    for (size_t i = 0; i < d->n_notes; i++)
        if (out->to->verbose || !(d->minor_notes >> i & 1))
            xds_page_line(out, "note", "%.*s", XDS_FMT(d->notes[i]));
    for (size_t i = 0; i < d->asked.n_others; i++) {
        const unsigned clients = clients_like(d, i);

        if (clients)
            xds_page_line(out, "note", "%s%s%.*s",
                          clients & (clients - 1) ? "each of " : "",
                          xds_client_list(clients, " and ").text,
                          XDS_FMT(deed(&d->asked.others[i])));
    }
}

/* What only a page has room for. */
static void print_rest(struct xds_answer *answer, const struct xds_decision *d)
{
    struct xds_out *out = &answer->out;

    if (d->request.n_headers > 0) {
        /* Credentials among them are shown as asterisks. */
        const struct xds_request *request = &d->request;

        xds_doc_section(out, "headers", "Headers of the request");
        xds_doc_block(out, true);
        for (size_t i = 0; i < request->n_headers; i++) {
            const struct xds_slice start =
                xds_arena_concat(&answer->arena, request->headers[i].name, XDS_S(": "));
            const struct xds_slice line =
                xds_arena_concat(&answer->arena, start, request->headers[i].value);
            char *safe = xds_arena_alloc(&answer->arena, line.len);

            xds_out_line(out, "%.*s", (int)xds_redact(line, safe), safe);
        }
        xds_doc_block(out, false);
    }
    if (d->has_method_config) {
        xds_doc_section(out, "method-config", "Method config");
        xds_doc_block(out, true);
        xds_json_method_config(out, d);
        xds_doc_block(out, false);
    }
    if (d->pick.tree) {
        xds_doc_section(out, "lb-policy", "LB policy of the cluster");
        xds_doc_block(out, true);
        xds_out_tree(out, d->pick.tree);
        xds_doc_block(out, false);
    }
}

/* The answer is the last line of a text, as it is read from its end, and the first of a
 * page. */
static void print_all(void *arg)
{
    struct xds_answer *answer = arg;
    const struct xds_decision *d = answer->of;
    struct xds_out *out = &answer->out;
    const bool is_page = xds_doc_of(out) != NULL;

    if (is_page) {
        xds_doc_verdict(out, xds_decision_routed(d) && xds_decision_connected(d));
        xds_text_answer(out, d);
        xds_decision_svg(xds_doc_markup(out), &answer->arena, d);
        xds_doc_section(out, "steps", "Step by step");
    }
    if (is_page || !out->to->quiet)
        xds_print_decision_sections(out, d);
    if (!is_page)
        xds_text_answer(out, d);
    xds_print_observed_text(out, d);
    if (is_page)
        print_rest(answer, d);
}

enum xds_status xds_print_decision_text(const struct xds_printer *to,
                                        const struct xds_decision *decision)
{
    return xds_answer_print(to, print_all, decision);
}

enum xds_status xds_print_decision_html(const struct xds_printer *to,
                                        const struct xds_decision *decision)
{
    struct xds_doc doc;

    xds_doc_begin(&doc, to, "explain");
    return xds_doc_end(&doc, xds_print_decision_text(&doc.printer, decision));
}

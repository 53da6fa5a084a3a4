/* decision_picture.c - one decision as boxes and arrows, and as a Graphviz digraph. */
#include "print/decision/decision.h"
#include "print/picture/picture.h"

/* Columns of a line of the heading. A virtual host with more routes is drawn with the
 * nearest ones only; of the rest their number is reported. */
enum { TITLE_COLUMNS = 90, MOST_ROUTES = 12, MOST_CLUSTERS = 24, MOST_LOCALITIES = 12 };

struct sketch {
    struct xds_picture *picture;
    const struct xds_decision *d;
    size_t clusters, hosts; /* that are drawn */
    size_t tries_end;       /* what is after is not drawn */
};

static struct xds_dot_node at(const char *kind, size_t number)
{
    return (struct xds_dot_node){kind, number};
}

/* "... n more" after a node; nothing when n is 0. */
static void draw_more(struct sketch *p, struct xds_dot_node of, const char *kind,
                      size_t n)
{
    if (n == 0)
        return;
    xds_picture_node(p->picture, at(kind, 0), XDS_DOT_TEXT, XDS_DOT_LOST, "... %zu more",
                     n);
    xds_picture_edge(p->picture, of, at(kind, 0), XDS_DOT_LOST);
}

/* ---- request to virtual host ---- */

static void draw_listener(struct sketch *p)
{
    if (!p->d->start.listener)
        return;
    xds_picture_node(p->picture, at("listener", 0), XDS_DOT_BOX, XDS_DOT_TAKEN,
                     "listener\n%.*s", XDS_FMT(p->d->start.listener_name));
    xds_picture_edge(p->picture, at("rpc", 0), at("listener", 0), XDS_DOT_TAKEN);
}

static void draw_virtual_host(struct sketch *p)
{
    const struct xds_virtual_host_choice *choice = &p->d->virtual_host;

    if (!choice->host)
        return;
    xds_picture_node(p->picture, at("virtual_host", 0), XDS_DOT_LIST, XDS_DOT_TAKEN,
                     "virtual host\n%.*s", XDS_FMT(choice->host->name));
    xds_picture_edge_text(p->picture, at("listener", 0), at("virtual_host", 0),
                          XDS_DOT_TAKEN, "domain\n%.*s", XDS_FMT(choice->domain));
}

/* The last step of an RPC that fails. */
static struct xds_dot_node last_step(const struct sketch *p)
{
    const struct xds_decision *d = p->d;

    if (d->cluster && p->clusters)
        return at("cluster", (size_t)(d->cluster - d->clusters));
    if (d->route)
        return at("route", d->route->index);
    if (d->virtual_host.host)
        return at("virtual_host", 0);
    return at(d->start.listener ? "listener" : "rpc", 0);
}

static struct xds_slice title_of(const struct xds_decision *d)
{
    switch (d->outcome) {
    case XDS_OUTCOME_UNDECIDED:
        return XDS_S("no answer");
    case XDS_OUTCOME_CRASH:
        return XDS_S("CRASH");
    case XDS_OUTCOME_GAP:
        return XDS_S("routed");
    default:
        return d->status.code.data ? d->status.code : XDS_S("UNAVAILABLE");
    }
}

static void draw_failure(struct sketch *p)
{
    if (p->d->outcome == XDS_OUTCOME_ROUTED)
        return;
    xds_picture_node_begin(p->picture, at("failure", 0));
    xds_picture_text(p->picture, "%.*s\n", XDS_FMT(title_of(p->d)));
    xds_picture_sentence(p->picture, p->d->status.error);
    xds_picture_node_end(p->picture, XDS_DOT_NOTE, XDS_DOT_FAILED);
    xds_picture_edge(p->picture, last_step(p), at("failure", 0), XDS_DOT_FAILED);
}

/* ---- routes ---- */

static void draw_route(struct sketch *p, const struct xds_route_try *try)
{
    static const enum xds_dot_look looks[] = {[XDS_CHANCE_NO] = XDS_DOT_LOST,
                                              [XDS_CHANCE_YES] = XDS_DOT_TAKEN,
                                              [XDS_CHANCE_OPEN] = XDS_DOT_PLAIN};

    const enum xds_dot_look look = looks[try->matched];

    xds_picture_node_begin(p->picture, at("route", try->index));
    xds_picture_text(p->picture, "route #%zu", try->index);
    if (try->route->name.len)
        xds_picture_text(p->picture, " %.*s", XDS_FMT(try->route->name));
    xds_picture_text(p->picture, "\n");
    xds_picture_sentence(p->picture, try->reason);
    xds_picture_node_end(p->picture, XDS_DOT_BOX, look);
    if (try->matched == XDS_CHANCE_NO) {
        xds_picture_edge(p->picture, at("virtual_host", 0), at("route", try->index),
                         look);
        return;
    }
    xds_picture_edge_text(p->picture, at("virtual_host", 0), at("route", try->index),
                          look, "%s", xds_percent(try->probability).text);
}

/* All of a few routes, also those after the one that takes the RPC. */
static size_t draw_untried(struct sketch *p)
{
    const struct xds_virtual_host *host = p->d->virtual_host.host;
    size_t i = p->d->walk.n_tries;

    if (host->n_routes > MOST_ROUTES)
        return 0;
    for (; i < host->n_routes; i++)
        draw_route(p, &(struct xds_route_try){.index = i,
                                              .route = &host->routes[i],
                                              .reason = XDS_S("not tried")});
    return i - p->d->walk.n_tries;
}

static void draw_routes(struct sketch *p)
{
    const struct xds_decision *d = p->d;
    size_t drawn = 0;

    if (!d->virtual_host.host)
        return;
    for (size_t i = 0; i < d->walk.n_tries && drawn < (size_t)2 * MOST_ROUTES; i++) {
        p->tries_end = i + 1;
        /* Those that may take the RPC, and the last ones before its end. */
        if (!(d->walk.tries[i].matched != XDS_CHANCE_NO ||
              i + MOST_ROUTES >= d->walk.n_tries))
            continue;
        draw_route(p, &d->walk.tries[i]);
        drawn++;
    }
    drawn += draw_untried(p);
    draw_more(p, at("virtual_host", 0), "more_routes",
              d->virtual_host.host->n_routes - drawn);
}

/* ---- clusters ---- */

static enum xds_dot_look look_of_cluster(const struct xds_decision *d, size_t i)
{
    return d->cluster == &d->clusters[i] ? XDS_DOT_TAKEN : XDS_DOT_PLAIN;
}

static size_t find_cluster(const struct sketch *p, struct xds_slice name)
{
    size_t i = 0;

    while (i < p->clusters && !xds_slice_eq(p->d->clusters[i].name, name))
        i++;
    return i;
}

static void draw_cluster_edge(struct sketch *p, const struct xds_route_try *try,
                              struct xds_slice name, uint64_t weight)
{
    const size_t i = find_cluster(p, name);

    if (i == p->clusters)
        return;
    const enum xds_dot_look look = look_of_cluster(p->d, i);

    if (weight == 0) {
        xds_picture_edge(p->picture, at("route", try->index), at("cluster", i), look);
        return;
    }
    xds_picture_edge_text(p->picture, at("route", try->index), at("cluster", i), look,
                          "weight %" PRIu64, weight);
}

/* An entry whose cluster the RPC cannot come to any more, drawn or ruled out. */
static void draw_lost_entry(struct sketch *p, const struct xds_route_try *try,
                            size_t entry)
{
    const struct xds_weighted_cluster *w = &try->route->weighted[entry];
    const struct xds_dot_node lost = at("other_cluster", entry);

    if (p->clusters < p->d->n_clusters || p->d->route != try)
        return;
    xds_picture_node(p->picture, lost, XDS_DOT_BOX, XDS_DOT_LOST, "cluster\n%.*s",
                     XDS_FMT(w->name));
    xds_picture_edge_text(p->picture, at("route", try->index), lost, XDS_DOT_LOST,
                          "weight %u", w->weight);
}

static void draw_weighted(struct sketch *p, const struct xds_route_try *try)
{
    const struct xds_route *route = try->route;

    for (size_t i = 0; i < route->n_weighted && i < MOST_CLUSTERS; i++) {
        const struct xds_weighted_cluster *w = &route->weighted[i];

        if (find_cluster(p, w->name) < p->clusters)
            draw_cluster_edge(p, try, w->name, w->weight);
        else
            draw_lost_entry(p, try, i);
    }
}

static void draw_clusters(struct sketch *p)
{
    const struct xds_decision *d = p->d;

    for (size_t i = 0; i < p->clusters; i++) {
        const struct xds_decision_cluster *c = &d->clusters[i];

        xds_picture_node_begin(p->picture, at("cluster", i));
        xds_picture_text(p->picture, "%s\n%.*s",
                         c->why == XDS_CLUSTER_PLUGIN ? "plugin" : "cluster",
                         XDS_FMT(c->name));
        if (d->cluster != c)
            xds_picture_text(p->picture, "\n%s", xds_percent(c->probability).text);
        else if (d->leaf.data && !xds_slice_eq(d->leaf, c->name))
            xds_picture_text(p->picture, "\nby its part %.*s", XDS_FMT(d->leaf));
        xds_picture_node_end(p->picture, XDS_DOT_LIST, look_of_cluster(d, i));
    }
    for (size_t i = 0; i < p->tries_end; i++) {
        const struct xds_route_try *try = &d->walk.tries[i];

        if (try->matched == XDS_CHANCE_NO)
            continue;
        if (try->route->action == XDS_ACTION_WEIGHTED)
            draw_weighted(p, try);
        else
            draw_cluster_edge(p, try, try->route->cluster, 0);
    }
    draw_more(p, at("virtual_host", 0), "more_clusters", d->n_clusters - p->clusters);
}

/* ---- priorities, localities, endpoints ---- */

typedef bool same_fn(const struct xds_decision_host *a,
                     const struct xds_decision_host *b);

static bool same_priority(const struct xds_decision_host *a,
                          const struct xds_decision_host *b)
{
    return xds_slice_eq(a->cluster, b->cluster) &&
           a->host->locality->priority == b->host->locality->priority;
}

static bool same_locality(const struct xds_decision_host *a,
                          const struct xds_decision_host *b)
{
    return xds_slice_eq(a->cluster, b->cluster) && a->host->locality == b->host->locality;
}

/* The first host that shares it: a priority and a locality are named after it. */
static size_t first_like(const struct sketch *p, size_t host, same_fn *same)
{
    const struct xds_decision_host *hosts = p->d->pick.hosts;
    size_t i = 0;

    while (i < host && !same(&hosts[i], &hosts[host]))
        i++;
    return i;
}

static bool is_way(const struct sketch *p, const struct xds_decision_host *h,
                   same_fn *same)
{
    const struct xds_decision *d = p->d;

    return d->pick.host && d->pick.n_hosts == 1 && same(&d->pick.hosts[0], h);
}

static void draw_priority(struct sketch *p, size_t host)
{
    const struct xds_decision_host *h = &p->d->pick.hosts[host];
    const enum xds_dot_look look =
        is_way(p, h, same_priority) ? XDS_DOT_TAKEN : XDS_DOT_PLAIN;

    if (first_like(p, host, same_priority) != host)
        return;
    xds_picture_node(p->picture, at("priority", host), XDS_DOT_LIST, look, "priority %u",
                     h->host->locality->priority);
    if (find_cluster(p, h->cluster) < p->clusters)
        xds_picture_edge(p->picture, at("cluster", find_cluster(p, h->cluster)),
                         at("priority", host), look);
}

static void draw_locality(struct sketch *p, size_t host)
{
    const struct xds_decision_host *h = &p->d->pick.hosts[host];
    const enum xds_dot_look look =
        is_way(p, h, same_locality) ? XDS_DOT_TAKEN : XDS_DOT_PLAIN;

    if (first_like(p, host, same_locality) != host)
        return;
    xds_picture_node_begin(p->picture, at("locality", host));
    xds_picture_locality(p->picture, h->host->locality);
    xds_picture_node_end(p->picture, XDS_DOT_BOX, look);
    xds_picture_edge_text(p->picture, at("priority", first_like(p, host, same_priority)),
                          at("locality", host), look, "weight %u",
                          h->host->locality->weight);
}

/* ---- what the RPC skips ---- */

/* The hosts of this RPC in the locality; *first is one of them. */
static size_t count_hosts(const struct xds_decision *d,
                          const struct xds_locality *locality, size_t *first)
{
    size_t n = 0;

    for (size_t i = d->pick.n_hosts; i-- > 0;) {
        if (d->pick.hosts[i].host->locality != locality)
            continue;
        *first = i;
        n++;
    }
    return n;
}

/* The others of a locality that the RPC may end in. */
static void draw_rest(struct sketch *p, const struct xds_locality *locality)
{
    size_t first = 0;
    const size_t n = count_hosts(p->d, locality, &first);

    if (n == 0 || n >= locality->n_endpoints)
        return;
    xds_picture_node(p->picture, at("rest", first), XDS_DOT_TEXT, XDS_DOT_LOST,
                     "%zu more endpoint%s", locality->n_endpoints - n,
                     xds_plural(locality->n_endpoints - n));
    xds_picture_edge(p->picture, at("locality", first), at("rest", first), XDS_DOT_LOST);
}

static const struct xds_priority_try *try_of(const struct xds_decision *d,
                                             uint32_t priority)
{
    for (size_t i = 0; i < d->pick.n_priorities; i++)
        if (d->pick.priorities[i].priority == priority &&
            xds_slice_eq(d->pick.priorities[i].leaf, d->leaf))
            return &d->pick.priorities[i];
    return NULL;
}

/* Of several localities of a priority the first draws it. */
static bool is_first_of_priority(const struct xds_decision *d, size_t locality)
{
    const struct xds_locality *list = d->pick.endpoints->localities;

    for (size_t i = 0; i < locality; i++)
        if (list[i].priority == list[locality].priority)
            return false;
    return true;
}

/* The node of the priority, where a host of this RPC is in it. */
static bool find_priority(const struct sketch *p, uint32_t priority,
                          struct xds_dot_node *out)
{
    for (size_t i = 0; i < p->hosts; i++)
        if (p->d->pick.hosts[i].host->locality->priority == priority) {
            *out = at("priority", first_like(p, i, same_priority));
            return true;
        }
    return false;
}

static void draw_idle_locality(struct sketch *p, struct xds_dot_node cluster, size_t i)
{
    const struct xds_locality *l = &p->d->pick.endpoints->localities[i];
    struct xds_dot_node above = at("idle_priority", l->priority);

    if (!find_priority(p, l->priority, &above) && is_first_of_priority(p->d, i)) {
        /* A priority without a host of this RPC, drawn once. */
        const uint32_t priority = l->priority;
        const struct xds_priority_try *try = try_of(p->d, priority);

        xds_picture_node_begin(p->picture, at("idle_priority", priority));
        xds_picture_text(p->picture, "priority %u\n", priority);
        if (try)
            xds_picture_sentence(p->picture, try->reason);
        else
            xds_picture_text(p->picture, "not used");
        xds_picture_node_end(p->picture, XDS_DOT_LIST, XDS_DOT_LOST);
        xds_picture_edge(p->picture, cluster, at("idle_priority", priority),
                         XDS_DOT_LOST);
    }
    xds_picture_node_begin(p->picture, at("idle", i));
    xds_picture_locality(p->picture, l);
    xds_picture_text(p->picture, "\n%zu endpoint%s, not used", l->n_endpoints,
                     xds_plural(l->n_endpoints));
    xds_picture_node_end(p->picture, XDS_DOT_BOX, XDS_DOT_LOST);
    xds_picture_edge(p->picture, above, at("idle", i), XDS_DOT_LOST);
}

/* The localities of the certain cluster that no host of this RPC is in. */
static void draw_passed_over(struct sketch *p)
{
    const struct xds_decision *d = p->d;
    size_t drawn = 0, idle = 0, first;

    if (!d->pick.endpoints || !d->cluster || p->clusters == 0 ||
        p->hosts < d->pick.n_hosts)
        return;
    const struct xds_dot_node cluster = at("cluster", (size_t)(d->cluster - d->clusters));
    for (size_t i = 0; i < d->pick.endpoints->n_localities; i++) {
        const struct xds_locality *l = &d->pick.endpoints->localities[i];

        draw_rest(p, l);
        if (count_hosts(d, l, &first) > 0 || (++idle, drawn == MOST_LOCALITIES))
            continue;
        draw_idle_locality(p, cluster, i);
        drawn++;
    }
    draw_more(p, cluster, "more_localities", idle - drawn);
}

static void draw_hosts(struct sketch *p)
{
    for (size_t i = 0; i < p->hosts; i++) {
        const struct xds_decision_host *h = &p->d->pick.hosts[i];
        const bool is_host = p->d->pick.host && h->host == p->d->pick.host;

        draw_priority(p, i);
        draw_locality(p, i);
        xds_picture_node_begin(p->picture, at("endpoint", i));
        xds_picture_text(p->picture, "endpoint\n%.*s",
                         XDS_FMT(xds_host_address(h->host)));
        if (h->host->endpoint->health != XDS_HEALTH_UNKNOWN)
            xds_picture_text(p->picture, "\n%s",
                             xds_health_name(h->host->endpoint->health));
        xds_picture_node_end(p->picture, XDS_DOT_BOX,
                             is_host ? XDS_DOT_TAKEN : XDS_DOT_PLAIN);
        xds_picture_edge_text(
            p->picture, at("locality", first_like(p, i, same_locality)),
            at("endpoint", i),
            is_way(p, h, same_locality) ? XDS_DOT_TAKEN : XDS_DOT_PLAIN, "%s",
            h->probability == XDS_NOT_COMPUTABLE ? "?"
                                                 : xds_percent(h->probability).text);
    }
    draw_more(p, at("virtual_host", 0), "more_endpoints", p->d->pick.n_hosts - p->hosts);
    draw_passed_over(p);
}

/* ---- drops and session ---- */

static void draw_drops(struct sketch *p)
{
    const struct xds_decision *d = p->d;

    if (!d->pick.endpoints || d->pick.drop_probability <= 0 || !d->cluster ||
        p->clusters == 0)
        return;
    xds_picture_node(p->picture, at("drops", 0), XDS_DOT_NOTE, XDS_DOT_LOST, "dropped");
    xds_picture_edge_text(p->picture, at("cluster", (size_t)(d->cluster - d->clusters)),
                          at("drops", 0), XDS_DOT_LOST, "%s",
                          xds_percent(d->pick.drop_probability).text);
}

static void draw_session(struct sketch *p)
{
    const struct xds_decision *d = p->d;
    const struct xds_session *s = d->session;

    if (!s || !s->config)
        return;
    xds_picture_node_begin(p->picture, at("session", 0));
    xds_picture_text(p->picture, "session cookie\n%.*s\n",
                     XDS_FMT(s->config->cookie_name));
    xds_picture_sentence(p->picture, s->reason);
    xds_picture_node_end(p->picture, XDS_DOT_NOTE,
                         d->session_applies ? XDS_DOT_OVERRIDE : XDS_DOT_LOST);
    xds_picture_edge(p->picture, at("rpc", 0), at("session", 0),
                     d->session_applies ? XDS_DOT_OVERRIDE : XDS_DOT_LOST);
    for (size_t i = 0; i < p->clusters; i++)
        if (d->clusters[i].why == XDS_CLUSTER_COOKIE)
            xds_picture_edge_text(p->picture, at("session", 0), at("cluster", i),
                                  XDS_DOT_OVERRIDE, "names the cluster");
    for (size_t i = 0; i < p->hosts && d->session_applies; i++)
        xds_picture_edge_text(p->picture, at("session", 0), at("endpoint", i),
                              XDS_DOT_OVERRIDE, "names the host");
}

/* Add the decision to an empty picture. Of more hosts than these their number is
 * reported. */
static void draw_decision(struct xds_picture *picture,
                          const struct xds_decision *decision, size_t most_hosts)
{
    const size_t n_clusters = decision->n_clusters, n_hosts = decision->pick.n_hosts;
    struct sketch p = {
        .picture = picture,
        .d = decision,
        .clusters = n_clusters < MOST_CLUSTERS ? n_clusters : MOST_CLUSTERS,
        .hosts = n_hosts < most_hosts ? n_hosts : most_hosts,
    };

    /* The answer of the page. */
    xds_text_answer(&p.picture->label, p.d);
    xds_picture_title_end(p.picture, TITLE_COLUMNS);
    xds_picture_node(p.picture, at("rpc", 0), XDS_DOT_BOX, XDS_DOT_TAKEN,
                     "RPC\n%.*s\nas client %s", XDS_FMT(p.d->request.path), p.d->as.text);
    draw_listener(&p);
    draw_virtual_host(&p);
    draw_routes(&p);
    draw_clusters(&p);
    draw_hosts(&p);
    draw_drops(&p);
    draw_session(&p);
    draw_failure(&p);
}

/* ---- DOT ---- */

enum { MOST_HOSTS = 48 };

static void draw(void *arg)
{
    struct xds_answer *answer = arg;
    struct xds_picture picture;

    xds_picture_init(&picture, &answer->arena);
    draw_decision(&picture, answer->of, MOST_HOSTS);
    xds_dot_picture(&answer->out, "explain", &picture);
}

enum xds_status xds_print_decision_dot(const struct xds_printer *to,
                                       const struct xds_decision *decision)
{
    return xds_answer_write(to, draw, decision);
}

void xds_decision_svg(struct xds_out *page, struct xds_arena *arena,
                      const struct xds_decision *d)
{
    enum { MOST_ON_PAGE = 16 }; /* of more their number is shown */
    const char *routes = d->walk.n_tries > 0 ? "#step-routes" : "#steps";
    const char *hosts = d->pick.host || d->pick.n_hosts == 1 ? "#step-host"
                        : d->pick.n_hosts > 0                ? "#step-hosts"
                                                             : "#steps";
    const struct xds_picture_kind kinds[] = {
        {"rpc", 0, "#step-request"},
        {"listener", 1, "#step-listener"},
        {"session", 1, "#step-session"},
        {"virtual_host", 2, "#step-virtual-host"},
        {"route", 3, routes},
        {"more_routes", 3, routes},
        {"cluster", 4, "#step-cluster"},
        {"other_cluster", 4, NULL},
        {"more_clusters", 4, NULL},
        {"priority", 5, hosts},
        {"idle_priority", 5, NULL},
        {"drops", 5, NULL},
        {"more_localities", 5, NULL},
        {"locality", 6, hosts},
        {"idle", 6, NULL},
        {"endpoint", 7, hosts},
        {"rest", 7, NULL},
        {"more_endpoints", 7, hosts},
    };
    const struct xds_picture_form form = {kinds, XDS_ARRAY_LEN(kinds)};
    struct xds_picture *picture = XDS_NEW(arena, struct xds_picture);

    xds_picture_init(picture, arena);
    draw_decision(picture, d, MOST_ON_PAGE);
    xds_out_text(
        page,
        "<h2 id=\"picture\">Path of the RPC</h2>\n"
        "<figure class=\"wide\">\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Picture\">\n");
    xds_svg_picture(page, arena, picture, &form);
    xds_out_text(page,
                 "</div>\n"
                 "<figcaption>Bold: the path it takes. Dashed: what it skips. Dotted "
                 "and bold: what the session cookie decides.</figcaption>\n"
                 "</figure>\n");
}

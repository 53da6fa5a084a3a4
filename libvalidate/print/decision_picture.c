/* decision_picture.c - one decision as boxes and arrows. */
#include "print/decision_parts.h"
#include "print/decision_picture.h"

/* Columns of a line of the heading. */
enum { TITLE_COLUMNS = 90 };

void xds_sketch_more(struct xds_sketch *p, struct xds_dot_node of, const char *kind,
                     size_t n)
{
    if (n == 0)
        return;
    xds_picture_node_begin(p->picture, xds_dot_at(kind, 0));
    xds_out_text(&p->picture->label, "... ");
    xds_out_u64(&p->picture->label, n);
    xds_out_text(&p->picture->label, " more");
    xds_picture_node_end(p->picture, XDS_DOT_TEXT, XDS_DOT_LOST);
    xds_picture_edge(p->picture, of, xds_dot_at(kind, 0), XDS_DOT_LOST);
}

/* ---- request to virtual host ---- */

/* The answer of the page. */
static void draw_title(struct xds_sketch *p)
{
    xds_picture_title_begin(p->picture);
    xds_text_answer(&p->picture->label, p->d);
    xds_picture_title_end(p->picture, TITLE_COLUMNS);
}

/* "kind", and below it the name. */
static void named(const struct xds_sketch *p, const char *kind, struct xds_slice name)
{
    xds_out_text(&p->picture->label, kind);
    xds_picture_line(p->picture);
    xds_picture_clean(p->picture, name);
}

static void draw_request(struct xds_sketch *p)
{
    xds_picture_node_begin(p->picture, xds_dot_at("rpc", 0));
    named(p, "RPC", p->d->request.path);
    xds_picture_line(p->picture);
    xds_out_text(&p->picture->label, "as client ");
    xds_out_text(&p->picture->label, p->d->as.text);
    xds_picture_node_end(p->picture, XDS_DOT_BOX, XDS_DOT_TAKEN);
}

static void draw_listener(struct xds_sketch *p)
{
    if (!p->d->listener)
        return;
    xds_picture_node_begin(p->picture, xds_dot_at("listener", 0));
    named(p, "listener", p->d->listener_name);
    xds_picture_node_end(p->picture, XDS_DOT_BOX, XDS_DOT_TAKEN);
    xds_picture_edge(p->picture, xds_dot_at("rpc", 0), xds_dot_at("listener", 0),
                     XDS_DOT_TAKEN);
}

static void draw_virtual_host(struct xds_sketch *p)
{
    const struct xds_virtual_host_choice *choice = &p->d->virtual_host;

    if (!choice->host)
        return;
    xds_picture_node_begin(p->picture, xds_dot_at("virtual_host", 0));
    named(p, "virtual host", choice->host->name);
    xds_picture_node_end(p->picture, XDS_DOT_LIST, XDS_DOT_TAKEN);
    xds_picture_edge_begin(p->picture, xds_dot_at("listener", 0),
                           xds_dot_at("virtual_host", 0));
    named(p, "domain", choice->domain);
    xds_picture_edge_end(p->picture, XDS_DOT_TAKEN);
}

/* The last step of an RPC that fails. */
static struct xds_dot_node last_step(const struct xds_sketch *p)
{
    const struct xds_decision *d = p->d;

    if (d->cluster && p->clusters)
        return xds_dot_at("cluster", (size_t)(d->cluster - d->clusters));
    if (d->route)
        return xds_dot_at("route", d->route->index);
    if (d->virtual_host.host)
        return xds_dot_at("virtual_host", 0);
    return xds_dot_at(d->listener ? "listener" : "rpc", 0);
}

static void draw_failure(struct xds_sketch *p)
{
    if (p->d->outcome == XDS_OUTCOME_ROUTED)
        return;
    xds_picture_node_begin(p->picture, xds_dot_at("failure", 0));
    if (p->d->outcome == XDS_OUTCOME_UNDECIDED)
        xds_out_text(&p->picture->label, "no answer");
    else if (p->d->outcome == XDS_OUTCOME_CRASH)
        xds_out_text(&p->picture->label, "CRASH");
    else
        xds_picture_clean(p->picture,
                          p->d->code.data ? p->d->code : XDS_S("UNAVAILABLE"));
    xds_picture_line(p->picture);
    xds_picture_sentence(p->picture, p->d->error);
    xds_picture_node_end(p->picture, XDS_DOT_NOTE, XDS_DOT_FAILED);
    xds_picture_edge(p->picture, last_step(p), xds_dot_at("failure", 0), XDS_DOT_FAILED);
}

/* ---- routes ---- */

static enum xds_dot_look look_of_try(const struct xds_route_try *try)
{
    static const enum xds_dot_look looks[] = {[XDS_CHANCE_NO] = XDS_DOT_LOST,
                                              [XDS_CHANCE_YES] = XDS_DOT_TAKEN,
                                              [XDS_CHANCE_OPEN] = XDS_DOT_PLAIN};
    return looks[try->matched];
}

static void draw_route(struct xds_sketch *p, const struct xds_route_try *try)
{
    const enum xds_dot_look look = look_of_try(try);

    xds_picture_node_begin(p->picture, xds_dot_at("route", try->index));
    xds_out_text(&p->picture->label, "route #");
    xds_out_u64(&p->picture->label, try->index);
    if (try->route->name.len) {
        xds_out_char(&p->picture->label, ' ');
        xds_picture_clean(p->picture, try->route->name);
    }
    xds_picture_line(p->picture);
    xds_picture_sentence(p->picture, try->reason);
    xds_picture_node_end(p->picture, XDS_DOT_BOX, look);
    if (try->matched == XDS_CHANCE_NO) {
        xds_picture_edge(p->picture, xds_dot_at("virtual_host", 0),
                         xds_dot_at("route", try->index), look);
        return;
    }
    xds_picture_edge_begin(p->picture, xds_dot_at("virtual_host", 0),
                           xds_dot_at("route", try->index));
    xds_out_percent(&p->picture->label, try->probability);
    xds_picture_edge_end(p->picture, look);
}

/* Those that may take the RPC, and the last ones before its end. */
static bool is_near(const struct xds_decision *d, size_t i)
{
    return d->walk.tries[i].matched != XDS_CHANCE_NO ||
           i + MOST_ROUTES >= d->walk.n_tries;
}

/* All of a few routes, also those after the one that takes the RPC. */
static size_t draw_untried(struct xds_sketch *p)
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

static void draw_routes(struct xds_sketch *p)
{
    const struct xds_decision *d = p->d;
    size_t drawn = 0;

    if (!d->virtual_host.host)
        return;
    for (size_t i = 0; i < d->walk.n_tries && drawn < (size_t)2 * MOST_ROUTES; i++) {
        p->tries_end = i + 1;
        if (!is_near(d, i))
            continue;
        draw_route(p, &d->walk.tries[i]);
        drawn++;
    }
    drawn += draw_untried(p);
    xds_sketch_more(p, xds_dot_at("virtual_host", 0), "more_routes",
                    d->virtual_host.host->n_routes - drawn);
}

/* ---- clusters ---- */

static enum xds_dot_look look_of_cluster(const struct xds_decision *d, size_t i)
{
    return d->cluster == &d->clusters[i] ? XDS_DOT_TAKEN : XDS_DOT_PLAIN;
}

static void draw_cluster(struct xds_sketch *p, size_t i)
{
    const struct xds_decision *d = p->d;
    const struct xds_decision_cluster *c = &d->clusters[i];

    xds_picture_node_begin(p->picture, xds_dot_at("cluster", i));
    named(p, c->why == XDS_CLUSTER_PLUGIN ? "plugin" : "cluster", c->name);
    if (d->cluster != c) {
        xds_picture_line(p->picture);
        xds_out_percent(&p->picture->label, c->probability);
    }
    if (d->cluster == c && d->leaf.data && !xds_slice_eq(d->leaf, c->name)) {
        xds_picture_line(p->picture);
        xds_out_text(&p->picture->label, "by its part ");
        xds_picture_clean(p->picture, d->leaf);
    }
    xds_picture_node_end(p->picture, XDS_DOT_LIST, look_of_cluster(d, i));
}

size_t xds_sketch_find_cluster(const struct xds_sketch *p, struct xds_slice name)
{
    size_t i = 0;

    while (i < p->clusters && !xds_slice_eq(p->d->clusters[i].name, name))
        i++;
    return i;
}

static void draw_cluster_edge(struct xds_sketch *p, const struct xds_route_try *try,
                              struct xds_slice name, uint64_t weight)
{
    const size_t i = xds_sketch_find_cluster(p, name);

    if (i == p->clusters)
        return;
    const enum xds_dot_look look = look_of_cluster(p->d, i);

    if (weight == 0) {
        xds_picture_edge(p->picture, xds_dot_at("route", try->index),
                         xds_dot_at("cluster", i), look);
        return;
    }
    xds_picture_edge_begin(p->picture, xds_dot_at("route", try->index),
                           xds_dot_at("cluster", i));
    xds_out_text(&p->picture->label, "weight ");
    xds_out_u64(&p->picture->label, weight);
    xds_picture_edge_end(p->picture, look);
}

/* An entry whose cluster the RPC cannot come to any more, drawn or ruled out. */
static void draw_lost_entry(struct xds_sketch *p, const struct xds_route_try *try,
                            size_t entry)
{
    const struct xds_weighted_cluster *w = &try->route->weighted[entry];
    const struct xds_dot_node lost = xds_dot_at("other_cluster", entry);

    if (p->clusters < p->d->n_clusters || p->d->route != try)
        return;
    xds_picture_node_begin(p->picture, lost);
    named(p, "cluster", w->name);
    xds_picture_node_end(p->picture, XDS_DOT_BOX, XDS_DOT_LOST);
    xds_picture_edge_begin(p->picture, xds_dot_at("route", try->index), lost);
    xds_out_text(&p->picture->label, "weight ");
    xds_out_u64(&p->picture->label, w->weight);
    xds_picture_edge_end(p->picture, XDS_DOT_LOST);
}

static void draw_weighted(struct xds_sketch *p, const struct xds_route_try *try)
{
    const struct xds_route *route = try->route;

    for (size_t i = 0; i < route->n_weighted && i < MOST_CLUSTERS; i++) {
        const struct xds_weighted_cluster *w = &route->weighted[i];

        if (xds_sketch_find_cluster(p, w->name) < p->clusters)
            draw_cluster_edge(p, try, w->name, w->weight);
        else
            draw_lost_entry(p, try, i);
    }
}

static void draw_clusters(struct xds_sketch *p)
{
    const struct xds_decision *d = p->d;

    for (size_t i = 0; i < p->clusters; i++)
        draw_cluster(p, i);
    for (size_t i = 0; i < p->tries_end; i++) {
        const struct xds_route_try *try = &d->walk.tries[i];

        if (try->matched == XDS_CHANCE_NO)
            continue;
        if (try->route->action == XDS_ACTION_WEIGHTED)
            draw_weighted(p, try);
        else
            draw_cluster_edge(p, try, try->route->cluster, 0);
    }
    xds_sketch_more(p, xds_dot_at("virtual_host", 0), "more_clusters",
                    d->n_clusters - p->clusters);
}

/* ---- drops and session ---- */

static void draw_drops(struct xds_sketch *p)
{
    const struct xds_decision *d = p->d;

    if (!d->endpoints || d->drop_probability <= 0 || !d->cluster || p->clusters == 0)
        return;
    xds_picture_node_begin(p->picture, xds_dot_at("drops", 0));
    xds_out_text(&p->picture->label, "dropped");
    xds_picture_node_end(p->picture, XDS_DOT_NOTE, XDS_DOT_LOST);
    xds_picture_edge_begin(p->picture,
                           xds_dot_at("cluster", (size_t)(d->cluster - d->clusters)),
                           xds_dot_at("drops", 0));
    xds_out_percent(&p->picture->label, d->drop_probability);
    xds_picture_edge_end(p->picture, XDS_DOT_LOST);
}

static void draw_override_edge(struct xds_sketch *p, struct xds_dot_node to,
                               const char *label)
{
    xds_picture_edge_begin(p->picture, xds_dot_at("session", 0), to);
    xds_out_text(&p->picture->label, label);
    xds_picture_edge_end(p->picture, XDS_DOT_OVERRIDE);
}

static void draw_session(struct xds_sketch *p)
{
    const struct xds_decision *d = p->d;
    const struct xds_session *s = d->session;

    if (!s || !s->config)
        return;
    xds_picture_node_begin(p->picture, xds_dot_at("session", 0));
    named(p, "session cookie", s->config->cookie_name);
    xds_picture_line(p->picture);
    xds_picture_sentence(p->picture, s->reason);
    xds_picture_node_end(p->picture, XDS_DOT_NOTE,
                         d->session_applies ? XDS_DOT_OVERRIDE : XDS_DOT_LOST);
    xds_picture_edge(p->picture, xds_dot_at("rpc", 0), xds_dot_at("session", 0),
                     d->session_applies ? XDS_DOT_OVERRIDE : XDS_DOT_LOST);
    for (size_t i = 0; i < p->clusters; i++)
        if (d->clusters[i].why == XDS_CLUSTER_COOKIE)
            draw_override_edge(p, xds_dot_at("cluster", i), "names the cluster");
    for (size_t i = 0; i < p->hosts && d->session_applies; i++)
        draw_override_edge(p, xds_dot_at("endpoint", i), "names the host");
}

/* ---- the whole ---- */

void xds_decision_draw(struct xds_picture *picture, const struct xds_decision *decision,
                       size_t most_hosts)
{
    const size_t n_clusters = decision->n_clusters, n_hosts = decision->n_hosts;
    struct xds_sketch p = {
        .picture = picture,
        .d = decision,
        .clusters = n_clusters < MOST_CLUSTERS ? n_clusters : MOST_CLUSTERS,
        .hosts = n_hosts < most_hosts ? n_hosts : most_hosts,
    };

    draw_title(&p);
    draw_request(&p);
    draw_listener(&p);
    draw_virtual_host(&p);
    draw_routes(&p);
    draw_clusters(&p);
    xds_sketch_hosts(&p);
    draw_drops(&p);
    draw_session(&p);
    draw_failure(&p);
}

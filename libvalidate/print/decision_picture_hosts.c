/* decision_picture_hosts.c - the right side of a decision's picture. */
#include "print/decision_picture.h"

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
static size_t first_like(const struct xds_sketch *p, size_t host,
                         bool (*same)(const struct xds_decision_host *a,
                                      const struct xds_decision_host *b))
{
    const struct xds_decision_host *hosts = p->d->hosts;
    size_t i = 0;

    while (i < host && !same(&hosts[i], &hosts[host]))
        i++;
    return i;
}

static bool is_way(const struct xds_sketch *p, const struct xds_decision_host *h,
                   bool (*same)(const struct xds_decision_host *a,
                                const struct xds_decision_host *b))
{
    const struct xds_decision *d = p->d;

    return d->host && d->n_hosts == 1 && same(&d->hosts[0], h);
}

/* region/zone/sub_zone */
static void locality_name(struct xds_picture *picture, const struct xds_locality *l)
{
    const struct xds_slice parts[] = {l->region, l->zone, l->sub_zone};
    const char *between = "";

    xds_out_text(&picture->label, "locality");
    xds_picture_line(picture);
    for (size_t i = 0; i < XDS_ARRAY_LEN(parts); i++) {
        if (parts[i].len == 0)
            continue;
        xds_out_text(&picture->label, between);
        xds_picture_clean(picture, parts[i]);
        between = "/";
    }
}

static void draw_priority(struct xds_sketch *p, size_t host)
{
    const struct xds_decision_host *h = &p->d->hosts[host];
    const enum xds_dot_look look =
        is_way(p, h, same_priority) ? XDS_DOT_TAKEN : XDS_DOT_PLAIN;

    if (first_like(p, host, same_priority) != host)
        return;
    xds_picture_node_begin(p->picture, xds_dot_at("priority", host));
    xds_out_text(&p->picture->label, "priority ");
    xds_out_u64(&p->picture->label, h->host->locality->priority);
    xds_picture_node_end(p->picture, XDS_DOT_LIST, look);
    if (xds_sketch_find_cluster(p, h->cluster) < p->clusters)
        xds_picture_edge(p->picture,
                         xds_dot_at("cluster", xds_sketch_find_cluster(p, h->cluster)),
                         xds_dot_at("priority", host), look);
}

static void draw_locality(struct xds_sketch *p, size_t host)
{
    const struct xds_decision_host *h = &p->d->hosts[host];
    const enum xds_dot_look look =
        is_way(p, h, same_locality) ? XDS_DOT_TAKEN : XDS_DOT_PLAIN;

    if (first_like(p, host, same_locality) != host)
        return;
    xds_picture_node_begin(p->picture, xds_dot_at("locality", host));
    locality_name(p->picture, h->host->locality);
    xds_picture_node_end(p->picture, XDS_DOT_BOX, look);
    xds_picture_edge_begin(p->picture,
                           xds_dot_at("priority", first_like(p, host, same_priority)),
                           xds_dot_at("locality", host));
    xds_out_text(&p->picture->label, "weight ");
    xds_out_u64(&p->picture->label, h->host->locality->weight);
    xds_picture_edge_end(p->picture, look);
}

static void draw_host(struct xds_sketch *p, size_t i)
{
    const struct xds_decision_host *h = &p->d->hosts[i];
    const bool is_host = p->d->host && h->host == p->d->host;

    draw_priority(p, i);
    draw_locality(p, i);
    xds_picture_node_begin(p->picture, xds_dot_at("endpoint", i));
    xds_out_text(&p->picture->label, "endpoint");
    xds_picture_line(p->picture);
    xds_picture_clean(p->picture, xds_host_address(h->host));
    if (h->host->endpoint->health != XDS_HEALTH_UNKNOWN) {
        xds_picture_line(p->picture);
        xds_out_text(&p->picture->label, xds_health_name(h->host->endpoint->health));
    }
    xds_picture_node_end(p->picture, XDS_DOT_BOX,
                         is_host ? XDS_DOT_TAKEN : XDS_DOT_PLAIN);
    xds_picture_edge_begin(p->picture,
                           xds_dot_at("locality", first_like(p, i, same_locality)),
                           xds_dot_at("endpoint", i));
    if (h->probability == XDS_NOT_COMPUTABLE)
        xds_out_char(&p->picture->label, '?');
    else
        xds_out_percent(&p->picture->label, h->probability);
    xds_picture_edge_end(p->picture,
                         is_way(p, h, same_locality) ? XDS_DOT_TAKEN : XDS_DOT_PLAIN);
}

/* ---- what the RPC skips ---- */

/* The hosts of this RPC in the locality; *first is one of them. */
static size_t count_hosts(const struct xds_decision *d,
                          const struct xds_locality *locality, size_t *first)
{
    size_t n = 0;

    for (size_t i = d->n_hosts; i-- > 0;) {
        if (d->hosts[i].host->locality != locality)
            continue;
        *first = i;
        n++;
    }
    return n;
}

/* The others of a locality that the RPC may end in. */
static void draw_rest(struct xds_sketch *p, const struct xds_locality *locality)
{
    size_t first = 0;
    const size_t n = count_hosts(p->d, locality, &first);

    if (n == 0 || n >= locality->n_endpoints)
        return;
    xds_picture_node_begin(p->picture, xds_dot_at("rest", first));
    xds_out_count(&p->picture->label, locality->n_endpoints - n, "more endpoint");
    xds_picture_node_end(p->picture, XDS_DOT_TEXT, XDS_DOT_LOST);
    xds_picture_edge(p->picture, xds_dot_at("locality", first), xds_dot_at("rest", first),
                     XDS_DOT_LOST);
}

static const struct xds_priority_try *try_of(const struct xds_decision *d,
                                             uint32_t priority)
{
    for (size_t i = 0; i < d->n_priorities; i++)
        if (d->priorities[i].priority == priority &&
            xds_slice_eq(d->priorities[i].leaf, d->leaf))
            return &d->priorities[i];
    return NULL;
}

/* A priority without a host of this RPC, drawn once. */
static void draw_idle_priority(struct xds_sketch *p, struct xds_dot_node cluster,
                               uint32_t priority)
{
    const struct xds_priority_try *try = try_of(p->d, priority);

    xds_picture_node_begin(p->picture, xds_dot_at("idle_priority", priority));
    xds_out_text(&p->picture->label, "priority ");
    xds_out_u64(&p->picture->label, priority);
    xds_picture_line(p->picture);
    if (try)
        xds_picture_sentence(p->picture, try->reason);
    else
        xds_out_text(&p->picture->label, "not used");
    xds_picture_node_end(p->picture, XDS_DOT_LIST, XDS_DOT_LOST);
    xds_picture_edge(p->picture, cluster, xds_dot_at("idle_priority", priority),
                     XDS_DOT_LOST);
}

/* Of several localities of a priority the first draws it. */
static bool is_first_of_priority(const struct xds_decision *d, size_t locality)
{
    const struct xds_locality *list = d->endpoints->localities;

    for (size_t i = 0; i < locality; i++)
        if (list[i].priority == list[locality].priority)
            return false;
    return true;
}

/* The node of the priority, where a host of this RPC is in it. */
static bool find_priority(const struct xds_sketch *p, uint32_t priority,
                          struct xds_dot_node *out)
{
    for (size_t i = 0; i < p->hosts; i++)
        if (p->d->hosts[i].host->locality->priority == priority) {
            *out = xds_dot_at("priority", first_like(p, i, same_priority));
            return true;
        }
    return false;
}

static void draw_idle_locality(struct xds_sketch *p, struct xds_dot_node cluster,
                               size_t i)
{
    const struct xds_locality *l = &p->d->endpoints->localities[i];
    struct xds_dot_node above = xds_dot_at("idle_priority", l->priority);

    if (!find_priority(p, l->priority, &above) && is_first_of_priority(p->d, i))
        draw_idle_priority(p, cluster, l->priority);
    xds_picture_node_begin(p->picture, xds_dot_at("idle", i));
    locality_name(p->picture, l);
    xds_picture_line(p->picture);
    xds_out_count(&p->picture->label, l->n_endpoints, "endpoint");
    xds_out_text(&p->picture->label, ", not used");
    xds_picture_node_end(p->picture, XDS_DOT_BOX, XDS_DOT_LOST);
    xds_picture_edge(p->picture, above, xds_dot_at("idle", i), XDS_DOT_LOST);
}

/* The localities of the certain cluster that no host of this RPC is in. */
static void draw_passed_over(struct xds_sketch *p)
{
    const struct xds_decision *d = p->d;
    size_t drawn = 0, idle = 0, first;

    if (!d->endpoints || !d->cluster || p->clusters == 0 || p->hosts < d->n_hosts)
        return;
    const struct xds_dot_node cluster =
        xds_dot_at("cluster", (size_t)(d->cluster - d->clusters));
    for (size_t i = 0; i < d->endpoints->n_localities; i++) {
        const struct xds_locality *l = &d->endpoints->localities[i];

        draw_rest(p, l);
        if (count_hosts(d, l, &first) > 0 || (++idle, drawn == MOST_LOCALITIES))
            continue;
        draw_idle_locality(p, cluster, i);
        drawn++;
    }
    xds_sketch_more(p, cluster, "more_localities", idle - drawn);
}

void xds_sketch_hosts(struct xds_sketch *p)
{
    for (size_t i = 0; i < p->hosts; i++)
        draw_host(p, i);
    xds_sketch_more(p, xds_dot_at("virtual_host", 0), "more_endpoints",
                    p->d->n_hosts - p->hosts);
    draw_passed_over(p);
}

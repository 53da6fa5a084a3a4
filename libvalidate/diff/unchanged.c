/*
 * unchanged.c - RPCs that meet nothing on their way that changed, so that both sides
 * answer them alike. Most do, and answering them is most of the work.
 *
 * What an RPC meets: listener, route configuration, the clusters of its route, those
 * below an aggregate one, and their endpoints. Where an answer may depend on more - one
 * resource kills the client, or a dump says what it holds - nothing is known here.
 */
#include "diff/diff.h"

static struct xds_strmap *names_of(struct xds_diff *diff, enum xds_resource_type type)
{
    return &diff->unchanged.changed[type];
}

static void note_changed(struct xds_diff *diff, enum xds_resource_type type,
                         struct xds_slice name)
{
    if (name.data)
        *xds_strmap_at(names_of(diff, type), name) = diff;
    else
        diff->unchanged.is_known = false;
}

static bool is_changed(struct xds_diff *diff, enum xds_resource_type type,
                       struct xds_slice name)
{
    return name.data && xds_strmap_get(names_of(diff, type), name);
}

/* Of several resources of one name only the last one was compared. */
static void note_repeated(struct xds_diff *diff, const struct xds_snapshot *snapshot)
{
    for (enum xds_resource_type type = 0; type <= XDS_TYPE_ENDPOINT; type++)
        for (const struct xds_snapshot_entry *e = snapshot->first[type]; e; e = e->next)
            if (e->earlier)
                note_changed(diff, type, e->name);
}

static bool is_simple(const struct xds_diff *diff, enum xds_side side)
{
    const struct xds_check *check = diff->side[side].check;
    const struct xds_snapshot *s = &check->snapshot;

    return !s->has_held && !s->has_unmodelled && !s->has_killing &&
           !check->report->options.bootstrap.is_set;
}

/* What decides about RPCs; a bootstrap is not among it, see is_simple(). */
static bool same_options(const struct xds_options *a, const struct xds_options *b)
{
    return a->clients == b->clients && a->linked == b->linked &&
           a->allow_unknown_fields == b->allow_unknown_fields &&
           memcmp(a->asked, b->asked, sizeof a->asked) == 0 &&
           memcmp(a->release, b->release, sizeof a->release) == 0 &&
           memcmp(a->env_set, b->env_set, sizeof a->env_set) == 0;
}

static bool is_comparable(const struct xds_diff *diff)
{
    const struct xds_diff_side *old = &diff->side[XDS_SIDE_OLD];
    const struct xds_diff_side *now = &diff->side[XDS_SIDE_NEW];

    return !diff->of_readers && !diff->reordered && is_simple(diff, XDS_SIDE_OLD) &&
           is_simple(diff, XDS_SIDE_NEW) && old->client == now->client &&
           same_options(&old->check->report->options, &now->check->report->options);
}

void xds_unchanged_init(struct xds_diff *diff)
{
    for (unsigned i = 0; i < XDS_ARRAY_LEN(diff->unchanged.changed); i++)
        xds_strmap_init(&diff->unchanged.changed[i], &diff->arena);
    xds_strmap_init(&diff->unchanged.clusters, &diff->arena);
    xds_strmap_init(&diff->unchanged.with_sessions, &diff->arena);
    diff->unchanged.is_known = is_comparable(diff);
    for (size_t i = 0; i < diff->n_resources; i++) {
        const struct xds_resource_change *change = &diff->resources[i];
        const enum xds_resource_type type = xds_resource_type_of(change->type);

        if (type == XDS_TYPE_UNKNOWN)
            diff->unchanged.is_known = false;
        note_changed(diff, type, change->name);
    }
    for (unsigned side = 0; side < XDS_SIDES; side++)
        note_repeated(diff, &diff->side[side].check->snapshot);
}

/* depth: of aggregate clusters in each other; deeper ones are answered. */
static bool looks_same(struct xds_diff *diff, struct xds_slice name, unsigned depth)
{
    const struct xds_snapshot_entry *entry = xds_snapshot_find(
        &diff->side[XDS_SIDE_OLD].check->snapshot, XDS_TYPE_CLUSTER, name);
    const struct xds_cluster *cluster = entry ? entry->model : NULL;

    if (is_changed(diff, XDS_TYPE_CLUSTER, name))
        return false;
    if (!cluster)
        return true;
    if (cluster->kind == XDS_CLUSTER_EDS)
        return !is_changed(diff, XDS_TYPE_ENDPOINT, cluster->eds_name);
    if (cluster->n_children > 0 && depth == 0)
        return false;
    for (size_t i = 0; i < cluster->n_children; i++)
        if (!looks_same(diff, cluster->children[i], depth - 1))
            return false;
    return true;
}

static bool is_same_cluster(struct xds_diff *diff, struct xds_slice name)
{
    static const char same, other;

    if (!name.data)
        return false;
    void **slot = xds_strmap_at(&diff->unchanged.clusters, name);

    if (!*slot) {
        const char *found = looks_same(diff, name, 2) ? &same : &other;

        memcpy(slot, &found, sizeof found);
    }
    return *slot == &same;
}

static bool leads_to_same(struct xds_diff *diff, const struct xds_route *route)
{
    switch (route->action) {
    case XDS_ACTION_CLUSTER:
        return is_same_cluster(diff, route->cluster);
    case XDS_ACTION_WEIGHTED:
        for (size_t i = 0; i < route->n_weighted; i++)
            if (!is_same_cluster(diff, route->weighted[i].name))
                return false;
        return true;
    case XDS_ACTION_PLUGIN: /* its config may name any cluster */
        return false;
    case XDS_ACTION_NO_SPECIFIER:
    case XDS_ACTION_NON_FORWARDING:
    case XDS_ACTION_UNSUPPORTED:
        break;
    }
    return true;
}

/* Some clients wait for the endpoints of all clusters of the virtual host. */
static bool is_same_host(struct xds_diff *diff, const struct xds_virtual_host *host)
{
    const struct xds_diff_side *side = &diff->side[XDS_SIDE_OLD];
    struct xds_unchanged *known = &diff->unchanged;

    if (!xds_differs(&side->check->report->options, side->client,
                     XDS_DIFF_ENDPOINTS_AWAITED))
        return true;
    if (known->host != host) {
        known->host = host;
        known->is_same_host = true;
        for (size_t i = 0; i < host->n_routes && known->is_same_host; i++)
            known->is_same_host = leads_to_same(diff, &host->routes[i]);
    }
    return known->is_same_host;
}

/* An override alone makes no session. */
static bool may_have_session(const struct xds_listener *listener)
{
    for (size_t i = 0; i < listener->n_filters; i++)
        if (listener->filters[i].kind == XDS_FILTER_STATEFUL_SESSION ||
            listener->filters[i].kind == XDS_FILTER_COMPOSITE)
            return true;
    return false;
}

/* The sessions of a route are compared once. */
static struct xds_slice pair_key(const struct xds_unchanged_pair *pair)
{
    return xds_slice_make((const char *)(const void *)pair, sizeof *pair);
}

void xds_unchanged_note_sessions(struct xds_diff *diff, const struct xds_decision *old)
{
    const struct xds_unchanged_pair pair = {old->virtual_host.host, old->route->route};

    if (diff->unchanged.is_known) /* RPCs that were given do not need it */
        *xds_strmap_at(&diff->unchanged.with_sessions, pair_key(&pair)) = diff;
}

/* Once this route takes the RPC. */
static bool is_same_route(struct xds_diff *diff, const struct xds_derived *derived,
                          const struct xds_route *route)
{
    const struct xds_unchanged_pair pair = {derived->host, route};

    return leads_to_same(diff, route) &&
           (!may_have_session(derived->listener) || diff->sessions.cut ||
            xds_strmap_get(&diff->unchanged.with_sessions, pair_key(&pair)));
}

size_t xds_unchanged(struct xds_diff *diff, const struct xds_derived *derived)
{
    const struct xds_listener *listener = derived->listener;
    struct xds_route_walk walk;
    size_t n_open = 0;

    if (!diff->unchanged.is_known || derived->request.route_config.data ||
        is_changed(diff, XDS_TYPE_LISTENER, listener->name) ||
        (listener->rds_name.data &&
         is_changed(diff, XDS_TYPE_ROUTE, listener->rds_name)) ||
        !is_same_host(diff, derived->host) ||
        !xds_explain_walk(diff->explainer[XDS_SIDE_OLD], derived, &walk))
        return 0;
    for (size_t i = 0; i < walk.n_tries; i++) {
        if (walk.tries[i].matched != XDS_CHANCE_NO &&
            !is_same_route(diff, derived, walk.tries[i].route))
            return 0;
        n_open += walk.tries[i].matched == XDS_CHANCE_OPEN;
    }
    return 1 + xds_diff_pinned(n_open);
}

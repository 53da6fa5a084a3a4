/*
 * references.c - names that nothing in the input has, and resources that nothing names;
 * the way from an older snapshot to this one.
 *
 * Source: gRFC A27, A37, A56, A57, A115; spec cluster 5.4, 5.6; go-control-plane and
 * Envoy check some of these by count.
 */
#include "lint/checks.h"
#include "model/child_numbers.h"

/* A type of which the input holds nothing at all is not looked up: then the input is a
 * part of a snapshot, such as the routes alone. The same holds for leaves where all
 * clusters are aggregates. Where something could not be read, it may be what is named,
 * or may name what is not. */

static const struct missing {
    enum xds_resource_type type; /* of what is missing */
    bool in_cluster;             /* a Cluster names it; else a route or a listener does */
    enum xds_rule_id rule;
    const char *name, *effect;
} missing_rows[] = {
    {XDS_TYPE_ROUTE, false, XDS_R_LINT_MISSING_ROUTE_CONFIG, "RouteConfiguration",
     "the channel waits 15 s for it, then its RPCs fail with UNAVAILABLE"},
    {XDS_TYPE_CLUSTER, false, XDS_R_LINT_MISSING_CLUSTER, "Cluster",
     "RPCs that go there fail with UNAVAILABLE"},
    {XDS_TYPE_CLUSTER, true, XDS_R_LINT_MISSING_LEAF, "Cluster",
     "the aggregate cluster treats it as failed and uses the next one"},
    {XDS_TYPE_ENDPOINT, true, XDS_R_LINT_MISSING_ENDPOINTS, "ClusterLoadAssignment",
     "the cluster has no hosts, and its RPCs fail with UNAVAILABLE"},
};

/* The resource of this name as it was, or NULL. */
static const struct xds_node *find_before(const struct xds_graph *graph,
                                          const struct xds_graph_name *name)
{
    const struct xds_before *before = graph->before;

    return before ? xds_graph_find(before->graph, (enum xds_resource_type)name->type,
                                   name->text)
                  : NULL;
}

/* Where it was, in the files of this report. */
static struct xds_place place_before(const struct xds_inspection *in,
                                     struct xds_before *before,
                                     const struct xds_node *old)
{
    struct xds_place at = before->report->resources[old->resource].at;
    const struct xds_slice file = before->report->files.names[at.file];
    void **slot = xds_strmap_at(&before->files, file);

    if (!*slot) {
        const uint32_t added = xds_report_is_answer(before->report, at.file)
                                   ? xds_report_add_answer(in->report, file)
                                   : xds_report_add_file(in->report, file);

        *slot = (void *)(uintptr_t)(added + 1);
    }
    at.file = (uint32_t)((uintptr_t)*slot - 1);
    return at;
}

/* Tell in the last finding where it was. */
static void relate_to_before(const struct xds_inspection *in, struct xds_before *before,
                             const struct xds_node *old)
{
    const struct xds_place at = place_before(in, before, old);

    xds_report_relate(in->report, XDS_NO_RESOURCE, NULL, &at,
                      "here it is, in the old snapshot");
}

static const struct missing *row_of(const struct xds_node *from,
                                    const struct xds_ref *ref)
{
    const bool in_cluster = xds_node_type(from) == XDS_TYPE_CLUSTER;

    for (size_t i = 0; i < XDS_ARRAY_LEN(missing_rows); i++)
        if (missing_rows[i].type == ref->name->type &&
            missing_rows[i].in_cluster == in_cluster)
            return &missing_rows[i];
    return NULL;
}

static struct xds_slice and_more(const struct xds_inspection *in,
                                 const struct xds_ref *ref)
{
    if (ref->times == 1)
        return XDS_S("");
    return xds_arena_printf(in->scratch, "; %u more field%s of this resource name%s it",
                            ref->times - 1, ref->times == 2 ? "" : "s",
                            ref->times == 2 ? "s" : "");
}

static bool is_missing(const struct xds_graph *graph, const struct missing *row,
                       const struct xds_ref *ref)
{
    if (ref->name->text.len == 0)
        return false;
    return row->type == XDS_TYPE_CLUSTER && row->in_cluster
               ? graph->holds_leaves
               : xds_graph_holds(graph, row->type);
}

static void check_ref(const struct xds_inspection *in, const struct xds_graph *graph,
                      const struct xds_node *from, const struct xds_ref *ref)
{
    const struct missing *row = row_of(from, ref);
    const struct xds_node *old = find_before(graph, ref->name);

    if (row && old) {
        /* The old snapshot had it: then it is missed even where nothing of its type is
         * left. */
        struct xds_site_frames frames;

        if (xds_lint_fire(in, xds_site_path(ref->site, XDS_S(""), &frames),
                          XDS_R_LINT_REMOVED_IN_USE,
                          "this change removes %s \"%.*s\" while it is still referenced "
                          "here: %s%.*s; remove the reference first",
                          /* Servers can only take listeners and clusters away from a
                             client (spec cluster 10.1). */
                          row->name, XDS_FMT(ref->name->text),
                          row->type == XDS_TYPE_CLUSTER
                              ? row->effect
                              : "clients that have it keep it as it is, and RPCs of all "
                                "others fail",
                          XDS_FMT(and_more(in, ref))))
            relate_to_before(in, graph->before, old);
    } else if (row && is_missing(graph, row, ref)) {
        struct xds_site_frames frames;
        const struct xds_path *at = xds_site_path(ref->site, XDS_S(""), &frames);
        const bool partial = in->report->options.partial;

        (partial ? xds_lint_fire_note : xds_lint_fire)(
            in, at, row->rule, "no %s \"%.*s\" in the input: %s%.*s", row->name,
            XDS_FMT(ref->name->text), row->effect, XDS_FMT(and_more(in, ref)));
    }
}

void xds_check_dangling(struct xds_inspection *in, const struct xds_graph *graph)
{
    if (graph->has_gaps)
        return;
    for (size_t type = 0; type < XDS_ARRAY_LEN(graph->first); type++) {
        for (const struct xds_node *node = graph->first[type]; node; node = node->next) {
            in->resource = node->resource;
            for (const struct xds_ref *ref = node->refs; ref < xds_refs_end(node); ref++)
                if (!xds_ref_to(ref))
                    check_ref(in, graph, node, ref);
        }
    }
}

/* A response of listeners deletes those that it lacks. */
void xds_check_removed(struct xds_inspection *in, const struct xds_graph *graph)
{
    struct xds_before *before = graph->before;

    if (!before || graph->has_gaps)
        return;
    for (const struct xds_node *old = before->graph->first[XDS_TYPE_LISTENER]; old;
         old = old->next)
        if (!xds_graph_find(graph, XDS_TYPE_LISTENER, old->name->text) &&
            !old->listener->is_empty)
            (void)xds_report_at(
                in->report, xds_rule_row(XDS_R_LINT_LISTENER_REMOVED), XDS_NO_RESOURCE,
                place_before(in, before, old),
                "this change removes Listener \"%.*s\": %s", XDS_FMT(old->name->text),
                old->listener->for_servers
                    ? "a gRPC server that uses it stops serving"
                    : "the RPCs of channels that use it fail with UNAVAILABLE");
}

static const struct unused {
    enum xds_resource_type type;
    enum xds_rule_id rule;
    const char *named_by;
} unused_rows[] = {
    {XDS_TYPE_ROUTE, XDS_R_LINT_UNUSED_ROUTE_CONFIG, "listener"},
    {XDS_TYPE_CLUSTER, XDS_R_LINT_UNUSED_CLUSTER, "route"},
    {XDS_TYPE_ENDPOINT, XDS_R_LINT_UNUSED_ENDPOINTS, "cluster"},
};

void xds_check_unused(struct xds_inspection *in, const struct xds_graph *graph)
{
    if (in->report->options.partial || xds_graph_is_open(graph))
        return;
    for (size_t i = 0; i < XDS_ARRAY_LEN(unused_rows); i++) {
        const struct unused *row = &unused_rows[i];

        for (const struct xds_node *n = graph->first[row->type]; n; n = n->next) {
            in->resource = n->resource;
            if (!n->reached)
                xds_lint_fire(in, NULL, row->rule,
                              "resource \"%.*s\" is not used by any %s that a client "
                              "reaches; is its name misspelled there or here?",
                              XDS_FMT(n->name->text), row->named_by);
        }
    }
}

struct move {
    const struct xds_locality *locality; /* the first one that moves, NULL: none */
    uint32_t from;                       /* its old priority */
    size_t n;
};

/* Of a locality in the old snapshot; one that was in several priorities is left out. */
struct former {
    uint64_t number;
    uint32_t priority;
    bool several;
};

static struct move moves_for(struct xds_arena *arena, const struct xds_options *options,
                             enum xds_client client, const struct xds_endpoints *old,
                             const struct xds_endpoints *new)
{
    const struct xds_child_numbers none = {.n = 0};
    const struct xds_child_numbers before =
        xds_child_numbers_of(arena, options, client, &none, old);
    const struct xds_child_numbers now =
        xds_child_numbers_of(arena, options, client, &before, new);
    struct xds_strmap by_key; /* struct former */
    struct move out = {.n = 0};

    xds_strmap_init(&by_key, arena);
    for (size_t i = 0; i < before.n; i++)
        for (size_t k = 0; k < before.priorities[i].n; k++) {
            const struct xds_locality *l = before.priorities[i].localities[k];
            void **slot = xds_strmap_at(&by_key, xds_locality_key(arena, l));
            struct former *former = XDS_NEW(arena, struct former);

            *former = (struct former){before.number[i], l->priority, *slot != NULL};
            *slot = former;
        }
    for (size_t i = 0; i < now.n; i++)
        for (size_t k = 0; k < now.priorities[i].n; k++) {
            const struct xds_locality *l = now.priorities[i].localities[k];
            const struct former *former =
                xds_strmap_get(&by_key, xds_locality_key(arena, l));

            if (!former || former->several || former->number == now.number[i])
                continue;
            if (out.n++ == 0) {
                out.locality = l;
                out.from = former->priority;
            }
        }
    return out;
}

static void compare(const struct xds_inspection *in, const struct xds_graph *graph,
                    const struct xds_node *node, const struct xds_node *old)
{
    struct move first = {.n = 0};
    unsigned clients = 0;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        if (!(in->report->options.clients & XDS_CLIENT_BIT(c)))
            continue;
        const struct move move = moves_for(in->scratch, &in->report->options, c,
                                           old->endpoints, node->endpoints);

        if (move.n > 0 && first.n == 0)
            first = move;
        if (move.n > 0)
            clients |= XDS_CLIENT_BIT(c);
    }
    if (first.locality) {
        const struct xds_slice others =
            first.n == 1 ? XDS_S("")
                         : xds_arena_printf(in->scratch, ", and so %s %zu more",
                                            first.n == 2 ? "does" : "do", first.n - 1);

        if (xds_lint_fire(in, XDS_AT_I(NULL, "endpoints", first.locality->index),
                          XDS_R_LINT_LOCALITIES_MOVED,
                          "a locality of \"%.*s\", in priority %u before and %u now, "
                          "moves to another child policy%.*s%.*s: connections to its "
                          "hosts are made anew",
                          XDS_FMT(node->name->text), first.from, first.locality->priority,
                          XDS_FMT(xds_lint_for_some(in, clients)), XDS_FMT(others)))
            relate_to_before(in, graph->before, old);
    }
}

void xds_check_moves(struct xds_inspection *in, const struct xds_graph *graph)
{
    for (const struct xds_node *n = graph->first[XDS_TYPE_ENDPOINT]; n; n = n->next) {
        const struct xds_node *old = find_before(graph, n->name);

        in->resource = n->resource;
        if (old && old->endpoints && n->endpoints)
            compare(in, graph, n, old);
    }
}

/*
 * aggregates.c - aggregate clusters that lead in a circle, too deep, or nowhere new.
 *
 * Source: gRFC A37, A74; spec cluster 6.
 *
 * Clusters are walked depth first without recursion: where a walk is is kept in the
 * nodes, so that a chain of any length takes no stack.
 */
#include "lint/checks.h"

#include "base/limits.h"

/* How many clusters of a loop are named, from its end. */
#define NAMES_OF_LOOP 8

static void enter(struct xds_node *node, struct xds_node *from)
{
    struct xds_cluster_walk *walk = &node->cluster->walk;

    walk->state = XDS_WALK_OPEN;
    walk->parent = from;
    walk->next = node->refs;
}

/* The next cluster named by the node that the walk is at, or NULL. Only aggregates
 * name some, and they name nothing else. */
static const struct xds_ref *step(struct xds_node *at)
{
    struct xds_cluster_walk *walk = &at->cluster->walk;

    if (at->cluster->kind != XDS_CLUSTER_AGGREGATE || walk->next == xds_refs_end(at))
        return NULL;
    return walk->next++;
}

/* ---- loops ---- */

/* "a -> b -> a"; of a long one just the end. */
static struct xds_slice loop_text(const struct xds_inspection *in,
                                  const struct xds_node *last, const struct xds_node *top)
{
    struct xds_slice out = top->name->text;
    const struct xds_node *n = last;

    for (size_t i = 0; i < NAMES_OF_LOOP && n && n != top;
         i++, n = n->cluster->walk.parent)
        out = xds_arena_printf(in->scratch, "%.*s -> %.*s", XDS_FMT(n->name->text),
                               XDS_FMT(out));
    return xds_arena_printf(in->scratch, "%.*s -> %s%.*s", XDS_FMT(top->name->text),
                            n == top ? "" : "... -> ", XDS_FMT(out));
}

static void report_loop(struct xds_inspection *in, const struct xds_ref *ref,
                        const struct xds_node *from)
{
    struct xds_site_frames frames;

    in->resource = from->resource;
    (void)xds_lint_fire(
        in, xds_site_path(ref->site, XDS_S(""), &frames), XDS_R_LINT_AGGREGATE_LOOP,
        "aggregate clusters form a circle: \"%.*s\"; without another leaf all RPCs fail",
        XDS_FMT(loop_text(in, from, xds_ref_to(ref))));
}

/* ---- heights ---- */

static void fold(struct xds_cluster_facts *parent, const struct xds_cluster_facts *child)
{
    if (parent->height < child->height + 1)
        parent->height = child->height + 1;
    parent->ring_hash |= child->ring_hash;
    parent->may_hash |= child->may_hash;
}

static struct xds_node *leave(struct xds_node *node)
{
    struct xds_cluster_walk *walk = &node->cluster->walk;

    walk->state = XDS_WALK_DONE;
    if (walk->parent)
        fold(walk->parent->cluster, node->cluster);
    return walk->parent;
}

static void look_below(struct xds_inspection *in, struct xds_node *top)
{
    struct xds_node *at = top;

    enter(top, NULL);
    while (at) {
        const struct xds_ref *ref = step(at);
        struct xds_node *to = ref ? xds_ref_to(ref) : NULL;

        if (!ref) {
            at = leave(at);
        } else if (!to) {
            at->cluster->may_hash = XDS_ALL_CLIENTS; /* its policy is not known */
        } else if (to->cluster->walk.state == XDS_WALK_NEW) {
            enter(to, at);
            at = to;
        } else if (to->cluster->walk.state == XDS_WALK_OPEN) {
            report_loop(in, ref, at);
        } else {
            fold(at->cluster, to->cluster);
        }
    }
}

/* ---- leaves that are named once more ---- */

static void report_repeated(struct xds_inspection *in, uint32_t resource,
                            const struct xds_path *at, struct xds_slice text)
{
    in->resource = resource;
    (void)xds_lint_fire(in, at, XDS_R_LINT_AGGREGATE_REPEATED, "%.*s", XDS_FMT(text));
}

static void report_second(struct xds_inspection *in, const struct xds_node *from,
                          const struct xds_ref *ref)
{
    struct xds_site_frames frames;
    struct xds_site site = ref->site;

    if (ref->times > 1)
        site.entry = site.again;
    report_repeated(
        in, from->resource, xds_site_path(site, XDS_S(""), &frames),
        xds_arena_printf(in->scratch,
                         "cluster \"%.*s\" is named twice, here or in an aggregate "
                         "cluster in between: only its first place counts",
                         XDS_FMT(ref->name->text)));
}

static void report_limit(struct xds_inspection *in, const struct xds_node *top)
{
    report_repeated(in, top->resource, XDS_AT(NULL, "cluster_type"),
                    xds_arena_printf(in->scratch,
                                     "\"clusters\" leads to too many clusters to look "
                                     "for repeated ones: the search ends after %d steps",
                                     XDS_MAX_AGGREGATE_STEPS));
}

static bool is_done_below(const struct xds_node *node, const struct xds_node *top)
{
    return node && node->cluster->walk.root == top &&
           node->cluster->walk.state == XDS_WALK_DONE;
}

/* Tell of the first leaf below an aggregate that is named twice there. False when the
 * steps are used up: many aggregates can share all that is below them. */
static bool find_repeated(struct xds_inspection *in, struct xds_node *top, size_t *steps)
{
    struct xds_node *at = top;

    enter(top, NULL);
    top->cluster->walk.root = top;
    while (at) {
        const struct xds_ref *ref = step(at);
        struct xds_node *to = ref ? xds_ref_to(ref) : NULL;

        if (++*steps > XDS_MAX_AGGREGATE_STEPS)
            return false;
        if (!ref) {
            at->cluster->walk.state = XDS_WALK_DONE;
            at = at->cluster->walk.parent;
        } else if (ref->times > 1 || is_done_below(to, top)) {
            report_second(in, at, ref);
            return true;
        } else if (to && to->cluster->walk.root != top) {
            to->cluster->walk.root = top;
            enter(to, at);
            at = to;
        }
    }
    return true;
}

/* ---- all aggregates ---- */

/* No walk has come by: where clusters lead in a circle, none of them need be a top. */
static bool is_left_out(const struct xds_node *node)
{
    return node->cluster->kind == XDS_CLUSTER_AGGREGATE && !node->cluster->walk.root;
}

/* A client begins a walk here. Of several clusters of one name the first one is meant. */
static bool is_top(const struct xds_node *node)
{
    return node->cluster->kind == XDS_CLUSTER_AGGREGATE &&
           (node->name->node != node || node->name->named_by_route ||
            !node->name->named_by_cluster);
}

static void check_depth(struct xds_inspection *in, const struct xds_node *top)
{
    in->resource = top->resource;
    if (top->cluster->height >= XDS_MAX_AGGREGATE_DEPTH)
        (void)xds_lint_fire(in, XDS_AT(NULL, "cluster_type"), XDS_R_LINT_AGGREGATE_DEPTH,
                            "\"clusters\" nests %u levels deep; clients stop at %d, and "
                            "all RPCs fail with UNAVAILABLE",
                            top->cluster->height, XDS_MAX_AGGREGATE_DEPTH);
}

static void check_single(struct xds_inspection *in, const struct xds_node *node)
{
    const struct xds_ref *only = node->refs;
    struct xds_site_frames frames;

    in->resource = node->resource;
    if (node->cluster->kind == XDS_CLUSTER_AGGREGATE && node->n_refs == 1 &&
        only->times == 1 && xds_ref_to(only) != node)
        (void)xds_lint_fire(in, xds_site_path(only->site, XDS_S(""), &frames),
                            XDS_R_LINT_AGGREGATE_SINGLE,
                            "the aggregate cluster has only \"%.*s\" and nothing to fail "
                            "over to: a route may name that cluster itself",
                            XDS_FMT(only->name->text));
}

/* Walk from the clusters that are asked for. False when the steps are used up. */
static bool check_from(struct xds_inspection *in, struct xds_node *first, size_t *steps,
                       bool (*is_asked_for)(const struct xds_node *node))
{
    for (struct xds_node *n = first; n; n = n->next) {
        if (!is_asked_for(n))
            continue;
        check_depth(in, n);
        if (find_repeated(in, n, steps))
            continue;
        report_limit(in, n);
        return false;
    }
    return true;
}

void xds_check_aggregates(struct xds_inspection *in, const struct xds_graph *graph)
{
    struct xds_node *first = graph->first[XDS_TYPE_CLUSTER];
    size_t steps = 0;

    for (struct xds_node *n = first; n; n = n->next)
        if (n->cluster->walk.state == XDS_WALK_NEW)
            look_below(in, n);
    for (struct xds_node *n = first; n; n = n->next)
        check_single(in, n);
    if (check_from(in, first, &steps, is_top))
        (void)check_from(in, first, &steps, is_left_out);
}

/*
 * aggregates.c - aggregate clusters that lead in a circle, too deep, or nowhere new.
 *
 * Takes:  the linked graph.
 * Gives:  findings; in each cluster its height, and whether a leaf below it picks by a
 *         hash.
 * Fires:  LINT_AGGREGATE_DEPTH, _LOOP, _REPEATED, _SINGLE.
 * Source: gRFC A37, A74; spec cluster 6.
 *
 * Clusters are walked depth first without recursion: where a walk stands is kept in the
 * nodes, so that a chain of any length takes no stack.
 */
#include "lint/checks.h"

#include "base/limits.h"

/* How many clusters of a loop are named, from its end. */
#define NAMES_OF_LOOP 8

static const struct xds_ref *next_cluster(const struct xds_ref *ref)
{
    while (ref && ref->type != XDS_TYPE_CLUSTER)
        ref = ref->next;
    return ref;
}

static void enter(struct xds_node *node, struct xds_node *from)
{
    node->walk.state = XDS_WALK_OPEN;
    node->walk.parent = from;
    node->walk.next = next_cluster(node->refs);
}

/* The next reference of the node that the walk stands at, or NULL. */
static const struct xds_ref *step(struct xds_node *at)
{
    const struct xds_ref *ref = at->walk.next;

    if (ref)
        at->walk.next = next_cluster(ref->next);
    return ref;
}

/* ---- loops --------------------------------------------------------------------------
 */

/* "a -> b -> a"; of a long one just the end. */
static struct xds_slice loop_text(const struct xds_inspection *in,
                                  const struct xds_node *last, const struct xds_node *top)
{
    struct xds_slice out = top->name;
    const struct xds_node *n = last;

    for (size_t i = 0; i < NAMES_OF_LOOP && n && n != top; i++, n = n->walk.parent)
        out =
            xds_arena_printf(in->scratch, "%.*s -> %.*s", XDS_FMT(n->name), XDS_FMT(out));
    return xds_arena_printf(in->scratch, "%.*s -> %s%.*s", XDS_FMT(top->name),
                            n == top ? "" : "... -> ", XDS_FMT(out));
}

static void report_loop(struct xds_inspection *in, const struct xds_ref *ref,
                        const struct xds_node *from)
{
    in->resource = from->resource;
    (void)xds_lint_fire(in, &ref->path.step[ref->path.n - 1], XDS_R_LINT_AGGREGATE_LOOP,
                        "the clusters lead in a circle: %.*s; nothing new is found "
                        "there, and without another leaf all RPCs fail",
                        XDS_FMT(loop_text(in, from, ref->to)));
}

/* ---- heights ------------------------------------------------------------------------
 */

static void fold(struct xds_node *parent, const struct xds_node *child)
{
    if (parent->height < child->height + 1)
        parent->height = child->height + 1;
    parent->ring_hash |= child->ring_hash;
    parent->may_hash |= child->may_hash;
}

static void look_below(struct xds_inspection *in, struct xds_node *top)
{
    struct xds_node *at = top;

    enter(top, NULL);
    while (at) {
        const struct xds_ref *ref = step(at);

        if (!ref) {
            at->walk.state = XDS_WALK_DONE;
            if (at->walk.parent)
                fold(at->walk.parent, at);
            at = at->walk.parent;
        } else if (!ref->to) {
            at->may_hash = XDS_ALL_CLIENTS; /* its policy is not known */
        } else if (ref->to->walk.state == XDS_WALK_NEW) {
            enter(ref->to, at);
            at = ref->to;
        } else if (ref->to->walk.state == XDS_WALK_OPEN) {
            report_loop(in, ref, at);
        } else {
            fold(at, ref->to);
        }
    }
}

/* ---- leaves that are named once more ------------------------------------------------
 */

static void report_repeated(struct xds_inspection *in, uint32_t resource,
                            const struct xds_path *at, struct xds_slice text)
{
    in->resource = resource;
    (void)xds_lint_fire(in, at, XDS_R_LINT_AGGREGATE_REPEATED, "%.*s", XDS_FMT(text));
}

static void report_second(struct xds_inspection *in, const struct xds_ref *ref)
{
    report_repeated(in, ref->from->resource, &ref->path.step[ref->path.n - 1],
                    xds_arena_printf(in->scratch,
                                     "cluster \"%.*s\" is named twice, here or in an "
                                     "aggregate cluster on the way: only its first place "
                                     "counts",
                                     XDS_FMT(ref->name)));
}

static void report_limit(struct xds_inspection *in, const struct xds_node *top)
{
    report_repeated(in, top->resource, XDS_AT(NULL, "cluster_type"),
                    xds_arena_printf(in->scratch,
                                     "the aggregate clusters from here on name too many "
                                     "to look for those named twice: the search ends "
                                     "after %d steps",
                                     XDS_MAX_AGGREGATE_STEPS));
}

static bool is_done_below(const struct xds_node *node, const struct xds_node *top)
{
    return node && node->walk.root == top && node->walk.state == XDS_WALK_DONE;
}

/* Tell of the first leaf below an aggregate that is named twice there. False when the
 * steps are used up: many aggregates can share all that is below them. */
static bool find_repeated(struct xds_inspection *in, struct xds_node *top, size_t *steps)
{
    struct xds_node *at = top;

    enter(top, NULL);
    top->walk.root = top;
    while (at) {
        const struct xds_ref *ref = step(at);

        if (++*steps > XDS_MAX_AGGREGATE_STEPS)
            return false;
        if (!ref) {
            at->walk.state = XDS_WALK_DONE;
            at = at->walk.parent;
        } else if (ref->times > 1 || is_done_below(ref->to, top)) {
            report_second(in, ref);
            return true;
        } else if (ref->to && ref->to->walk.root != top) {
            ref->to->walk.root = top;
            enter(ref->to, at);
            at = ref->to;
        }
    }
    return true;
}

/* ---- all aggregates -----------------------------------------------------------------
 */

/* A client begins a walk here. */
static bool is_top(const struct xds_node *node)
{
    return node->cluster_kind == XDS_CLUSTER_AGGREGATE &&
           (node->named_by_route || !node->named_by_cluster);
}

static void check_depth(struct xds_inspection *in, const struct xds_node *top)
{
    in->resource = top->resource;
    if (top->height >= XDS_MAX_AGGREGATE_DEPTH)
        (void)xds_lint_fire(in, XDS_AT(NULL, "cluster_type"), XDS_R_LINT_AGGREGATE_DEPTH,
                            "clusters nest %u levels deep below this one, and clients "
                            "give up at %d: all its RPCs fail with UNAVAILABLE",
                            top->height, XDS_MAX_AGGREGATE_DEPTH);
}

static void check_single(struct xds_inspection *in, const struct xds_node *node)
{
    const struct xds_ref *only = next_cluster(node->refs);

    in->resource = node->resource;
    if (node->cluster_kind == XDS_CLUSTER_AGGREGATE && only && only->times == 1 &&
        !next_cluster(only->next))
        (void)xds_lint_fire(in, &only->path.step[only->path.n - 1],
                            XDS_R_LINT_AGGREGATE_SINGLE,
                            "an aggregate of \"%.*s\" alone has nothing to fail over to: "
                            "a route may name that cluster itself",
                            XDS_FMT(only->name));
}

void xds_check_aggregates(struct xds_inspection *in, const struct xds_graph *graph)
{
    struct xds_node *first = graph->first[XDS_TYPE_CLUSTER];
    size_t steps = 0;

    for (struct xds_node *n = first; n; n = n->next)
        if (n->walk.state == XDS_WALK_NEW)
            look_below(in, n);
    for (struct xds_node *n = first; n; n = n->next) {
        check_single(in, n);
        if (!is_top(n))
            continue;
        check_depth(in, n);
        if (find_repeated(in, n, &steps))
            continue;
        report_limit(in, n);
        return;
    }
}

/*
 * clusters.c - what clusters, their localities and endpoints say and no client does.
 *
 * Source: gRFC A27, A32, A37, A42, A50, A52, A56, A74; spec cluster 1.3 to 1.9, 2, 5.6,
 * 6, 7.1.
 */
#include <inttypes.h>

#include "base/limits.h"
#include "lint/checks.h"
#include "model/child_numbers.h"
#include "model/names.h"

static bool holds_endpoints(const struct xds_cluster *cluster)
{
    return cluster->kind == XDS_CLUSTER_EDS || cluster->kind == XDS_CLUSTER_LOGICAL_DNS;
}

static unsigned selected(const struct xds_inspection *in)
{
    return in->report->options.clients;
}

/* ---- forms of the LB policy ---- */

static bool is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

void xds_check_lb_forms(const struct xds_inspection *in,
                        const struct xds_cluster *cluster)
{
    const struct xds_lb_policy *policy = &cluster->lb;
    const struct xds_lb_traits *by_enum = NULL, *sized = NULL;

    for (size_t i = 0; i < XDS_LB_KINDS; i++) {
        const struct xds_lb_traits *row = &xds_lb_kinds[i];

        by_enum = is_same(row->in_enum, cluster->lb_policy_name) ? row : by_enum;
        sized = is_same(row->enum_config, cluster->lb_config_field) ? row : sized;
    }
    if (!holds_endpoints(cluster))
        return;
    if (policy->from_typed_config && by_enum && by_enum != xds_lb_traits(policy))
        xds_lint_fire(
            in, XDS_AT(NULL, "lb_policy"), XDS_R_LINT_LB_POLICY_OVERRIDDEN,
            "lb_policy is %s, but clients use load_balancing_policy, which is %.*s",
            by_enum->in_enum, XDS_FMT(xds_lb_title(policy)));
    else if (sized && sized != xds_lb_traits(policy))
        xds_lint_fire(in, XDS_AT(NULL, sized->enum_config), XDS_R_LINT_LB_CONFIG_UNUSED,
                      "the policy is %.*s, so no client reads %s; %s%s",
                      XDS_FMT(xds_lb_title(policy)), sized->enum_config,
                      policy->from_typed_config ? "load_balancing_policy is used"
                                                : "it belongs to lb_policy ",
                      policy->from_typed_config ? "" : sized->in_enum);
}

/* ---- ring sizes ---- */

/* The clients that cut this size, and the smallest of their caps. */
static unsigned cut_by(const struct xds_inspection *in, const struct xds_cluster *cluster,
                       uint64_t size, uint64_t *cap)
{
    unsigned clients = 0;

    *cap = UINT64_MAX;
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        const uint64_t own =
            xds_env_row(XDS_ENV_RING_HASH_CAP)->read_by & XDS_CLIENT_BIT(c)
                ? xds_env_number(&in->report->options, XDS_ENV_RING_HASH_CAP,
                                 XDS_RING_SIZE_CAP)
                : XDS_RING_SIZE_CAP;

        if (!(selected(in) & XDS_CLIENT_BIT(c)) || size <= own ||
            !xds_lb_traits(xds_cluster_policy(cluster, c))->hashes)
            continue;
        clients |= XDS_CLIENT_BIT(c);
        *cap = own < *cap ? own : *cap;
    }
    return clients;
}

static bool check_size(const struct xds_inspection *in, const struct xds_cluster *cluster,
                       const char *field, uint64_t size)
{
    uint64_t cap;
    const unsigned clients = cut_by(in, cluster, size, &cap);
    const struct xds_path *at =
        cluster->lb.from_typed_config
            ? XDS_AT(NULL, "load_balancing_policy")
            : XDS_AT(XDS_AT(NULL, xds_lb_traits(&cluster->lb)->enum_config), field);

    return clients &&
           xds_lint_fire(in, at, XDS_R_LINT_RING_SIZE_CUT,
                         "%s %" PRIu64 " is silently cut to %" PRIu64
                         "%.*s: with more hosts some get no RPCs",
                         field, size, cap, XDS_FMT(xds_lint_for_some(in, clients)));
}

void xds_check_ring_sizes(const struct xds_inspection *in,
                          const struct xds_cluster *cluster)
{
    const struct xds_lb_policy *policy = &cluster->lb;

    if (!holds_endpoints(cluster) || !xds_lb_traits(policy)->hashes)
        return;
    if (policy->has_min_ring_size &&
        check_size(in, cluster, "minimum_ring_size", policy->min_ring_size))
        return;
    if (policy->has_max_ring_size && policy->max_ring_size != XDS_RING_SIZE_MAX)
        (void)check_size(in, cluster, "maximum_ring_size", policy->max_ring_size);
}

/* ---- limits ---- */

void xds_check_max_requests(const struct xds_inspection *in,
                            const struct xds_cluster *cluster)
{
    unsigned clients = 0;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (cluster->max_requests[c] == 0)
            clients |= XDS_CLIENT_BIT(c) & selected(in);
    if (clients && holds_endpoints(cluster))
        xds_lint_fire(
            in,
            XDS_AT(XDS_AT_I(NULL, "circuit_breakers.thresholds", cluster->zero_threshold),
                   "max_requests"),
            XDS_R_LINT_MAX_REQUESTS_ZERO,
            "max_requests is 0%.*s: every RPC fails with UNAVAILABLE; remove the field "
            "for the default of 1024",
            XDS_FMT(xds_lint_for_some(in, clients)));
}

void xds_check_breaker_of_dns(const struct xds_inspection *in,
                              const struct xds_cluster *cluster)
{
    const struct xds_options *options = &in->report->options;
    unsigned clients = 0;

    if (cluster->kind != XDS_CLUSTER_LOGICAL_DNS || cluster->n_thresholds == 0)
        return;
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (xds_differs(options, c, XDS_DIFF_BREAKER_NOT_FOR_DNS))
            clients |= XDS_CLIENT_BIT(c) & selected(in);
    if (clients)
        xds_lint_fire(in, XDS_AT(NULL, "circuit_breakers"), XDS_R_LINT_BREAKER_OF_DNS,
                      "circuit_breakers of a LOGICAL_DNS cluster is not read%.*s: at "
                      "most 1024 requests at a time",
                      XDS_FMT(xds_lint_for_some(in, clients)));
}

void xds_check_breaker_priority(const struct xds_inspection *in,
                                const struct xds_cluster *cluster)
{
    uint32_t limit = 0;

    if (cluster->unread_threshold >= cluster->n_thresholds)
        return;
    for (enum xds_client c = XDS_CLIENTS; c-- > 0;)
        if (selected(in) & XDS_CLIENT_BIT(c))
            limit = cluster->max_requests[c];
    xds_lint_fire(
        in,
        XDS_AT(XDS_AT_I(NULL, "circuit_breakers.thresholds", cluster->unread_threshold),
               "priority"),
        XDS_R_LINT_BREAKER_PRIORITY,
        "max_requests of this priority is not read: the threshold of priority DEFAULT "
        "alone limits RPCs, here to %u at a time",
        (unsigned)limit);
}

/* ---- outlier detection ---- */

/* What an unset percentage says: spec cluster 1.9/10, 1.9/14. */
static bool ejects(const struct xds_outlier_detection *outlier,
                   const struct xds_options *options, enum xds_client client)
{
    const bool success =
        outlier->has_success_rate
            ? outlier->enforcing_success_rate > 0
            : !xds_differs(options, client, XDS_DIFF_SUCCESS_RATE_IF_SET);
    const bool failures =
        outlier->has_failure_percentage
            ? outlier->enforcing_failure_percentage > 0
            : xds_differs(options, client, XDS_DIFF_FAILURE_PERCENTAGE_BY_DEFAULT);

    return success || failures;
}

void xds_check_outlier_detection(const struct xds_inspection *in,
                                 const struct xds_cluster *cluster)
{
    unsigned clients = 0;

    if (!cluster->outlier_detection || !holds_endpoints(cluster))
        return;
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (!ejects(cluster->outlier_detection, &in->report->options, c))
            clients |= XDS_CLIENT_BIT(c) & selected(in);
    if (clients)
        xds_lint_fire(
            in, XDS_AT(NULL, "outlier_detection"), XDS_R_LINT_OUTLIER_NEVER_EJECTS,
            "outlier_detection never ejects a host%.*s: neither enforcing_success_rate "
            "nor enforcing_failure_percentage is above 0",
            XDS_FMT(xds_lint_for_some(in, clients)));
}

/* ---- LOGICAL_DNS ---- */

void xds_check_dns_name(const struct xds_inspection *in,
                        const struct xds_cluster *cluster)
{
    if (cluster->dns_host_is_ip)
        xds_lint_fire(
            in,
            XDS_AT(NULL, "load_assignment.endpoints[0].lb_endpoints[0].endpoint.address"),
            XDS_R_LINT_DNS_HOST_IS_IP,
            "\"%.*s\" is an IP address, not a host name: there is nothing to resolve, "
            "and the host never changes; type EDS can change it",
            XDS_FMT(cluster->dns_name));
}

/* Clusters are walked depth first without recursion: where a walk is is kept in the
 * nodes, so that a chain of any length takes no stack. */

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

/* ---- heights ---- */

/* What an aggregate has from a cluster that it names. */
static void fold(unsigned by_aggregate, struct xds_cluster_facts *parent,
                 const struct xds_cluster_facts *child)
{
    if (parent->height < child->height + 1)
        parent->height = child->height + 1;
    parent->ring_hash |= child->ring_hash & ~by_aggregate;
    parent->may_hash |= child->may_hash & ~by_aggregate;
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        parent->leaf_policies[c] |= child->leaf_policies[c];
}

static void look_below(struct xds_inspection *in, unsigned by_aggregate,
                       struct xds_node *top)
{
    struct xds_node *at = top;

    enter(top, NULL);
    while (at) {
        const struct xds_ref *ref = step(at);
        struct xds_node *to = ref ? xds_ref_to(ref) : NULL;

        if (!ref) {
            struct xds_cluster_walk *walk = &at->cluster->walk;

            walk->state = XDS_WALK_DONE;
            if (walk->parent)
                fold(by_aggregate, walk->parent->cluster, at->cluster);
            at = walk->parent;
        } else if (!to) {
            at->cluster->may_hash = XDS_ALL_CLIENTS; /* its policy is not known */
        } else if (to->cluster->walk.state == XDS_WALK_NEW) {
            enter(to, at);
            at = to;
        } else if (to->cluster->walk.state == XDS_WALK_OPEN) {
            struct xds_site_frames frames;

            in->resource = at->resource;
            xds_lint_fire(in, xds_site_path(ref->site, XDS_S(""), &frames),
                          XDS_R_LINT_AGGREGATE_LOOP,
                          "aggregate clusters form a circle: \"%.*s\": core and go skip "
                          "the name, java and node fail RPCs",
                          XDS_FMT(loop_text(in, at, xds_ref_to(ref))));
        } else {
            fold(by_aggregate, at->cluster, to->cluster);
        }
    }
}

/* ---- leaves that are named once more ---- */

static void report_repeated(struct xds_inspection *in, uint32_t resource,
                            const struct xds_path *at, struct xds_slice text)
{
    in->resource = resource;
    xds_lint_fire(in, at, XDS_R_LINT_AGGREGATE_REPEATED, "%.*s", XDS_FMT(text));
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
        } else if (ref->times > 1 || (to && to->cluster->walk.root == top &&
                                      to->cluster->walk.state == XDS_WALK_DONE)) {
            struct xds_site_frames frames;
            struct xds_site site = ref->site;

            if (ref->times > 1)
                site.entry = site.again;
            report_repeated(
                in, at->resource, xds_site_path(site, XDS_S(""), &frames),
                xds_arena_printf(
                    in->scratch,
                    "cluster \"%.*s\" is named twice, here or in an aggregate "
                    "cluster in between: only its first place counts",
                    XDS_FMT(ref->name->text)));
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

/* Walk from the clusters that are asked for. False when the steps are used up. */
static bool check_from(struct xds_inspection *in, struct xds_node *first, size_t *steps,
                       bool (*is_asked_for)(const struct xds_node *node))
{
    for (struct xds_node *n = first; n; n = n->next) {
        if (!is_asked_for(n))
            continue;
        in->resource = n->resource;
        if (n->cluster->height >= XDS_MAX_AGGREGATE_DEPTH)
            xds_lint_fire(in, XDS_AT(NULL, "cluster_type"), XDS_R_LINT_AGGREGATE_DEPTH,
                          "\"clusters\" nests %u levels deep; clients stop at %d, and "
                          "all RPCs fail with UNAVAILABLE",
                          n->cluster->height, XDS_MAX_AGGREGATE_DEPTH);
        if (find_repeated(in, n, steps))
            continue;
        report_repeated(
            in, n->resource, XDS_AT(NULL, "cluster_type"),
            xds_arena_printf(in->scratch,
                             "\"clusters\" leads to too many clusters to look "
                             "for repeated ones: the search ends after %d steps",
                             XDS_MAX_AGGREGATE_STEPS));
        return false;
    }
    return true;
}

/* ---- the policy of an aggregate and those of its leaves ---- */

/* The first kind of a set. */
static const char *title_of(uint32_t kinds)
{
    unsigned kind = 0;

    while (!(kinds >> kind & 1u))
        kind++;
    return xds_lb_kinds[kind].title;
}

/* The hazard that gRFC A75 names: who believes that one counts, and the other does. */
static void check_policies(const struct xds_inspection *in, unsigned by_aggregate,
                           const struct xds_cluster_facts *cluster)
{
    unsigned by_own = 0, by_leaves = 0;
    uint32_t others = 0;
    enum xds_client example = XDS_CLIENTS;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        const uint32_t unlike =
            cluster->leaf_policies[c] & ~(UINT32_C(1) << cluster->policy[c]);
        const bool own_counts = by_aggregate >> c & 1u;

        if (!(selected(in) >> c & 1u) || !unlike ||
            (!own_counts && cluster->policy[c] == XDS_LB_ROUND_ROBIN))
            continue; /* the default need not be meant */
        *(own_counts ? &by_own : &by_leaves) |= XDS_CLIENT_BIT(c);
        others |= unlike;
        example = c;
    }
    if (example == XDS_CLIENTS)
        return;
    const struct xds_options *options = &in->report->options;
    const struct xds_client_list own = xds_named_list(options, by_own, " and ");
    const struct xds_client_list leaves = xds_named_list(options, by_leaves, " and ");

    xds_lint_fire(in, XDS_AT(NULL, "lb_policy"), XDS_R_LINT_AGGREGATE_POLICY,
                  "the LB policy of the aggregate cluster is %s and that of a leaf %s: "
                  "%s%s%s%s%s",
                  xds_lb_kinds[cluster->policy[example]].title, title_of(others),
                  by_leaves ? "those of the leaves count for " : "",
                  by_leaves ? leaves.text : "", by_leaves && by_own ? ", " : "",
                  by_own ? "that of the aggregate counts for " : "",
                  by_own ? own.text : "");
}

void xds_check_aggregates(struct xds_inspection *in, const struct xds_graph *graph)
{
    struct xds_node *first = graph->first[XDS_TYPE_CLUSTER];
    size_t steps = 0;

    for (struct xds_node *n = first; n; n = n->next)
        if (n->cluster->walk.state == XDS_WALK_NEW)
            look_below(in, graph->by_aggregate, n);
    for (struct xds_node *n = first; n; n = n->next) {
        const struct xds_ref *only = n->refs;
        struct xds_site_frames frames;

        in->resource = n->resource;
        if (n->cluster->kind == XDS_CLUSTER_AGGREGATE)
            check_policies(in, graph->by_aggregate, n->cluster);
        if (n->cluster->kind == XDS_CLUSTER_AGGREGATE && n->n_refs == 1 &&
            only->times == 1 && xds_ref_to(only) != n)
            xds_lint_fire(in, xds_site_path(only->site, XDS_S(""), &frames),
                          XDS_R_LINT_AGGREGATE_SINGLE,
                          "the aggregate cluster has only \"%.*s\" and nothing to fail "
                          "over to: a route may name that cluster itself",
                          XDS_FMT(only->name->text));
    }
    if (check_from(in, first, &steps, is_top))
        (void)check_from(in, first, &steps, is_left_out);
}

/* ---- without weight ---- */

/* The localities of weight 0 whose hosts are lost, one kind at a time: those that say 0
 * and those that say nothing. */
struct lost {
    size_t localities, endpoints;
    const struct xds_locality *first; /* in the order of the resource */
};

static struct lost lost_of(const struct xds_endpoints *endpoints, bool weight_set)
{
    struct lost out = {.localities = 0};

    for (size_t i = 0; i < endpoints->n_weightless; i++) {
        const struct xds_locality *locality = &endpoints->weightless[i];

        if (locality->n_endpoints == 0 || locality->weight_set != weight_set)
            continue;
        out.localities++;
        out.endpoints += locality->n_endpoints;
        if (!out.first || locality->index < out.first->index)
            out.first = locality;
    }
    return out;
}

static struct xds_slice consequence(const struct xds_inspection *in,
                                    const struct xds_endpoints *endpoints,
                                    const struct lost *lost)
{
    if (endpoints->n_localities == 0)
        return XDS_S("no locality is left, and the RPCs of the cluster fail with "
                     "UNAVAILABLE");
    return xds_arena_printf(in->scratch, "%s %zu endpoint%s get%s no RPCs",
                            lost->localities == 1 ? "its" : "their", lost->endpoints,
                            lost->endpoints == 1 ? "" : "s",
                            lost->endpoints == 1 ? "s" : "");
}

static void report_lost(const struct xds_inspection *in,
                        const struct xds_endpoints *endpoints, const struct lost *lost)
{
    const struct xds_path *at = XDS_AT_I(NULL, "endpoints", lost->first->index);
    const bool drained = lost->first->weight_set && endpoints->n_localities > 0;
    const char *what =
        lost->first->weight_set ? "load_balancing_weight 0" : "no load_balancing_weight";
    const size_t more = lost->localities - 1;
    const struct xds_slice others =
        more == 0 ? XDS_S("")
                  : xds_arena_printf(in->scratch, ", like %zu other%s", more,
                                     more == 1 ? "" : "s");

    (drained ? xds_lint_fire_note : xds_lint_fire)(
        in, lost->first->weight_set ? XDS_AT(at, "load_balancing_weight") : at,
        XDS_R_LINT_LOCALITY_WEIGHTLESS, "the locality has %s%.*s, so gRPC skips it: %.*s",
        what, XDS_FMT(others), XDS_FMT(consequence(in, endpoints, lost)));
}

void xds_check_locality_weights(const struct xds_inspection *in,
                                const struct xds_endpoints *endpoints)
{
    const struct lost unset = lost_of(endpoints, false), zero = lost_of(endpoints, true);

    if (unset.first)
        report_lost(in, endpoints, &unset);
    if (zero.first)
        report_lost(in, endpoints, &zero);
}

/* ---- weights of endpoints ---- */

/* Several clusters may share endpoints: one that weighs them is enough. */
static void sum_up_weights(const struct xds_node *cluster, struct xds_unequal *unequal)
{
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (!xds_lb_kinds[cluster->cluster->policy[c]].equal)
            unequal->counts |= XDS_CLIENT_BIT(c);
        else if (!unequal->ignored_by[c])
            unequal->ignored_by[c] = cluster;
}

static void check_weights(const struct xds_inspection *in,
                          const struct xds_unequal *unequal)
{
    const struct xds_node *cluster = NULL;
    const char *policy = NULL;
    unsigned clients = 0;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        if (!unequal->ignored_by[c] ||
            !(in->report->options.clients & ~unequal->counts & XDS_CLIENT_BIT(c)))
            continue;
        clients |= XDS_CLIENT_BIT(c);
        if (!cluster) {
            cluster = unequal->ignored_by[c];
            policy = xds_lb_kinds[cluster->cluster->policy[c]].title;
        }
    }
    if (cluster)
        xds_lint_fire(
            in,
            XDS_AT(XDS_AT_I(XDS_AT_I(NULL, "endpoints", unequal->locality),
                            "lb_endpoints", unequal->endpoint),
                   "load_balancing_weight"),
            XDS_R_LINT_ENDPOINT_WEIGHTS,
            "the weights of endpoints have no effect%.*s: %s, the policy of cluster "
            "\"%.*s\", does not read them",
            XDS_FMT(xds_lint_for_some(in, clients)), policy,
            XDS_FMT(cluster->name->text));
}

void xds_check_endpoint_weights(struct xds_inspection *in, const struct xds_graph *graph)
{
    for (const struct xds_node *n = graph->first[XDS_TYPE_CLUSTER]; n; n = n->next)
        for (const struct xds_ref *ref = n->refs; ref < xds_refs_end(n); ref++) {
            struct xds_node *to = xds_ref_to(ref);

            if (to && to->unequal && n->cluster->kind == XDS_CLUSTER_EDS)
                sum_up_weights(n, to->unequal);
        }
    for (const struct xds_node *n = graph->first[XDS_TYPE_ENDPOINT]; n; n = n->next) {
        in->resource = n->resource;
        if (n->unequal)
            check_weights(in, n->unequal);
    }
}

/* ---- in several priorities ---- */

void xds_check_locality_names(const struct xds_inspection *in,
                              const struct xds_endpoints *endpoints)
{
    struct xds_strmap met;

    if (endpoints->n_priorities < 2)
        return;
    xds_strmap_init(&met, in->scratch);
    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *l = &endpoints->localities[i];
        void **slot = xds_strmap_at(&met, xds_locality_key(in->scratch, l));
        const struct xds_locality *first = *slot;

        if (!first)
            *slot = (void *)(uintptr_t)l;
        else if (first->priority != l->priority) {
            const bool one_is_kept =
                in->report->options.clients &
                xds_clients_differing(&in->report->options,
                                      XDS_DIFF_LOCALITY_LAST_PRIORITY);

            if ((one_is_kept ? xds_lint_fire : xds_lint_fire_note)(
                    in, XDS_AT_I(NULL, "endpoints", l->index),
                    XDS_R_LINT_LOCALITY_REPEATED,
                    "endpoints[%u] repeats the locality of priority %u: java keeps only "
                    "the last entry, in the other clients its hosts move to another "
                    "policy as priorities change",
                    l->index, first->priority))
                xds_lint_relate(in, XDS_AT_I(NULL, "endpoints", first->index),
                                "the entry in priority %u", first->priority);
            return;
        }
    }
}

#define MILLION 1000000u

/* ---- counts ---- */

/* The endpoints of one priority, in localities with weight. */
struct tally {
    size_t of_health[XDS_HEALTHS];
    size_t total, used;
    size_t first; /* index of the first locality */
    bool met;
};

/* Of each priority. NULL when there is a gap, for which clients reject the resource. */
static struct tally *tallies(const struct xds_inspection *in,
                             const struct xds_endpoints *endpoints)
{
    struct tally *out =
        XDS_NEW_ARRAY(in->scratch, struct tally, endpoints->n_priorities + 1);

    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *locality = &endpoints->localities[i];

        if (locality->priority >= endpoints->n_priorities)
            return NULL;
        struct tally *tally = &out[locality->priority];

        if (!tally->met)
            tally->first = locality->index;
        tally->met = true;
        for (size_t k = 0; k < locality->n_endpoints; k++) {
            tally->of_health[locality->endpoints[k].health]++;
            tally->used += xds_health_serves(locality->endpoints[k].health);
        }
        tally->total += locality->n_endpoints;
    }
    return out;
}

/* "3 UNHEALTHY, 2 DRAINING"; "it holds none" without endpoints. */
static struct xds_slice causes(const struct xds_inspection *in, const struct tally *tally)
{
    struct xds_slice out = XDS_S("");

    if (tally->total == 0)
        return XDS_S("it has none");
    for (size_t h = XDS_HEALTH_HEALTHY + 1; h < XDS_HEALTHS; h++)
        if (tally->of_health[h] > 0)
            out = xds_arena_printf(in->scratch, "%.*s%s%zu %s", XDS_FMT(out),
                                   out.len > 0 ? ", " : "", tally->of_health[h],
                                   xds_health_name((enum xds_health)h));
    return out;
}

/* ---- nothing to pick ---- */

static bool report_none(const struct xds_inspection *in,
                        const struct xds_endpoints *endpoints, const struct tally *sum)
{
    const bool weightless = endpoints->n_localities == 0 && endpoints->n_weightless > 0;

    if (sum->used > 0 || weightless)
        return sum->used == 0;
    xds_lint_fire(in, XDS_AT(NULL, "endpoints"), XDS_R_LINT_ENDPOINTS_NONE_USED,
                  "ClusterLoadAssignment has no endpoint that gRPC uses (%.*s): "
                  "the RPCs of the cluster fail with UNAVAILABLE",
                  XDS_FMT(causes(in, sum)));
    return true;
}

/* Returns whether there is one. */
static bool report_unused_priorities(const struct xds_inspection *in,
                                     const struct tally *tallies, size_t n)
{
    bool found = false;

    for (size_t p = 0; p < n; p++) {
        if (tallies[p].used > 0)
            continue;
        found = true;
        const struct xds_slice why = causes(in, &tallies[p]);
        xds_lint_fire(
            in, XDS_AT_I(NULL, "endpoints", tallies[p].first), XDS_R_LINT_PRIORITY_UNUSED,
            "priority %zu has no endpoint that gRPC uses (%.*s): %s", p, XDS_FMT(why),
            p == 0 ? "all RPCs go to the next one, at once"
                   : "it gets no RPCs when the priorities before it fail");
    }
    return found;
}

/* ---- health ---- */

void xds_check_usable_endpoints(const struct xds_inspection *in,
                                const struct xds_endpoints *endpoints)
{
    const struct tally *priorities = tallies(in, endpoints);

    if (!priorities)
        return;

    struct tally sum = {.total = 0};

    for (size_t i = 0; i < endpoints->n_priorities; i++) {
        sum.total += priorities[i].total;
        sum.used += priorities[i].used;
        for (size_t h = 0; h < XDS_HEALTHS; h++)
            sum.of_health[h] += priorities[i].of_health[h];
    }

    if (report_none(in, endpoints, &sum) ||
        report_unused_priorities(in, priorities, endpoints->n_priorities))
        return;

    /* gRPC does not spill over: a priority is in use or it is not. */
    const struct tally *top = &priorities[0];

    if (top->used * 10 < sum.used)
        xds_lint_fire(in, XDS_AT_I(NULL, "endpoints", top->first),
                      XDS_R_LINT_TOP_PRIORITY_SMALL,
                      "priority 0 has %zu of %zu endpoints and gets all RPCs until "
                      "it fails: gRPC does not spill over to other priorities",
                      top->used, sum.used);
    if (sum.used == sum.total)
        return;
    for (size_t i = 0; i < endpoints->n_localities; i++)
        for (size_t k = 0; k < endpoints->localities[i].n_endpoints; k++)
            if (!xds_health_serves(endpoints->localities[i].endpoints[k].health)) {
                const struct xds_path *at =
                    XDS_AT_I(NULL, "endpoints", endpoints->localities[i].index);
                const struct xds_slice why = causes(in, &sum);

                xds_lint_fire(
                    in, XDS_AT(XDS_AT_I(at, "lb_endpoints", k), "health_status"),
                    XDS_R_LINT_ENDPOINTS_SKIPPED,
                    "%zu of %zu endpoints get no new RPCs because of health_status "
                    "(%.*s)",
                    sum.total - sum.used, sum.total, XDS_FMT(why));
                return;
            }
}

/* ---- ports ---- */

/* Where port_value is not set, a rule of its own says so. */
static bool has_port_zero(const struct xds_endpoint *endpoint)
{
    return !endpoint->lacks_port && endpoint->n_addresses > 0 &&
           xds_slice_ends(endpoint->addresses[0], XDS_S(":0"));
}

void xds_check_ports(const struct xds_inspection *in,
                     const struct xds_endpoints *endpoints)
{
    const struct xds_locality *first = NULL;
    size_t of_first = 0, n = 0;

    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *locality = &endpoints->localities[i];

        for (size_t k = 0; k < locality->n_endpoints; k++)
            if (has_port_zero(&locality->endpoints[k]) && n++ == 0) {
                first = locality;
                of_first = k;
            }
    }
    if (first) {
        const struct xds_path *at =
            XDS_AT_I(XDS_AT_I(NULL, "endpoints", first->index), "lb_endpoints", of_first);
        const struct xds_slice more =
            n == 1
                ? XDS_S("")
                : xds_arena_printf(in->scratch, "; %zu more endpoint%s here %s no other",
                                   n - 1, n == 2 ? "" : "s", n == 2 ? "has" : "have");

        xds_lint_fire(in, XDS_AT(at, "endpoint.address.socket_address.port_value"),
                      XDS_R_LINT_ENDPOINT_PORT_ZERO,
                      "port_value of \"%.*s\" is 0: no connection succeeds%.*s",
                      XDS_FMT(first->endpoints[of_first].addresses[0]), XDS_FMT(more));
    }
}

/* ---- drops ---- */

void xds_check_drops(const struct xds_inspection *in,
                     const struct xds_endpoints *endpoints)
{
    size_t full = 0;

    while (full < endpoints->n_drops && endpoints->drops[full].per_million < MILLION)
        full++;

    if (full < endpoints->n_drops)
        xds_lint_fire(
            in, XDS_AT_I(XDS_AT(NULL, "policy"), "drop_overloads", full),
            XDS_R_LINT_DROPS_ALL,
            "category \"%.*s\" drops 100 %%: every RPC of the cluster fails with "
            "UNAVAILABLE",
            XDS_FMT(endpoints->drops[full].category));
    else {
        /* Each category is drawn alone, from what those before it have let through. */
        double sum = 0, left = 1;

        for (size_t i = 0; i < endpoints->n_drops; i++) {
            const double share = (double)endpoints->drops[i].per_million / MILLION;

            sum += share;
            left *= 1 - share;
        }
        if (sum >= 1)
            xds_lint_fire(
                in, XDS_AT(NULL, "policy.drop_overloads"), XDS_R_LINT_DROPS_SUM,
                "drop_overloads adds up to %.4g %%, but each category applies to what "
                "the ones before it let through: %.4g %% of the RPCs are dropped in "
                "total",
                sum * 100, (1 - left) * 100);
    }
}

/*
 * config_words.c - what LB policies and their fields do, in words for those who do not
 *                  know them.
 */
#include "print/inner.h"

/* ---- policies ---- */

#define CDS "the policies of that cluster go here once it is known: see lb-config"
#define CLUSTER_IMPL                                                                     \
    "drops RPCs by category, fails those above the limit in flight, reports load"
#define CLUSTER_MANAGER "the route of an RPC names the child that picks for it"
#define OUTLIER_DETECTION "endpoints that fail or are slow are ejected for a while"
#define NO_OUTLIER_DETECTION "not configured, so no endpoint is ejected"
#define PRIORITY "the first child that can serve gets all RPCs, the others wait"
#define RING_HASH "RPCs with the same hash go to the same endpoint"
#define WEIGHTED_TARGET "one child at random, by weight"
#define WRR_LOCALITY "one locality at random, by weight; the policy below picks in it"

static const struct sentence {
    const char *policy, *sentence;
    const char *bare; /* when there is nothing but the child policy; or NULL */
} sentences[] = {
    {"cds", CDS, NULL},
    {"cds_experimental", CDS, NULL},
    {"cluster_impl_experimental", CLUSTER_IMPL, NULL},
    {"cluster_manager_experimental", CLUSTER_MANAGER, NULL},
    {"grpclb", "a balancer of its own protocol names the endpoints", NULL},
    {"least_request_experimental",
     "of some endpoints at random, the one with the fewest RPCs in flight", NULL},
    {"outlier_detection", OUTLIER_DETECTION, NO_OUTLIER_DETECTION},
    {"outlier_detection_experimental", OUTLIER_DETECTION, NO_OUTLIER_DETECTION},
    {"pick_first", "the first address that connects gets all RPCs", NULL},
    {"priority", PRIORITY, NULL},
    {"priority_experimental", PRIORITY, NULL},
    {"random_subsetting_experimental", "each client uses only some of the endpoints",
     NULL},
    {"ring_hash", RING_HASH, NULL},
    {"ring_hash_experimental", RING_HASH, NULL},
    {"rls_experimental", "a lookup server names the cluster of each RPC", NULL},
    {"round_robin", "each endpoint in turn", NULL},
    {"weighted_round_robin",
     "each endpoint in turn, more often where it has spare capacity", NULL},
    {"weighted_target", WEIGHTED_TARGET, NULL},
    {"weighted_target_experimental", WEIGHTED_TARGET, NULL},
    {"wrr_locality_experimental", WRR_LOCALITY, NULL},
    {"xds_cluster_impl", CLUSTER_IMPL, NULL},
    {"xds_cluster_impl_experimental", CLUSTER_IMPL, NULL},
    {"xds_cluster_manager", CLUSTER_MANAGER, NULL},
    {"xds_cluster_manager_experimental", CLUSTER_MANAGER, NULL},
    {"xds_cluster_resolver_experimental",
     "finds the endpoints of its clusters and creates priorities from them", NULL},
    {"xds_override_host_experimental",
     "an RPC goes to the host that its session cookie names, if it may be used", NULL},
    {"xds_routing_experimental", "the first route that matches an RPC names its action",
     NULL},
    {"xds_wrr_locality", WRR_LOCALITY, NULL},
    {"xds_wrr_locality_experimental", WRR_LOCALITY, NULL},
};

const char *xds_policy_sentence(const struct xds_tree *policy)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(sentences); i++) {
        const struct sentence *s = &sentences[i];

        if (xds_slice_is(policy->key, s->policy))
            return s->bare && policy->n <= 1 ? s->bare : s->sentence;
    }
    return "a policy that comes with the application";
}

/* ---- fields ---- */

/* In snake_case, for both spellings. */
static const struct field {
    const char *name, *sentence;
} fields[] = {
    {"base_ejection_time", "how long the first ejection lasts; later ones last longer"},
    {"blackout_period", "how long a new endpoint has no weight of its own"},
    {"choice_count", "how many endpoints are compared, at most 10"},
    {"enable_oob_load_report", "load is reported out of band"},
    {"error_utilization_penalty", "how much errors count as load"},
    {"failure_percentage_ejection",
     "ejects endpoints that fail too large a share of RPCs"},
    {"ignore_reresolution_requests",
     "EDS pushes changes, so resolving again does not help"},
    {"interval", "how often endpoints are evaluated"},
    {"max_concurrent_requests", "how many RPCs may be in flight; more fail"},
    {"max_ejection_percent",
     "largest share of the endpoints ejected at once, in percent"},
    {"max_ejection_percentage",
     "largest share of the endpoints ejected at once, in percent"},
    {"max_ejection_time", "how long an ejection lasts at most"},
    {"max_ring_size", "most entries of the ring; clients stop at 4096"},
    {"min_ring_size", "fewest entries of the ring"},
    {"oob_load_reporting_period", "how often load is reported"},
    {"oob_reporting_period", "how often load is reported"},
    {"override_host_status", "a cookie may name a host that is in one of these states"},
    {"shuffle_address_list", "addresses are tried in random order"},
    {"success_rate_ejection", "ejects endpoints that do much worse than the others"},
    {"weight_expiration_period", "a weight older than this is not used"},
    {"weight_update_period", "how often weights are computed"},
};

const char *xds_field_sentence(const struct xds_tree *member)
{
    if (member->kind == XDS_TREE_BOOL && !member->truth)
        return NULL;
    for (size_t i = 0; i < XDS_ARRAY_LEN(fields); i++)
        if (xds_tree_same_field(member->key, xds_slice_of(fields[i].name)))
            return fields[i].sentence;
    return NULL;
}

bool xds_is_priority_policy(const struct xds_tree *policy)
{
    return xds_slice_is(policy->key, "priority_experimental") ||
           xds_slice_is(policy->key, "priority");
}

bool xds_is_policy_list(const struct xds_tree *member)
{
    static const char *const names[] = {"childPolicy", "child_policy", "config",
                                        "lbPolicy", "xdsLbPolicy"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
        if (xds_slice_is(member->key, names[i]))
            return member->kind == XDS_TREE_ARRAY;
    return false;
}

/* java's cluster manager calls its map childPolicy. */
bool xds_is_named_map(const struct xds_tree *member)
{
    static const char *const names[] = {"action", "childPolicy", "children", "targets"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
        if (xds_slice_is(member->key, names[i]))
            return member->kind == XDS_TREE_OBJECT;
    return false;
}

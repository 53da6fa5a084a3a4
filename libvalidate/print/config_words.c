/*
 * config_words.c - what LB policies and their fields do, in words for those who do not
 *                  know them.
 *
 * Takes:  a policy or a field of generated JSON.
 * Gives:  sentences without a full stop; what kind of member a field is.
 */
#include "print/config.h"

/* ---- policies -------------------------------------------------------------------- */

#define CDS "the policies of that cluster stand here once it is known: see lb-config"
#define CLUSTER_IMPL                                                                     \
    "drops RPCs by category, fails those above the limit in flight, reports load"
#define CLUSTER_MANAGER "the route of an RPC names the child that picks for it"
#define OUTLIER_DETECTION "endpoints that answer badly are left out for a while"
#define NO_OUTLIER_DETECTION "not configured, so that no endpoint is left out"
#define PRIORITY "the first child that can serve takes all RPCs, the others stand by"
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
    {"pick_first", "the first address that connects takes all RPCs", NULL},
    {"priority", PRIORITY, NULL},
    {"priority_experimental", PRIORITY, NULL},
    {"random_subsetting_experimental", "each client uses some of the endpoints only",
     NULL},
    {"ring_hash", RING_HASH, NULL},
    {"ring_hash_experimental", RING_HASH, NULL},
    {"rls_experimental", "a lookup server names the cluster of each RPC", NULL},
    {"round_robin", "each endpoint in turn", NULL},
    {"weighted_round_robin", "each endpoint in turn, more often where it has room", NULL},
    {"weighted_target", WEIGHTED_TARGET, NULL},
    {"weighted_target_experimental", WEIGHTED_TARGET, NULL},
    {"wrr_locality_experimental", WRR_LOCALITY, NULL},
    {"xds_cluster_impl", CLUSTER_IMPL, NULL},
    {"xds_cluster_impl_experimental", CLUSTER_IMPL, NULL},
    {"xds_cluster_manager", CLUSTER_MANAGER, NULL},
    {"xds_cluster_manager_experimental", CLUSTER_MANAGER, NULL},
    {"xds_cluster_resolver_experimental",
     "looks for the endpoints of its clusters and makes priorities of them", NULL},
    {"xds_override_host_experimental",
     "an RPC goes to the host that its session cookie names, if that may be used", NULL},
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

/* ---- fields ---------------------------------------------------------------------- */

/* In snake_case, for both spellings. */
static const struct field {
    const char *name, *sentence;
} fields[] = {
    {"base_ejection_time", "for so long it is left out at first, then longer"},
    {"blackout_period", "for so long a new endpoint has no weight of its own"},
    {"choice_count", "so many are looked at, 10 at most"},
    {"enable_oob_load_report", "load is reported apart from RPCs"},
    {"error_utilization_penalty", "how much errors count as load"},
    {"failure_percentage_ejection", "for those that fail too large a share of RPCs"},
    {"ignore_reresolution_requests", "EDS sends what changes: asking again is no use"},
    {"interval", "how often endpoints are judged"},
    {"max_concurrent_requests", "more RPCs in flight fail"},
    {"max_ejection_percent", "never more of the endpoints at once, in percent"},
    {"max_ejection_percentage", "never more of the endpoints at once, in percent"},
    {"max_ejection_time", "never longer than this"},
    {"max_ring_size", "and so many at most, though clients stop at 4096"},
    {"min_ring_size", "the ring has so many entries at least"},
    {"oob_load_reporting_period", "how often load is reported"},
    {"oob_reporting_period", "how often load is reported"},
    {"override_host_status", "in these states a cookie may name a host"},
    {"shuffle_address_list", "addresses are tried in random order"},
    {"success_rate_ejection", "for those that do much worse than the others"},
    {"weight_expiration_period", "a weight older than this counts no more"},
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

/*
 * config_words.c - what LB policies and their fields do, in words for those who do not
 *                  know them.
 */
#include "print/config/config.h"

/* The policy that a client calls so; NULL: gRPC has none of that name. */
static const struct xds_lb_name *named(struct xds_slice name)
{
    for (size_t i = 0; i < XDS_LB_NAMES; i++)
        if (xds_lb_goes_by(&xds_lb_names[i], name))
            return &xds_lb_names[i];
    return NULL;
}

const char *xds_policy_sentence(const struct xds_tree *policy)
{
    const struct xds_lb_name *n = named(policy->key);

    if (!n)
        return "a policy that comes with the application";
    return n->bare && policy->n <= 1 ? n->bare : n->sentence;
}

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
    return named(policy->key) == &xds_lb_names[XDS_NAMED_PRIORITY];
}

bool xds_is_cluster_policy(const struct xds_tree *policy)
{
    return named(policy->key) == &xds_lb_names[XDS_NAMED_CDS];
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

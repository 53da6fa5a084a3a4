/*
 * config.c - a generated config as JSON, and what its other formats share.
 *
 * Takes:  a config record.
 * Gives:  the document of `service-config -f json` and `lb-config -f json`.
 */
#include "print/config.h"

static const struct sentence {
    const char *policy, *sentence;
    const char *bare; /* when there is nothing but the child policy; or NULL */
} sentences[] = {
    {"cds", "the policies of one cluster, made when its resources are there", NULL},
    {"cds_experimental", "the policies of one cluster, made when its resources are there",
     NULL},
    {"cluster_impl_experimental",
     "drops RPCs by category, limits those in flight and reports load", NULL},
    {"cluster_manager_experimental", "sends each RPC to the cluster that its route chose",
     NULL},
    {"least_request_experimental",
     "of some endpoints at random, the one with the fewest RPCs in flight", NULL},
    {"outlier_detection", "leaves endpoints out for a while that answer badly",
     "nothing is configured that would leave endpoints out"},
    {"outlier_detection_experimental",
     "leaves endpoints out for a while that answer badly",
     "nothing is configured that would leave endpoints out"},
    {"pick_first", "all RPCs go to the first address that connects", NULL},
    {"priority", "the first child that works takes all RPCs", NULL},
    {"priority_experimental", "the first child that works takes all RPCs", NULL},
    {"ring_hash", "RPCs with the same hash go to the same endpoint", NULL},
    {"ring_hash_experimental", "RPCs with the same hash go to the same endpoint", NULL},
    {"rls_experimental", "asks a lookup service for the cluster of each RPC", NULL},
    {"round_robin", "each endpoint in turn", NULL},
    {"weighted_round_robin", "each endpoint in turn, more often where it has room", NULL},
    {"weighted_target_experimental", "children by weight", NULL},
    {"wrr_locality_experimental", "localities by their weight, then the policy below",
     NULL},
    {"xds_cluster_impl",
     "drops RPCs by category, limits those in flight and reports load", NULL},
    {"xds_cluster_impl_experimental",
     "drops RPCs by category, limits those in flight and reports load", NULL},
    {"xds_cluster_manager", "sends each RPC to the cluster that its route chose", NULL},
    {"xds_cluster_manager_experimental",
     "sends each RPC to the cluster that its route chose", NULL},
    {"xds_cluster_resolver_experimental",
     "finds the endpoints of its clusters and makes a priority of each group", NULL},
    {"xds_override_host_experimental",
     "an RPC whose cookie names a host goes there, if that host may be used", NULL},
    {"xds_routing_experimental", "the first route that matches an RPC says what to do",
     NULL},
    {"xds_wrr_locality", "localities by their weight, then the policy below", NULL},
    {"xds_wrr_locality_experimental", "localities by their weight, then the policy below",
     NULL},
};

const char *xds_policy_sentence(const struct xds_tree *policy)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(sentences); i++) {
        const struct sentence *s = &sentences[i];

        if (xds_slice_is(policy->key, s->policy))
            return s->bare && policy->n <= 1 ? s->bare : s->sentence;
    }
    return "a policy of the client's own";
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

static const char *const titles[] = {
    [XDS_CONFIG_CURRENT] = "service config",
    [XDS_CONFIG_A28] = "service config as of gRFC A28",
    [XDS_CONFIG_METHODS] = "service config for clients without xDS",
    [XDS_CONFIG_LEGACY] = "LB policies as before gRFC A74",
};

void xds_out_config_title(struct xds_out *out, const struct xds_config *config)
{
    const bool today = config->form == XDS_CONFIG_CURRENT;

    xds_out_text(out,
                 config->is_lb_config && today ? "LB policies" : titles[config->form]);
    xds_out_text(out, config->is_lb_config ? " of cluster \"" : " of \"");
    xds_out_clean(out, config->subject);
    xds_out_char(out, '"');
    if (config->host) {
        xds_out_text(out, ", virtual host \"");
        xds_out_clean(out, config->host->name);
        xds_out_char(out, '"');
    }
    xds_out_text(out, ", as client ");
    xds_out_text(out, xds_client_name(config->client));
}

enum xds_status xds_print_config_json(const struct xds_printer *to,
                                      const struct xds_config *config)
{
    struct xds_out out;

    xds_out_init(&out, to);
    if (to->one_line)
        xds_json_tree(&out, &config->document);
    else
        xds_out_tree(&out, &config->document);
    xds_out_char(&out, '\n');
    return xds_out_finish(&out);
}

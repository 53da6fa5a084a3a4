/*
 * registry.c - the LB policies that a TypedStruct may name.
 *
 * Takes:  the policy's name and its config as a Struct, NULL when it has none.
 * Gives:  the clients that know the name, and the model: the policies whose picks we can
 *         follow by kind, all others by name.
 * Fires:  nothing.
 * Source: spec cluster 1.7; gRFC A24, A52.
 */
#include "rules/lb_policy/lb_policy.h"

#define C_ONLY (XDS_GRFC | XDS_CORE)
#define C_GO (C_ONLY | XDS_GO)
#define C_GO_JAVA (C_GO | XDS_JAVA)
#define GO_JAVA (XDS_GO | XDS_JAVA)

/* Sorted by name. */
static const struct registered {
    const char *name;
    unsigned clients;
    enum xds_lb_kind kind;
} policies[] = {
    {"cds", XDS_NODE, XDS_LB_OTHER},
    {"cds_experimental", C_GO_JAVA, XDS_LB_OTHER},
    {"cluster_impl_experimental", XDS_JAVA, XDS_LB_OTHER},
    {"cluster_manager_experimental", XDS_JAVA, XDS_LB_OTHER},
    {"grpclb", C_GO_JAVA, XDS_LB_OTHER},
    {"least_request_experimental", GO_JAVA, XDS_LB_LEAST_REQUEST},
    {"outlier_detection", XDS_NODE, XDS_LB_OTHER},
    {"outlier_detection_experimental", C_GO_JAVA, XDS_LB_OTHER},
    {"pick_first", XDS_ALL_CLIENTS, XDS_LB_PICK_FIRST},
    {"priority", XDS_NODE, XDS_LB_OTHER},
    {"priority_experimental", C_GO_JAVA, XDS_LB_OTHER},
    {"random_subsetting_experimental", GO_JAVA, XDS_LB_OTHER},
    {"ring_hash", XDS_NODE, XDS_LB_RING_HASH},
    {"ring_hash_experimental", C_GO_JAVA, XDS_LB_RING_HASH},
    {"rls_experimental", C_GO_JAVA, XDS_LB_OTHER},
    {"round_robin", XDS_ALL_CLIENTS, XDS_LB_ROUND_ROBIN},
    {"weighted_round_robin", XDS_ALL_CLIENTS, XDS_LB_WEIGHTED_ROUND_ROBIN},
    {"weighted_target", XDS_NODE, XDS_LB_OTHER},
    {"weighted_target_experimental", C_GO_JAVA, XDS_LB_OTHER},
    {"wrr_locality_experimental", XDS_JAVA, XDS_LB_OTHER},
    {"xds_cluster_impl", XDS_NODE, XDS_LB_OTHER},
    {"xds_cluster_impl_experimental", C_GO, XDS_LB_OTHER},
    {"xds_cluster_manager", XDS_NODE, XDS_LB_OTHER},
    {"xds_cluster_manager_experimental", C_GO, XDS_LB_OTHER},
    {"xds_override_host_experimental", C_ONLY, XDS_LB_OTHER},
    {"xds_wrr_locality", XDS_NODE, XDS_LB_OTHER},
    {"xds_wrr_locality_experimental", C_GO, XDS_LB_OTHER},
};

static const pb_value *find_field(const pb_struct *pb, const char *key)
{
    for (size_t i = 0; pb && i < pb->n_fields; i++)
        if (strcmp(pb->fields[i]->key, key) == 0)
            return pb->fields[i]->value;
    return NULL;
}

/* A whole number from 1 to max, or the fallback. */
static uint64_t number_field(const pb_struct *pb, const char *key, uint64_t max,
                             uint64_t fallback)
{
    const pb_value *value = find_field(pb, key);

    if (!value || value->kind_case != GOOGLE__PROTOBUF__VALUE__KIND_NUMBER_VALUE ||
        !(value->number_value >= 1 && value->number_value <= (double)max))
        return fallback;
    return (uint64_t)value->number_value;
}

static bool bool_field(const pb_struct *pb, const char *key)
{
    const pb_value *value = find_field(pb, key);

    return value && value->kind_case == GOOGLE__PROTOBUF__VALUE__KIND_BOOL_VALUE &&
           value->bool_value;
}

static void read_config(const pb_struct *value, struct xds_lb_policy *out)
{
    switch (out->kind) {
    case XDS_LB_RING_HASH:
        out->min_ring_size = number_field(value, "minRingSize", XDS_RING_SIZE_MAX,
                                          XDS_RING_SIZE_MIN_DEFAULT);
        out->max_ring_size =
            number_field(value, "maxRingSize", XDS_RING_SIZE_MAX, XDS_RING_SIZE_CAP);
        break;
    case XDS_LB_LEAST_REQUEST:
        out->choice_count = (uint32_t)number_field(value, "choiceCount", UINT32_MAX,
                                                   XDS_CHOICE_COUNT_DEFAULT);
        break;
    case XDS_LB_PICK_FIRST:
        out->shuffle_address_list = bool_field(value, "shuffleAddressList");
        break;
    case XDS_LB_ROUND_ROBIN:
    case XDS_LB_WEIGHTED_ROUND_ROBIN:
    case XDS_LB_OTHER:
        break;
    }
}

unsigned xds_lb_registered(struct xds_arena *arena, struct xds_slice name,
                           const pb_struct *value, struct xds_lb_policy *out)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(policies); i++) {
        if (!xds_slice_is(name, policies[i].name))
            continue;
        out->kind = policies[i].kind;
        if (out->kind == XDS_LB_OTHER)
            out->name = xds_arena_dup(arena, name);
        read_config(value, out);
        return policies[i].clients;
    }
    return 0;
}

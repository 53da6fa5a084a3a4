/*
 * lb_policy.c - the JSON of the LB policy that a cluster asks for.
 *
 * Takes:  the policy of the model.
 * Gives:  a list of one policy, below the locality layers that it stands in.
 * Source: gRFC A42, A48, A52, A58, A62, spec cluster 1.5, 1.6.1.
 */
#include "config/lb_config.h"

#include "base/ascii.h"

static struct xds_tree ring_hash(const struct xds_maker *maker,
                                 const struct xds_lb_policy *policy)
{
    const struct xds_dialect *d = maker->dialect;
    struct xds_tree config = xds_tree_object();

    xds_tree_put(maker->arena, &config, d->min_ring_size,
                 xds_tree_number((double)policy->min_ring_size));
    xds_tree_put(maker->arena, &config, d->max_ring_size,
                 xds_tree_number((double)policy->max_ring_size));
    return xds_policy_list(maker->arena, d->ring_hash, config);
}

/* "blackoutPeriod" as "blackout_period". */
static const char *snake(struct xds_arena *arena, struct xds_slice key)
{
    char *out = xds_arena_alloc(arena, 2 * key.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < key.len; i++) {
        const char low = xds_ascii_lower(key.data[i]);

        if (low != key.data[i])
            out[n++] = '_';
        out[n++] = low;
    }
    out[n] = '\0';
    return out;
}

/* node calls one field of weighted_round_robin otherwise than the message does. */
static struct xds_tree weighted_round_robin(const struct xds_maker *maker,
                                            const struct xds_lb_policy *policy)
{
    struct xds_tree config = xds_tree_object();

    for (size_t i = 0; policy->config && i < policy->config->n; i++) {
        const struct xds_tree *member = &policy->config->items[i];
        const char *key = snake(maker->arena, member->key);

        if (strcmp(key, "oob_reporting_period") == 0)
            key = "oob_load_reporting_period";
        if (maker->dialect->snake_case)
            xds_tree_put(maker->arena, &config, key, *member);
        else
            xds_tree_put_key(maker->arena, &config, member->key, *member);
    }
    return xds_policy_list(maker->arena, "weighted_round_robin", config);
}

static struct xds_tree made_of_fields(const struct xds_maker *maker,
                                      const struct xds_lb_policy *policy)
{
    struct xds_arena *arena = maker->arena;

    switch (policy->kind) {
    case XDS_LB_RING_HASH:
        return ring_hash(maker, policy);
    case XDS_LB_LEAST_REQUEST:
        return xds_policy_list(
            arena, "least_request_experimental",
            xds_tree_pair(arena, "choiceCount",
                          xds_tree_number((double)policy->choice_count)));
    case XDS_LB_PICK_FIRST:
        return xds_policy_list(
            arena, "pick_first",
            xds_tree_pair(arena, "shuffleAddressList",
                          xds_tree_bool(policy->shuffle_address_list)));
    case XDS_LB_WEIGHTED_ROUND_ROBIN:
        return weighted_round_robin(maker, policy);
    case XDS_LB_ROUND_ROBIN:
    case XDS_LB_OTHER:
        break;
    }
    return xds_policy_list(arena, "round_robin", xds_tree_object());
}

/* go leaves the locality layer out where the enum asks for least_request. */
static unsigned layers_of(const struct xds_maker *maker,
                          const struct xds_lb_policy *policy)
{
    const bool bare = maker->client == XDS_CLIENT_GO && !policy->from_typed_config &&
                      policy->kind == XDS_LB_LEAST_REQUEST;

    return bare ? 0 : policy->layers;
}

struct xds_tree xds_lb_policy_tree(const struct xds_maker *maker,
                                   const struct xds_lb_policy *policy)
{
    struct xds_arena *arena = maker->arena;
    struct xds_tree list;

    if (policy->name.data && policy->config) { /* of a TypedStruct */
        struct xds_tree entry = xds_tree_object();

        xds_tree_put_key(arena, &entry, policy->name, *policy->config);
        list = xds_tree_list(arena, entry);
    } else {
        list = made_of_fields(maker, policy);
    }
    for (unsigned i = layers_of(maker, policy); i > 0; i--)
        list = xds_policy_list(arena, maker->dialect->wrr_locality,
                               xds_tree_pair(arena, maker->dialect->child_policy, list));
    return list;
}

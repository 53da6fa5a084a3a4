/*
 * lb_policy.c - the JSON of the LB policy that a cluster asks for.
 *
 * Source: gRFC A42, A48, A52, A58, A62, A114, spec cluster 1.5, 1.6.1.
 */
#include "config/lb_config.h"

/* ---- sizes and counts ---- */

static bool is_written(const struct xds_maker *maker, bool is_set, uint64_t number)
{
    switch (maker->dialect->written) {
    case XDS_WRITES_ALL:
        return true;
    case XDS_WRITES_NONZERO:
        return number > 0;
    case XDS_WRITES_SET:
        return is_set;
    }
    return true;
}

static struct xds_tree ring_hash(const struct xds_maker *maker,
                                 const struct xds_lb_policy *policy)
{
    const struct xds_dialect *d = maker->dialect;
    struct xds_tree config = xds_tree_object();

    if (is_written(maker, policy->has_min_ring_size, policy->min_ring_size))
        xds_tree_put(maker->arena, &config, d->min_ring_size,
                     xds_tree_number((double)policy->min_ring_size));
    if (is_written(maker, policy->has_max_ring_size, policy->max_ring_size))
        xds_tree_put(maker->arena, &config, d->max_ring_size,
                     xds_tree_number((double)policy->max_ring_size));
    return xds_policy_list(maker->arena, d->ring_hash, config);
}

static struct xds_tree least_request(const struct xds_maker *maker,
                                     const struct xds_lb_policy *policy)
{
    struct xds_tree config = xds_tree_object();

    if (is_written(maker, policy->has_choice_count, policy->choice_count))
        xds_tree_put(maker->arena, &config, "choiceCount",
                     xds_tree_number((double)policy->choice_count));
    return xds_policy_list(maker->arena, "least_request_experimental", config);
}

/* ---- weighted_round_robin ---- */

static bool is_zero(const struct xds_tree *member)
{
    return member->kind == XDS_TREE_NUMBER ? member->number == 0
                                           : xds_slice_is(member->text, "0.000000000s");
}

/* Does the client write this member of what the message sets? */
static bool is_member(const struct xds_maker *maker, const struct xds_tree *member)
{
    const bool all = maker->dialect->written == XDS_WRITES_SET;

    if (member->kind == XDS_TREE_BOOL)
        return member->truth || all;
    if (member->kind == XDS_TREE_ARRAY) /* of the names of metrics */
        return all ||
               xds_env_on(maker->options, XDS_ENV_WRR_CUSTOM_METRICS, maker->client);
    return maker->dialect->written != XDS_WRITES_NONZERO || !is_zero(member);
}

/* To milliseconds: "1.500900000s" becomes "1.500000000s". */
static struct xds_tree cut_duration(struct xds_arena *arena, struct xds_tree duration)
{
    const size_t behind = sizeof "000000s" - 1;
    const struct xds_slice kept =
        xds_slice_make(duration.text.data, duration.text.len - behind);

    duration.text = xds_arena_concat(arena, kept, XDS_S("000000s"));
    return duration;
}

/* The longest time that fits into 64 bits of nanoseconds. */
#define LONGEST "9223372036.854775807s"

static struct xds_tree limit_duration(struct xds_tree duration)
{
    const struct xds_slice longest = XDS_S(LONGEST);
    const struct xds_slice text = duration.text;

    /* Durations are written with nine digits and without leading zeros. */
    if (text.len > longest.len ||
        (text.len == longest.len && xds_slice_cmp(text, longest) > 0))
        duration.text = longest;
    return duration;
}

/* A member as the client writes it. */
static struct xds_tree written_member(const struct xds_maker *maker,
                                      const struct xds_tree *member)
{
    if (member->kind != XDS_TREE_STRING)
        return *member;
    if (xds_differs(maker->options, maker->client, XDS_DIFF_DURATION_IN_MS))
        return cut_duration(maker->arena, *member);
    if (xds_differs(maker->options, maker->client, XDS_DIFF_WRR_DURATION_CUT))
        return limit_duration(*member);
    return *member;
}

/* node calls one field otherwise than the message does. */
static struct xds_slice key_of(const struct xds_maker *maker, struct xds_slice key)
{
    if (!maker->dialect->snake_case)
        return key;
    if (xds_slice_is(key, "oobReportingPeriod"))
        return XDS_S("oob_load_reporting_period");
    return xds_tree_snake_case(maker->arena, key);
}

static bool drops_period(const struct xds_maker *maker, const struct xds_tree *config)
{
    const struct xds_tree *enable = xds_tree_member(config, "enableOobLoadReport");

    return xds_differs(maker->options, maker->client, XDS_DIFF_WRR_PERIOD_IF_OOB) &&
           !(enable && enable->truth);
}

static struct xds_tree weighted_round_robin(const struct xds_maker *maker,
                                            const struct xds_lb_policy *policy)
{
    struct xds_tree config = xds_tree_object();

    for (size_t i = 0; policy->config && i < policy->config->n; i++) {
        const struct xds_tree *member = &policy->config->items[i];

        if (xds_slice_is(member->key, "oobReportingPeriod") &&
            drops_period(maker, policy->config))
            continue;
        if (is_member(maker, member))
            xds_tree_put_key(maker->arena, &config, key_of(maker, member->key),
                             written_member(maker, member));
    }
    return xds_policy_list(maker->arena, "weighted_round_robin", config);
}

/* ---- the list ---- */

static struct xds_tree made_of_fields(const struct xds_maker *maker,
                                      const struct xds_lb_policy *policy)
{
    struct xds_arena *arena = maker->arena;

    switch (policy->kind) {
    case XDS_LB_RING_HASH:
        return ring_hash(maker, policy);
    case XDS_LB_LEAST_REQUEST:
        return least_request(maker, policy);
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

static unsigned layers_of(const struct xds_maker *maker,
                          const struct xds_lb_policy *policy)
{
    const bool bare = xds_differs(maker->options, maker->client,
                                  XDS_DIFF_LEAST_REQUEST_BELOW_PRIORITY) &&
                      !policy->from_typed_config && policy->kind == XDS_LB_LEAST_REQUEST;

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

struct xds_tree xds_dns_policy_tree(const struct xds_maker *maker)
{
    return xds_policy_list(maker->arena, "pick_first", xds_tree_object());
}

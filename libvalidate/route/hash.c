/*
 * hash.c - compute the hash of a request from a route's hash policies.
 *
 * Source: gRFC A42, spec routing 3.4, Q-a to Q-d, spec listener H1 to H8.
 */
#include "route/hash.h"

#include <xxhash.h>

#include "clients/readers.h"
#include "route/match.h"
#include "route/metadata.h"
#include "route/readings.h"
#include "route/substitution.h"

static uint64_t hash_of(struct xds_slice text)
{
    return XXH64(text.len ? text.data : "", text.len, 0);
}

static bool dies(const struct xds_rpc *rpc, const struct xds_killing *killing)
{
    return (killing->readers & XDS_CLIENT_BIT(rpc->client)) != 0;
}

/* The hash is never known then. */
static void find_deadly(const struct xds_rpc *rpc, const struct xds_hash_policy *policy,
                        struct xds_slice value)
{
    if (dies(rpc, &policy->when_found) &&
        xds_regex_finds(policy->rewrite, value, false) == XDS_MATCH)
        xds_rpc_kills(rpc, policy->when_found.rule);
    if (dies(rpc, &policy->when_empty) &&
        xds_regex_finds(policy->rewrite, value, true) == XDS_MATCH)
        xds_rpc_kills(rpc, policy->when_empty.rule);
}

static bool rewrites(const struct xds_rpc *rpc, const struct xds_hash_policy *policy)
{
    if (!policy->rewrite)
        return false;
    if (policy->rewrite_lacks_engine &&
        xds_differs(rpc->options, rpc->client, XDS_DIFF_HASH_REWRITE_OF_RE2))
        return false;
    if (policy->rewrite_lacks_pattern && !xds_reads(rpc, XDS_READS_HASH_EMPTY_PATTERN))
        return false;
    return policy->substitution.len > 0 ||
           !xds_reads(rpc, XDS_READS_HASH_NO_SUBSTITUTION);
}

static struct xds_slice rewritten(const struct xds_rpc *rpc,
                                  const struct xds_hash_policy *policy,
                                  const struct xds_regex *regex, struct xds_slice value,
                                  struct xds_slice substitution)
{
    const bool after_match = xds_reads(rpc, XDS_READS_HASH_EMPTY_AFTER_MATCH);
    struct xds_slice out;

    find_deadly(rpc, policy, value);
    if (xds_regex_replace_all(regex, value, substitution, after_match, rpc->arena, &out))
        return out;
    xds_rpc_undecided(rpc, XDS_S("regex_rewrite of a hash policy takes too many steps"));
    return value;
}

/* An exception is thrown only where there is something to replace. */
static struct xds_slice rewrite(const struct xds_rpc *rpc, struct xds_hash_step *step,
                                struct xds_slice value)
{
    const struct xds_hash_policy *policy = step->policy;

    if (!rewrites(rpc, policy))
        return value;
    const struct xds_regex *regex = xds_regex_of(rpc, policy->rewrite);
    const struct xds_substitution s = xds_substitution_read(rpc, policy);
    const enum xds_match found =
        s.unknown || s.thrown.data ? xds_regex_finds(regex, value, false) : XDS_MATCH;

    if (found == XDS_NO_MATCH)
        return value;
    if (s.unknown || found == XDS_MATCH_UNDECIDED)
        xds_rpc_undecided(
            rpc,
            XDS_S(
                "the substitution of a hash policy refers to a group that is not known"));
    step->thrown = s.thrown;
    return s.unknown || s.thrown.data ? value
                                      : rewritten(rpc, policy, regex, value, s.text);
}

static void hash_header(const struct xds_rpc *rpc, struct xds_hash_step *step)
{
    struct xds_slice value;

    step->has_hash = xds_metadata_get_hashed(rpc, step->policy->header_name, &value);
    if (!step->has_hash)
        return;
    step->value = rewrite(rpc, step, value);
    step->hash = hash_of(step->value);
}

static uint64_t hash_of_channel(const struct xds_rpc *rpc, uint64_t id,
                                struct xds_slice text)
{
    if (xds_reads(rpc, XDS_READS_HASH_CHANNEL_ID_BYTES)) {
        unsigned char bytes[8];

        for (size_t i = 0; i < sizeof(bytes); i++)
            bytes[i] = (unsigned char)(id >> (8 * i));
        return XXH64(bytes, sizeof(bytes), 0);
    }
    return xds_reads(rpc, XDS_READS_HASH_CHANNEL_ID_TEXT) ? hash_of(text) : id;
}

static void hash_channel_id(const struct xds_rpc *rpc, struct xds_hash_step *step)
{
    const uint64_t id = rpc->request->channel_id;

    step->has_hash = rpc->request->has_channel_id;
    if (!step->has_hash)
        return;
    step->value = xds_arena_printf(rpc->arena, "%llu", (unsigned long long)id);
    step->hash = hash_of_channel(rpc, id, step->value);
}

/* What is above 64 bits stays there, also where 128 bits do not hold it. */
static xds_u128 shift_unbounded(xds_u128 hash)
{
    const xds_u128 top = (xds_u128)1 << 127;

    return (hash << 1) | (hash >> 63) | (hash & top);
}

static xds_u128 rotate(const struct xds_rpc *rpc, xds_u128 hash)
{
    const uint64_t low = (uint64_t)hash, top = low >> 63;

    if (xds_reads(rpc, XDS_READS_HASH_UNBOUNDED))
        return shift_unbounded(hash);
    if (top && xds_reads(rpc, XDS_READS_HASH_SIGNED_SHIFT))
        return UINT64_MAX; /* a signed shift by 63 fills with ones */
    return (low << 1) | top;
}

static void take_step(const struct xds_rpc *rpc, struct xds_hash_step *step)
{
    switch (step->policy->kind) {
    case XDS_HASH_HEADER:
        hash_header(rpc, step);
        return;
    case XDS_HASH_CHANNEL_ID:
        hash_channel_id(rpc, step);
        return;
    case XDS_HASH_UNSUPPORTED:
        return;
    }
}

/* The id of a channel that is not known: the policy gives a hash, but which one? */
static bool is_unknown(const struct xds_hash_step *step)
{
    return step->policy->kind == XDS_HASH_CHANNEL_ID && !step->has_hash;
}

/* Does the list end after this step? exists: it or one before it gave a hash. An
 * unsupported policy is removed with its flag. */
static bool ends_list(const struct xds_rpc *rpc, const struct xds_hash_step *step,
                      bool exists)
{
    const struct xds_hash_policy *policy = step->policy;

    if (policy->kind == XDS_HASH_UNSUPPORTED || !policy->terminal || !exists)
        return false;
    return step->has_hash || policy->kind != XDS_HASH_HEADER ||
           !xds_reads(rpc, XDS_READS_HASH_ABSENT_GOES_ON);
}

static bool reads_policies(const struct xds_rpc *rpc)
{
    return !xds_differs(rpc->options, rpc->client, XDS_DIFF_HASH_BEHIND_RING_HASH) ||
           xds_env_on(rpc->options, XDS_ENV_ENABLE_RING_HASH, rpc->client);
}

struct xds_request_hash xds_request_hash(const struct xds_rpc *rpc,
                                         const struct xds_route *route)
{
    const size_t n = reads_policies(rpc) ? route->n_hash_policies : 0;
    struct xds_request_hash out = {.known = false};
    bool exists = false, ended = false;

    for (size_t i = 0; i < n && !ended; i++) {
        struct xds_hash_step step = {.policy = &route->hash_policies[i]};

        take_step(rpc, &step);
        if (step.thrown.data)
            return (struct xds_request_hash){.thrown = step.thrown};
        if (step.has_hash)
            out.hash = (exists ? rotate(rpc, out.hash) : 0) ^ step.hash;
        out.of_channel = out.of_channel || is_unknown(&step);
        exists = exists || step.has_hash || out.of_channel;
        ended = ends_list(rpc, &step, exists);
    }
    out.known = exists && !out.of_channel;
    if (!out.known && rpc->request->has_hash)
        out = (struct xds_request_hash){.known = true, .hash = rpc->request->hash};
    return out;
}

/* ---- policy by policy ---- */

static struct xds_slice absent_reason(const struct xds_rpc *rpc,
                                      const struct xds_hash_policy *policy)
{
    switch (policy->kind) {
    case XDS_HASH_HEADER:
        return xds_arena_printf(rpc->arena, "the RPC has no header %.*s that can be read",
                                XDS_FMT(policy->header_name));
    case XDS_HASH_CHANNEL_ID:
        return XDS_S("the channel's id is random, so the hash is too; see --channel-id");
    case XDS_HASH_UNSUPPORTED:
        break;
    }
    return xds_arena_printf(rpc->arena, "gRPC does not read hash policy %s",
                            policy->field ? policy->field : "without specifier");
}

const struct xds_hash_step *xds_request_hash_steps(const struct xds_rpc *rpc,
                                                   const struct xds_route *route)
{
    struct xds_hash_step *steps =
        XDS_NEW_ARRAY(rpc->arena, struct xds_hash_step, route->n_hash_policies + 1);
    bool exists = false;
    struct xds_slice ended = {NULL, 0};

    for (size_t i = 0; i < route->n_hash_policies; i++) {
        struct xds_hash_step *step = &steps[i];

        step->policy = &route->hash_policies[i];
        if (!reads_policies(rpc)) {
            step->reason = XDS_S("this client reads no hash policies while "
                                 "GRPC_XDS_EXPERIMENTAL_ENABLE_RING_HASH is off");
            continue;
        }
        if (ended.data) {
            step->reason = ended;
            continue;
        }
        take_step(rpc, step);
        if (step->thrown.data) {
            step->has_hash = false;
            step->reason = step->thrown;
            ended = XDS_S("not read: an earlier policy throws");
            continue;
        }
        exists = exists || step->has_hash || is_unknown(step);
        if (ends_list(rpc, step, exists))
            ended = XDS_S("not read: an earlier policy is terminal");
        if (!step->has_hash)
            step->reason = absent_reason(rpc, step->policy);
    }
    return steps;
}

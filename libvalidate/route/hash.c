/*
 * hash.c - compute the hash of a request from a route's hash policies.
 *
 * Takes:  the hash policies of the route that matched; header values as matchers see
 *         them; the channel id, if the request gives one.
 * Gives:  64 bits, or none: then gRPC draws a random hash. And what each policy gave.
 * Source: gRFC A42, spec routing 3.4, differences Q-a to Q-d, spec listener H1 to H8.
 */
#include "route/hash.h"

#include <xxhash.h>

#include "base/ascii.h"
#include "route/metadata.h"

enum rewrite_style { RE2_STYLE, GO_STYLE, JAVA_STYLE };
enum channel_id_style { CHANNEL_ID_ITSELF, CHANNEL_ID_BYTES, CHANNEL_ID_DECIMAL };

/* Where the clients differ. */
static const struct reading {
    bool signed_rotation;          /* Q-a */
    bool absent_skips_terminal;    /* Q-b */
    enum channel_id_style channel; /* Q-c */
    enum rewrite_style rewrite;    /* Q-d */
} readings[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {false, false, CHANNEL_ID_ITSELF, RE2_STYLE},
    [XDS_CLIENT_CORE] = {false, false, CHANNEL_ID_ITSELF, RE2_STYLE},
    [XDS_CLIENT_GO] = {false, true, CHANNEL_ID_ITSELF, GO_STYLE},
    [XDS_CLIENT_JAVA] = {true, false, CHANNEL_ID_BYTES, JAVA_STYLE},
    [XDS_CLIENT_NODE] = {false, false, CHANNEL_ID_DECIMAL, RE2_STYLE},
};

static uint64_t hash_of(struct xds_slice text)
{
    return XXH64(text.len ? text.data : "", text.len, 0);
}

/* "$1" and "${1}" of go and java become RE2's "\1"; everything else stays literal. */
static struct xds_slice to_re2_style(struct xds_arena *arena, enum rewrite_style style,
                                     struct xds_slice s)
{
    char *out = xds_arena_alloc(arena, 2 * s.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++) {
        const bool dollar = s.data[i] == '$';
        const bool brace = dollar && i + 3 < s.len && s.data[i + 1] == '{' &&
                           xds_ascii_digit(s.data[i + 2]) && s.data[i + 3] == '}';
        if (brace || (dollar && i + 1 < s.len && xds_ascii_digit(s.data[i + 1]))) {
            out[n++] = '\\';
            out[n++] = s.data[i + (brace ? 2 : 1)];
            i += brace ? 3 : 1;
            continue;
        }
        if (dollar && style == GO_STYLE && i + 1 < s.len && s.data[i + 1] == '$')
            i++;
        if (style == JAVA_STYLE && s.data[i] == '\\' && i + 1 < s.len)
            i++;
        if (s.data[i] == '\\')
            out[n++] = '\\';
        out[n++] = s.data[i];
    }
    return xds_slice_make(out, n);
}

static struct xds_slice rewritten(const struct xds_rpc *rpc,
                                  const struct xds_hash_policy *policy,
                                  struct xds_slice value)
{
    const enum rewrite_style style = readings[rpc->client].rewrite;
    struct xds_slice substitution = policy->substitution;
    struct xds_slice out;

    if (!policy->rewrite)
        return value;
    if (style != RE2_STYLE)
        substitution = to_re2_style(rpc->arena, style, substitution);
    if (xds_regex_replace_all(policy->rewrite, value, substitution, rpc->arena, &out))
        return out;
    xds_rpc_undecided(rpc, XDS_S("regex_rewrite of a hash policy takes too many steps"));
    return value;
}

static void hash_header(const struct xds_rpc *rpc, struct xds_hash_step *step)
{
    struct xds_slice value;

    step->has_hash = xds_metadata_get(rpc, step->policy->header_name, &value);
    if (!step->has_hash)
        return;
    step->value = rewritten(rpc, step->policy, value);
    step->hash = hash_of(step->value);
}

static uint64_t hash_of_bytes(uint64_t id)
{
    unsigned char bytes[8];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)(id >> (8 * i));
    return XXH64(bytes, sizeof(bytes), 0);
}

static uint64_t hash_of_channel(enum channel_id_style style, uint64_t id,
                                struct xds_slice text)
{
    switch (style) {
    case CHANNEL_ID_BYTES:
        return hash_of_bytes(id);
    case CHANNEL_ID_DECIMAL:
        return hash_of(text);
    case CHANNEL_ID_ITSELF:
        break;
    }
    return id;
}

static void hash_channel_id(const struct xds_rpc *rpc, struct xds_hash_step *step)
{
    const uint64_t id = rpc->request->channel_id;

    step->has_hash = rpc->request->has_channel_id;
    if (!step->has_hash)
        return;
    step->value = xds_arena_printf(rpc->arena, "%llu", (unsigned long long)id);
    step->hash = hash_of_channel(readings[rpc->client].channel, id, step->value);
}

static uint64_t rotate(const struct reading *as, uint64_t hash)
{
    const uint64_t top = hash >> 63;

    if (as->signed_rotation && top)
        return UINT64_MAX; /* a signed shift by 63 fills with ones */
    return (hash << 1) | top;
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

/* Does the list end behind this step? exists: it or one before it gave a hash. An
 * unsupported policy is removed with its flag. */
static bool ends_list(const struct reading *as, const struct xds_hash_step *step,
                      bool exists)
{
    const struct xds_hash_policy *policy = step->policy;

    if (policy->kind == XDS_HASH_UNSUPPORTED || !policy->terminal || !exists)
        return false;
    return step->has_hash || policy->kind != XDS_HASH_HEADER ||
           !as->absent_skips_terminal;
}

static bool reads_policies(const struct xds_rpc *rpc)
{
    return rpc->client != XDS_CLIENT_NODE ||
           xds_env_on(rpc->options, XDS_ENV_ENABLE_RING_HASH, rpc->client);
}

bool xds_request_hash(const struct xds_rpc *rpc, const struct xds_route *route,
                      uint64_t *hash)
{
    const struct reading *as = &readings[rpc->client];
    const size_t n = reads_policies(rpc) ? route->n_hash_policies : 0;
    bool exists = false, ended = false;

    *hash = 0;
    for (size_t i = 0; i < n && !ended; i++) {
        struct xds_hash_step step = {.policy = &route->hash_policies[i]};

        take_step(rpc, &step);
        if (step.has_hash)
            *hash = (exists ? rotate(as, *hash) : 0) ^ step.hash;
        exists = exists || step.has_hash;
        ended = ends_list(as, &step, exists);
    }
    if (!exists && rpc->request->has_hash)
        *hash = rpc->request->hash;
    return exists || rpc->request->has_hash;
}

/* ---- policy by policy ------------------------------------------------------------- */

static struct xds_slice absent_reason(const struct xds_rpc *rpc,
                                      const struct xds_hash_policy *policy)
{
    switch (policy->kind) {
    case XDS_HASH_HEADER:
        return xds_arena_printf(rpc->arena, "the RPC has no header %.*s that can be read",
                                XDS_FMT(policy->header_name));
    case XDS_HASH_CHANNEL_ID:
        return XDS_S("the channel's id is not known, see --channel-id");
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
    bool exists = false, ended = false;

    for (size_t i = 0; i < route->n_hash_policies; i++) {
        struct xds_hash_step *step = &steps[i];

        step->policy = &route->hash_policies[i];
        if (!reads_policies(rpc)) {
            step->reason = XDS_S("this client reads no hash policies while "
                                 "GRPC_XDS_EXPERIMENTAL_ENABLE_RING_HASH is off");
            continue;
        }
        if (ended) {
            step->reason = XDS_S("not read: a policy before it is terminal");
            continue;
        }
        take_step(rpc, step);
        exists = exists || step->has_hash;
        ended = ends_list(&readings[rpc->client], step, exists);
        if (!step->has_hash)
            step->reason = absent_reason(rpc, step->policy);
    }
    return steps;
}

/*
 * hash.c - compute the hash of a request from a route's hash policies.
 *
 * Takes:  the hash policies of the route that matched; header values as matchers see
 *         them; the channel id, if the request gives one.
 * Gives:  64 bits, or none: then gRPC draws a random hash.
 * Source: gRFC A42, spec routing 3.4, differences Q-a to Q-d.
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

static bool hash_header(const struct xds_rpc *rpc, const struct xds_hash_policy *policy,
                        uint64_t *hash)
{
    struct xds_slice value;

    if (!xds_metadata_get(rpc, policy->header_name, &value))
        return false;
    *hash = hash_of(rewritten(rpc, policy, value));
    return true;
}

static uint64_t hash_of_bytes(uint64_t id)
{
    unsigned char bytes[8];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)(id >> (8 * i));
    return XXH64(bytes, sizeof(bytes), 0);
}

static bool hash_channel_id(const struct xds_rpc *rpc, uint64_t *hash)
{
    const uint64_t id = rpc->request->channel_id;

    if (!rpc->request->has_channel_id)
        return false;
    switch (readings[rpc->client].channel) {
    case CHANNEL_ID_ITSELF:
        *hash = id;
        return true;
    case CHANNEL_ID_BYTES:
        *hash = hash_of_bytes(id);
        return true;
    case CHANNEL_ID_DECIMAL:
        *hash = hash_of(xds_arena_printf(rpc->arena, "%llu", (unsigned long long)id));
        return true;
    }
    return false;
}

static uint64_t rotate(const struct reading *as, uint64_t hash)
{
    const uint64_t top = hash >> 63;

    if (as->signed_rotation && top)
        return UINT64_MAX; /* a signed shift by 63 fills with ones */
    return (hash << 1) | top;
}

bool xds_request_hash(const struct xds_rpc *rpc, const struct xds_route *route,
                      uint64_t *hash)
{
    const struct reading *as = &readings[rpc->client];
    bool exists = false;

    *hash = 0;
    for (size_t i = 0; i < route->n_hash_policies; i++) {
        const struct xds_hash_policy *policy = &route->hash_policies[i];
        const bool is_header = policy->kind == XDS_HASH_HEADER;
        uint64_t one;
        const bool got =
            is_header ? hash_header(rpc, policy, &one) : hash_channel_id(rpc, &one);

        if (got)
            *hash = (exists ? rotate(as, *hash) : 0) ^ one;
        exists = exists || got;
        if (!got && is_header && as->absent_skips_terminal)
            continue;
        if (policy->terminal && exists)
            break;
    }
    if (!exists && rpc->request->has_hash)
        *hash = rpc->request->hash;
    return exists || rpc->request->has_hash;
}

/*
 * hash.c - compute the hash of a request from a route's hash policies; turn the
 * substitution of a regex_rewrite into RE2's spelling.
 *
 * Source: gRFC A42, spec routing 3.4, Q-a to Q-d, spec listener H1 to H10; Regexp.Expand
 * of go, Matcher.appendReplacement of re2j, RE2.replaceMatch of re2-wasm.
 */
#include "base/ascii.h"
#include "route/route.h"

#include <xxhash.h>

/* ---- substitutions ---- */

struct writer {
    const struct xds_rpc *rpc;
    const struct xds_regex *regex;
    char *text; /* room for two bytes per byte that is read */
    size_t len;
    bool unknown;
    struct xds_slice thrown;
};

static void put(struct writer *w, char c)
{
    if (c == '\\')
        w->text[w->len++] = '\\';
    w->text[w->len++] = c;
}

/* RE2 has room for one digit. */
static void put_group(struct writer *w, uint64_t group)
{
    if (group > 9) {
        w->unknown = true;
        return;
    }
    w->text[w->len++] = '\\';
    w->text[w->len++] = (char)('0' + group);
}

/* ---- go ---- */

/* "(?P<name>" or "(?<name>"? */
static bool has_group(const struct xds_regex *regex, struct xds_slice name)
{
    struct xds_slice rest = regex->pattern;

    while (rest.data) {
        struct xds_slice before, candidate;

        rest = xds_slice_cut(rest, '<', &before);
        (void)xds_slice_cut(rest, '>', &candidate);
        if (rest.data && xds_slice_eq(candidate, name))
            return true;
    }
    return false;
}

/* What no group has is empty. */
static void put_go_name(struct writer *w, struct xds_slice name)
{
    const bool leads_with_zero = name.len > 1 && name.data[0] == '0';
    uint64_t group;

    if (leads_with_zero || !xds_slice_to_u64(name, &group)) {
        w->unknown |= has_group(w->regex, name);
        return;
    }
    if (group <= w->regex->groups)
        put_group(w, group);
}

/* s begins after a '$'. Returns the bytes that belong to it. */
static size_t read_go(struct writer *w, struct xds_slice s)
{
    const bool brace = s.len > 0 && s.data[0] == '{';
    const size_t from = brace ? 1 : 0;
    size_t end = from;

    if (s.len > 0 && s.data[0] == '$') {
        put(w, '$');
        return 1;
    }
    while (end < s.len && xds_ascii_word(s.data[end]))
        end++;
    const bool closed = !brace || (end < s.len && s.data[end] == '}');
    if (end == from || !closed) {
        put(w, '$');
        return 0;
    }
    put_go_name(w, xds_slice_make(s.data + from, end - from));
    return end + from;
}

/* ---- java ---- */

/* As many digits as make a group that exists; the first one must. */
static size_t read_java(struct writer *w, struct xds_slice s)
{
    const unsigned groups = w->regex->groups;
    uint64_t group = 0;
    size_t n = 0;

    if (s.len > 0 && s.data[0] == '{') {
        struct xds_slice name;
        const struct xds_slice rest = xds_slice_cut(xds_slice_from(s, 1), '}', &name);

        if (!rest.data || xds_slice_find(name, ' ') < name.len)
            w->thrown = XDS_S("IllegalArgumentException: named capture group is missing "
                              "trailing '}'");
        else if (has_group(w->regex, name))
            w->unknown = true;
        else
            w->thrown = xds_arena_printf(
                w->rpc->arena, "IllegalArgumentException: group '%.*s' not found",
                XDS_FMT(name));
    }
    for (; n < s.len && xds_ascii_digit(s.data[n]); n++) {
        const uint64_t longer = group * 10 + (uint64_t)(s.data[n] - '0');
        if (n > 0 && longer > groups)
            break;
        group = longer;
    }
    if (n == 0)
        put(w, '$');
    else if (group > groups)
        w->thrown = xds_arena_printf(
            w->rpc->arena, "IndexOutOfBoundsException: n > number of groups: %llu",
            (unsigned long long)group);
    else
        put_group(w, group);
    return n;
}

/* ---- node ---- */

/* Up to two digits, of which the first is not 0: \0 is the death of it. */
static size_t read_node(struct writer *w, struct xds_slice s)
{
    size_t n = 0;
    unsigned group = 0;

    for (; n < s.len && n < 2 && xds_ascii_digit(s.data[n]); n++)
        group = group * 10 + (unsigned)(s.data[n] - '0');
    if (n == 0) {
        put(w, '\\');
        return 0;
    }
    if (group > 0 && group <= w->regex->groups) {
        put_group(w, group);
        return n;
    }
    const struct xds_slice text =
        xds_arena_printf(w->rpc->arena, "$%u", group > 0 ? group - 1 : 0);

    for (size_t i = 0; i < text.len; i++)
        put(w, text.data[i]);
    return n;
}

/* ---- all of them ---- */

/* What a special character at the front of s stands for; the bytes that belong to it. */
static size_t read_special(struct writer *w, struct xds_slice s)
{
    const struct xds_slice behind = xds_slice_from(s, 1);
    const bool java = xds_reads(w->rpc, XDS_READS_HASH_DOLLAR_JAVA);

    if (s.data[0] == '\\' && xds_reads(w->rpc, XDS_READS_HASH_BACKSLASH_JS))
        return 1 + read_node(w, behind);
    if (s.data[0] == '$' && java)
        return 1 + read_java(w, behind);
    if (s.data[0] == '$' && xds_reads(w->rpc, XDS_READS_HASH_DOLLAR_GO))
        return 1 + read_go(w, behind);
    if (s.data[0] == '\\' && java && behind.len > 0) {
        put(w, behind.data[0]); /* takes any character as it is */
        return 2;
    }
    put(w, s.data[0]);
    return 1;
}

struct xds_substitution xds_substitution_read(const struct xds_rpc *rpc,
                                              const struct xds_hash_policy *policy)
{
    const struct xds_slice s =
        policy->substitution.data ? policy->substitution : XDS_S("");
    struct writer w = {.rpc = rpc, .regex = policy->rewrite};
    size_t i = 0;

    if (!xds_reads(rpc, XDS_READS_HASH_DOLLAR_JAVA) &&
        !xds_reads(rpc, XDS_READS_HASH_DOLLAR_GO) &&
        !xds_reads(rpc, XDS_READS_HASH_BACKSLASH_JS))
        return (struct xds_substitution){.text = s};
    w.text = xds_arena_alloc(rpc->arena, 2 * s.len + 1);
    while (i < s.len && !w.unknown && !w.thrown.data)
        i += read_special(&w, xds_slice_from(s, i));
    return (struct xds_substitution){
        .text = xds_slice_make(w.text, w.len), .unknown = w.unknown, .thrown = w.thrown};
}

/* ---- hash policies ---- */

static uint64_t hash_of(struct xds_slice text)
{
    return XXH64(text.len ? text.data : "", text.len, 0);
}

static bool dies(const struct xds_rpc *rpc, const struct xds_killing *killing)
{
    return (killing->readers & XDS_CLIENT_BIT(rpc->client)) != 0;
}

static bool rewrites(const struct xds_rpc *rpc, const struct xds_hash_policy *policy)
{
    if (!policy->rewrite)
        return false;
    if (policy->rewrite_lacks_engine && XDS_DIFFERS(rpc, XDS_DIFF_HASH_REWRITE_OF_RE2))
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

    /* The hash is never known then. */
    if (dies(rpc, &policy->when_found) &&
        xds_regex_finds(policy->rewrite, value, false) == XDS_MATCH)
        xds_rpc_kills(rpc, policy->when_found.rule);
    if (dies(rpc, &policy->when_empty) &&
        xds_regex_finds(policy->rewrite, value, true) == XDS_MATCH)
        xds_rpc_kills(rpc, policy->when_empty.rule);
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

static xds_u128 rotate(const struct xds_rpc *rpc, xds_u128 hash)
{
    const uint64_t low = (uint64_t)hash, top = low >> 63;

    if (xds_reads(rpc, XDS_READS_HASH_UNBOUNDED))
        /* What is above 64 bits stays there, also where 128 bits do not hold it. */
        return (hash << 1) | (hash >> 63) | (hash & ((xds_u128)1 << 127));
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
    return !XDS_DIFFERS(rpc, XDS_DIFF_HASH_BEHIND_RING_HASH) ||
           XDS_ENV_ON(rpc, XDS_ENV_ENABLE_RING_HASH);
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
            step->reason = xds_arena_printf(
                rpc->arena, "this client reads no hash policies while %s is off",
                xds_env_row(XDS_ENV_ENABLE_RING_HASH)->name);
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

/*
 * substitution.c - turn the substitution of a regex_rewrite into RE2's spelling.
 *
 * Fails:  where a group has a name or a number above 9.
 * Source: spec Q-d, H5, H10; Regexp.Expand of go, Matcher.appendReplacement of re2j,
 *         RE2.replaceMatch of re2-wasm.
 */
#include "route/substitution.h"

#include "base/ascii.h"
#include "route/readings.h"

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

static bool is_word(char c)
{
    return xds_ascii_alpha(c) || xds_ascii_digit(c) || c == '_';
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
    while (end < s.len && is_word(s.data[end]))
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

static void read_java_name(struct writer *w, struct xds_slice s)
{
    struct xds_slice name;
    const struct xds_slice rest = xds_slice_cut(s, '}', &name);

    if (!rest.data || xds_slice_find(name, ' ') < name.len)
        w->thrown = XDS_S("IllegalArgumentException: named capture group is missing "
                          "trailing '}'");
    else if (has_group(w->regex, name))
        w->unknown = true;
    else
        w->thrown = xds_arena_printf(w->rpc->arena,
                                     "IllegalArgumentException: group '%.*s' not found",
                                     XDS_FMT(name));
}

/* As many digits as make a group that exists; the first one must. */
static size_t read_java(struct writer *w, struct xds_slice s)
{
    const unsigned groups = w->regex->groups;
    uint64_t group = 0;
    size_t n = 0;

    if (s.len > 0 && s.data[0] == '{')
        read_java_name(w, xds_slice_from(s, 1));
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

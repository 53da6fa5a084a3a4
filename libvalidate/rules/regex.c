/*
 * regex.c - the text of a RegexMatcher, compiled.
 *
 * Source: gRFC A28, spec G34, G39, G47, RB15, RB20.
 */
#include "rules/readers.h"

/* Of a longer regex a message says the length only. */
#define MOST_QUOTED 100

/* To RE2; other engines take some of them. */
static bool is_invalid(enum xds_regex_fault fault)
{
    return fault == XDS_REGEX_INVALID || fault == XDS_REGEX_OVER_REPEATED ||
           fault == XDS_REGEX_LOOSE_CLASS || fault == XDS_REGEX_LOOSE_JAVA;
}

static const struct xds_regex *get_good(struct xds_ctx *ctx, struct xds_slice pattern)
{
    struct xds_slice ignored;
    const struct xds_regex *regex = xds_regex_get(ctx->regexes, pattern, &ignored);

    return regex && !is_invalid(regex->fault) ? regex : NULL;
}

/* What node compiles of a pattern that RE2 refuses: its library knows more escapes, such
 * as the \c$ that \c becomes in ^\c$, and RE2 takes ^*$. NULL when it refuses that, too.
 * *matching is what matches as a whole what node finds. */
static const struct xds_regex *read_in_wasm(struct xds_ctx *ctx, struct xds_slice pattern,
                                            bool whole, const struct xds_regex **matching)
{
    const struct xds_slice text = xds_regex_text_in_wasm(
        whole ? xds_arena_printf(ctx->arena, "^%.*s$", XDS_FMT(pattern)) : pattern,
        ctx->arena);

    *matching = get_good(
        ctx, whole ? xds_arena_printf(ctx->arena, "(?s:.*)(?:%.*s)(?s:.*)", XDS_FMT(text))
                   : text);
    return get_good(ctx, text);
}

/* Whose engine takes a regex that RE2 does not. */
static xds_readers takers(const struct xds_ctx *ctx, enum xds_regex_fault fault)
{
    if (fault == XDS_REGEX_OVER_REPEATED)
        return xds_who(ctx, XDS_DIFF_REGEX_REPEATS);
    if (fault == XDS_REGEX_LOOSE_JAVA)
        return xds_who(ctx, XDS_DIFF_REGEX_OF_JAVA);
    return fault == XDS_REGEX_LOOSE_CLASS ? xds_who(ctx, XDS_DIFF_REGEX_OF_GO) : 0;
}

static struct xds_slice name_regex(struct xds_ctx *ctx, struct xds_slice pattern)
{
    return pattern.len > MOST_QUOTED
               ? xds_arena_printf(ctx->arena, "regex of %zu bytes", pattern.len)
               : xds_arena_printf(ctx->arena, "regex \"%.*s\"", XDS_FMT(pattern));
}

/* What a pattern is to each client. */
struct reading {
    const struct xds_regex *regex;    /* NULL: RE2 has none */
    const struct xds_regex *compiled; /* in WebAssembly where RE2 rejects it */
    const struct xds_regex *matching; /* the same, where it can be matched */
    enum xds_regex_fault fault;
    struct xds_slice error;
    bool any_byte, strict_java, strict_node;
    xds_readers in_wasm, strict_go, too_large, size_unknown;
};

static struct reading read_pattern(struct xds_ctx *ctx, struct xds_slice text, bool whole)
{
    struct reading r = {.in_wasm = xds_who(ctx, XDS_DIFF_REGEX_IN_WASM)};
    const struct xds_regex *regex = r.regex = xds_regex_get(ctx->regexes, text, &r.error);

    r.fault = regex ? regex->fault : XDS_REGEX_INVALID;
    r.any_byte = regex && regex->any_byte;
    r.strict_java = regex && regex->strict_java;
    r.strict_node = !is_invalid(r.fault) && regex->strict_node;
    if (regex && regex->strict_go)
        r.strict_go |= xds_who(ctx, XDS_DIFF_REGEX_OF_GO);
    if (regex && whole && regex->not_grouped)
        r.strict_go |= xds_who(ctx, XDS_DIFF_REGEX_GROUPED);
    r.compiled =
        is_invalid(r.fault) ? read_in_wasm(ctx, text, whole, &r.matching) : regex;
    r.too_large = (r.fault == XDS_REGEX_TOO_LARGE ? ~r.in_wasm : 0) |
                  (r.compiled && r.compiled->over_wasm ? r.in_wasm : 0);
    r.size_unknown = (r.fault == XDS_REGEX_MAYBE_TOO_LARGE ? XDS_EVERYONE : 0) |
                     (r.compiled && r.compiled->near_wasm ? r.in_wasm : 0);
    return r;
}

static bool is_good(const struct reading *r)
{
    return r->fault == XDS_REGEX_GOOD && !r->any_byte && !r->strict_go &&
           !r->strict_java && !r->strict_node && !r->too_large && !r->size_unknown;
}

/* uncaught: what else happens where a client refuses the pattern; or XDS_RULES. */
static void report_pattern(struct xds_ctx *ctx, const struct xds_path *at,
                           const struct reading *r, const struct xds_slice *words,
                           enum xds_rule_id uncaught)
{
    const bool invalid = is_invalid(r->fault);
    const struct {
        xds_readers who;
        enum xds_rule_id rule;
        bool kills;
    } faults[] = {
        {invalid ? ~takers(ctx, r->fault) & ~(r->compiled ? r->in_wasm : 0) : 0,
         XDS_R_REGEX_INVALID, true},
        {r->fault == XDS_REGEX_NAMED_NEWLY ? XDS_EVERYONE : 0, XDS_R_REGEX_NAMED_GROUP,
         false},
        {r->size_unknown & ~r->too_large, XDS_R_REGEX_SIZE_UNKNOWN, false},
        {r->too_large, XDS_R_REGEX_TOO_LARGE, true},
        {r->any_byte ? XDS_EVERYONE : 0, XDS_R_REGEX_ANY_BYTE, false},
        {r->strict_go, XDS_R_REGEX_GO, false},
        {r->strict_java ? XDS_EVERYONE : 0, XDS_R_REGEX_JAVA, false},
        {r->strict_node ? XDS_EVERYONE : 0, XDS_R_REGEX_NODE, true},
    };
    xds_readers refusing = 0;

    for (size_t i = 0; i < XDS_ARRAY_LEN(faults); i++)
        refusing |= faults[i].who & xds_rejecting(ctx, faults[i].rule);
    if (uncaught != XDS_RULES && refusing)
        xds_fire_for(ctx, at, refusing, uncaught, NULL);
    for (size_t i = 0; i < XDS_ARRAY_LEN(faults); i++)
        if (faults[i].who && faults[i].kills)
            xds_fire_killing(ctx, at, faults[i].rule, faults[i].who, words);
        else if (faults[i].who)
            xds_fire_for(ctx, at, faults[i].who, faults[i].rule, words);
}

const struct xds_regex *xds_regex_read(struct xds_ctx *ctx, const struct xds_path *at,
                                       const char *pattern, bool whole,
                                       const char *prefix, enum xds_rule_id uncaught)
{
    const struct xds_slice text = xds_slice_of(pattern);
    const struct reading r = read_pattern(ctx, text, whole);
    const xds_readers late = ctx->rbac ? xds_who(ctx, XDS_DIFF_RBAC_REGEX_LATE) : 0;

    if (!is_good(&r))
        report_pattern(XDS_AMONG(ctx, ~late), at, &r,
                       XDS_WITH(name_regex(ctx, text), r.error, xds_slice_of(prefix)),
                       uncaught);
    return r.regex ? r.regex : r.matching;
}

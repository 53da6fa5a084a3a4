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

const struct xds_regex *xds_regex_read(struct xds_ctx *ctx, const struct xds_path *at,
                                       const char *pattern, bool whole,
                                       const char *prefix)
{
    struct xds_slice error = {NULL, 0};
    const struct xds_slice text = xds_slice_of(pattern);
    const struct xds_regex *regex = xds_regex_get(ctx->regexes, text, &error);
    const enum xds_regex_fault fault = regex ? regex->fault : XDS_REGEX_INVALID;
    const bool any_byte = regex && regex->any_byte;
    const bool strict_java = regex && regex->strict_java;
    const bool strict_node = !is_invalid(fault) && regex->strict_node;
    const xds_readers strict_go =
        regex
            ? (regex->strict_go ? xds_who(ctx, XDS_DIFF_REGEX_OF_GO) : 0) |
                  (whole && regex->not_grouped ? xds_who(ctx, XDS_DIFF_REGEX_GROUPED) : 0)
            : 0;

    const xds_readers in_wasm = xds_who(ctx, XDS_DIFF_REGEX_IN_WASM);
    const struct xds_regex *compiled = regex, *matching = NULL; /* in wasm */
    if (is_invalid(fault))
        compiled = read_in_wasm(ctx, text, whole, &matching);
    const xds_readers too_large = (fault == XDS_REGEX_TOO_LARGE ? ~in_wasm : 0) |
                                  (compiled && compiled->over_wasm ? in_wasm : 0);
    const xds_readers size_unknown =
        (fault == XDS_REGEX_MAYBE_TOO_LARGE ? XDS_EVERYONE : 0) |
        (compiled && compiled->near_wasm ? in_wasm : 0);

    if (fault == XDS_REGEX_GOOD && !any_byte && !strict_go && !strict_java &&
        !strict_node && !too_large && !size_unknown)
        return regex;

    const struct xds_slice *words =
        XDS_WITH(name_regex(ctx, text), error, xds_slice_of(prefix));

    ctx = XDS_AMONG(ctx,
                    ctx->rbac ? ~xds_who(ctx, XDS_DIFF_RBAC_REGEX_LATE) : XDS_EVERYONE);
    switch (fault) {
    case XDS_REGEX_GOOD:
        break;
    case XDS_REGEX_INVALID:
    case XDS_REGEX_OVER_REPEATED:
    case XDS_REGEX_LOOSE_CLASS:
    case XDS_REGEX_LOOSE_JAVA:
        xds_fire_killing(ctx, at, XDS_R_REGEX_INVALID,
                         ~takers(ctx, fault) & ~(compiled ? in_wasm : 0), words);
        break;
    case XDS_REGEX_NAMED_NEWLY:
        xds_fire_with(ctx, at, XDS_R_REGEX_NAMED_GROUP, words);
        break;
    case XDS_REGEX_TOO_LARGE:
    case XDS_REGEX_MAYBE_TOO_LARGE:
        break;
    }
    if (size_unknown & ~too_large)
        xds_fire_for(ctx, at, size_unknown & ~too_large, XDS_R_REGEX_SIZE_UNKNOWN, words);
    if (too_large)
        xds_fire_killing(ctx, at, XDS_R_REGEX_TOO_LARGE, too_large, words);
    if (any_byte)
        xds_fire_with(ctx, at, XDS_R_REGEX_ANY_BYTE, words);
    xds_fire_for(ctx, at, strict_go, XDS_R_REGEX_GO, words);
    if (strict_java)
        xds_fire_with(ctx, at, XDS_R_REGEX_JAVA, words);
    if (strict_node)
        xds_fire_killing(ctx, at, XDS_R_REGEX_NODE, XDS_EVERYONE, words);
    return regex ? regex : matching;
}

/*
 * match.c - match a request's path and headers against one route.
 *
 * Source: gRFC A28, A41, A63, spec routing 2.3 to 2.5, P-a to P-c, H-a
 *         to H-e.
 */
#include "route/route.h"
#include "secret/secret.h"

#include "base/ascii.h"

/* ---- text ---- */

static bool same(struct xds_slice a, struct xds_slice b, bool fold)
{
    return fold ? xds_slice_eq_fold(a, b) : xds_slice_eq(a, b);
}

static bool contains(struct xds_slice text, struct xds_slice needle, bool fold)
{
    if (!fold)
        return xds_slice_search(text, needle) <= text.len;
    for (size_t i = 0; i + needle.len <= text.len; i++)
        if (xds_slice_eq_fold(xds_slice_make(text.data + i, needle.len), needle))
            return true;
    return false;
}

static bool plain_matches(enum xds_match_kind kind, struct xds_slice pattern, bool fold,
                          struct xds_slice text)
{
    switch (kind) {
    case XDS_MATCH_EXACT:
        return same(text, pattern, fold);
    case XDS_MATCH_PREFIX:
        return text.len >= pattern.len &&
               same(xds_slice_make(text.data, pattern.len), pattern, fold);
    case XDS_MATCH_SUFFIX:
        return text.len >= pattern.len &&
               same(xds_slice_from(text, text.len - pattern.len), pattern, fold);
    case XDS_MATCH_CONTAINS:
        return contains(text, pattern, fold);
    case XDS_MATCH_REGEX:
        break;
    }
    return false;
}

const struct xds_regex *xds_regex_of(const struct xds_rpc *rpc,
                                     const struct xds_regex *regex)
{
    return xds_reads(rpc, XDS_READS_REGEX_SLASH_ESCAPED)
               ? xds_regex_in_wasm(regex, rpc->arena)
               : regex;
}

static enum xds_match text_matches(const struct xds_rpc *rpc, enum xds_match_kind kind,
                                   struct xds_slice pattern,
                                   const struct xds_regex *regex, bool fold,
                                   struct xds_slice text)
{
    if (kind == XDS_MATCH_REGEX) {
        /* A match that hits the limit of the engine is undecided; C-core's RE2 has no
         * such limit, so the reason says so. */
        if (!regex)
            return XDS_NO_MATCH;
        regex = xds_regex_of(rpc, regex);
        if (xds_reads(rpc, XDS_READS_REGEX_UNGROUPED))
            return xds_regex_ungrouped_match(regex, text, rpc->arena);
        return xds_regex_full_match(regex, text);
    }
    if (fold && xds_reads(rpc, XDS_READS_UNICODE_CASE)) {
        pattern = xds_fold_case(rpc->arena, pattern);
        text = xds_fold_case(rpc->arena, text);
    }
    return plain_matches(kind, pattern, fold, text) ? XDS_MATCH : XDS_NO_MATCH;
}

static bool lowered(const struct xds_rpc *rpc, const struct xds_string_matcher *m)
{
    return m->fold_regex && xds_reads(rpc, XDS_READS_REGEX_LOWERED);
}

/* strings.ToLower also changes what is not ASCII, which headers and names seldom are. */
static struct xds_slice lower(struct xds_arena *arena, struct xds_slice text)
{
    char *out = xds_arena_alloc(arena, text.len + 1);

    for (size_t i = 0; i < text.len; i++)
        out[i] = xds_ascii_lower(text.data[i]);
    return xds_slice_make(out, text.len);
}

static enum xds_match string_matches(const struct xds_rpc *rpc,
                                     const struct xds_string_matcher *m,
                                     struct xds_slice text)
{
    if (lowered(rpc, m))
        text = lower(rpc->arena, text);
    return text_matches(rpc, m->kind, m->text, m->regex, m->fold_case, text);
}

bool xds_string_matches(const struct xds_rpc *rpc,
                        const struct xds_string_matcher *matcher, struct xds_slice text)
{
    const enum xds_match result = string_matches(rpc, matcher, text);

    if (result == XDS_MATCH_UNDECIDED)
        xds_rpc_undecided(rpc, XDS_S("a regex takes too many steps to match"));
    return result == XDS_MATCH;
}

/* ---- path ---- */

static const char *path_field(enum xds_match_kind kind)
{
    static const char *const fields[] = {
        [XDS_MATCH_EXACT] = "path",       [XDS_MATCH_PREFIX] = "prefix",
        [XDS_MATCH_SUFFIX] = "suffix",    [XDS_MATCH_CONTAINS] = "contains",
        [XDS_MATCH_REGEX] = "safe_regex",
    };
    return fields[kind];
}

static bool path_folds(const struct xds_rpc *rpc, const struct xds_path_matcher *matcher)
{
    return !matcher->case_sensitive ||
           (!matcher->case_set && xds_reads(rpc, XDS_READS_PATH_UNSET_CASE));
}

bool xds_path_folds(const struct xds_path_matcher *matcher,
                    const struct xds_options *options, enum xds_client client)
{
    return path_folds(&(struct xds_rpc){.client = client, .options = options}, matcher);
}

static enum xds_match try_path(const struct xds_rpc *rpc,
                               const struct xds_path_matcher *matcher)
{
    return text_matches(rpc, matcher->kind, matcher->text, matcher->regex,
                        path_folds(rpc, matcher), rpc->request->path);
}

static struct xds_slice path_reason(const struct xds_rpc *rpc,
                                    const struct xds_path_matcher *matcher,
                                    enum xds_match result)
{
    const struct xds_slice pieces[] = {xds_slice_of(path_field(matcher->kind)),
                                       XDS_S(" "), xds_excerpt(rpc->arena, matcher->text),
                                       result == XDS_MATCH_UNDECIDED
                                           ? XDS_S(" takes too many steps to match")
                                           : XDS_S(" does not match")};

    return xds_arena_join(rpc->arena, pieces, XDS_ARRAY_LEN(pieces));
}

/* The sentence for a criterion that does not hold; always false. */
static bool fails(const struct xds_rpc *rpc, enum xds_match result,
                  struct xds_slice sentence, struct xds_slice *reason)
{
    *reason = sentence;
    if (result == XDS_MATCH_UNDECIDED)
        xds_rpc_undecided(rpc, sentence);
    return false;
}

bool xds_path_matches(const struct xds_rpc *rpc, const struct xds_path_matcher *matcher,
                      struct xds_slice *reason)
{
    const enum xds_match result = try_path(rpc, matcher);

    return result == XDS_MATCH ||
           fails(rpc, result, path_reason(rpc, matcher, result), reason);
}

/* ---- headers ---- */

/* node takes any size, but what int64 cannot hold lies in no range. */
static bool read_integer(const struct xds_rpc *rpc, struct xds_slice s, int64_t *out)
{
    if (xds_reads(rpc, XDS_READS_HEADER_INT_BLANKS))
        s = xds_slice_trim(s);
    if (xds_slice_starts(s, XDS_S("+")) && xds_reads(rpc, XDS_READS_HEADER_INT_NO_PLUS))
        return false;
    return xds_slice_to_i64(s, out);
}

static bool in_range(const struct xds_rpc *rpc, const struct xds_header_matcher *m,
                     struct xds_slice value)
{
    int64_t number;

    if (!read_integer(rpc, value, &number) || number < m->start)
        return false;
    return xds_reads(rpc, XDS_READS_HEADER_RANGE_END) ? number <= m->end
                                                      : number < m->end;
}

static bool wants_presence(const struct xds_rpc *rpc, const struct xds_header_matcher *m)
{
    return m->present || xds_reads(rpc, XDS_READS_HEADER_PRESENT_ALWAYS);
}

static bool absent_matches(const struct xds_rpc *rpc, const struct xds_header_matcher *m)
{
    if (m->kind != XDS_HEADER_PRESENT)
        return m->invert && xds_reads(rpc, XDS_READS_HEADER_INVERT_ABSENT);
    return !wants_presence(rpc, m) != m->invert;
}

static enum xds_match present_matches(const struct xds_rpc *rpc,
                                      const struct xds_header_matcher *m,
                                      struct xds_slice value)
{
    switch (m->kind) {
    case XDS_HEADER_STRING:
        return string_matches(rpc, &m->string, value);
    case XDS_HEADER_RANGE:
        return in_range(rpc, m, value) ? XDS_MATCH : XDS_NO_MATCH;
    case XDS_HEADER_PRESENT:
        return wants_presence(rpc, m) ? XDS_MATCH : XDS_NO_MATCH;
    case XDS_HEADER_NEVER:
        return XDS_NO_MATCH;
    }
    return XDS_NO_MATCH;
}

enum xds_match xds_header_takes(const struct xds_rpc *rpc,
                                const struct xds_header_matcher *m,
                                const struct xds_slice *value)
{
    if (!value || (m->kind == XDS_HEADER_PRESENT && value->len == 0 &&
                   xds_reads(rpc, XDS_READS_HEADER_PRESENT_EMPTY)))
        return absent_matches(rpc, m) ? XDS_MATCH : XDS_NO_MATCH;
    const enum xds_match result = present_matches(rpc, m, *value);
    if (result == XDS_MATCH_UNDECIDED)
        return result;
    return (result == XDS_MATCH) != m->invert ? XDS_MATCH : XDS_NO_MATCH;
}

/* What the matcher asks for, for a reason: 'exact_match "prod"'. */
static struct xds_slice wish(const struct xds_rpc *rpc,
                             const struct xds_header_matcher *m)
{
    struct xds_arena *arena = rpc->arena;
    const char *field = m->specifier ? m->specifier : "header_match_specifier";
    const struct xds_slice text = xds_excerpt(arena, m->string.text);

    switch (m->kind) {
    case XDS_HEADER_STRING:
        return xds_arena_join(
            arena, (const struct xds_slice[]){xds_slice_of(field), XDS_S(" "), text}, 3);
    case XDS_HEADER_RANGE:
        return xds_arena_printf(arena, "%s [%lld, %lld%c", field, (long long)m->start,
                                (long long)m->end,
                                xds_reads(rpc, XDS_READS_HEADER_RANGE_END) ? ']' : ')');
    case XDS_HEADER_PRESENT:
        return xds_arena_printf(arena, "%s %s", field, m->present ? "true" : "false");
    case XDS_HEADER_NEVER:
        return XDS_S("no usable specifier");
    }
    return xds_slice_of(field);
}

static const char *verb(const struct xds_header_matcher *m, enum xds_match result)
{
    if (result == XDS_MATCH_UNDECIDED)
        return "takes too many steps on";
    if (m->invert)
        return "(inverted) matches";
    return m->kind == XDS_HEADER_STRING && m->string.kind == XDS_MATCH_EXACT
               ? "!="
               : "does not match";
}

static enum xds_match try_header(const struct xds_rpc *rpc,
                                 const struct xds_header_matcher *m)
{
    struct xds_slice value;

    return xds_header_takes(rpc, m,
                            xds_metadata_get(rpc, m->name, &value) ? &value : NULL);
}

static struct xds_slice absent_reason(const struct xds_rpc *rpc, struct xds_slice name)
{
    const char *hidden = xds_metadata_hidden(rpc, name);
    const struct xds_slice pieces[] = {XDS_S("header "), name, XDS_S(": absent"),
                                       hidden ? XDS_S(", as ") : XDS_S(""),
                                       xds_slice_of(hidden ? hidden : "")};

    return xds_arena_join(rpc->arena, pieces, XDS_ARRAY_LEN(pieces));
}

static struct xds_slice header_reason(const struct xds_rpc *rpc,
                                      const struct xds_header_matcher *m,
                                      enum xds_match result)
{
    struct xds_slice value;

    if (!xds_metadata_get(rpc, m->name, &value))
        return absent_reason(rpc, m->name);
    const bool is_secret = xds_secret_name(m->name);
    const struct xds_slice hidden = XDS_S(XDS_SECRET_HIDDEN);
    const struct xds_slice pieces[] = {
        XDS_S("header "),
        m->name,
        XDS_S(": "),
        is_secret ? hidden : wish(rpc, m),
        XDS_S(" "),
        xds_slice_of(verb(m, result)),
        XDS_S(" "),
        is_secret ? hidden : xds_excerpt(rpc->arena, value),
        lowered(rpc, &m->string) ? XDS_S(" in lower case") : XDS_S(""),
    };

    return xds_arena_join(rpc->arena, pieces, XDS_ARRAY_LEN(pieces));
}

bool xds_header_matches(const struct xds_rpc *rpc, const struct xds_header_matcher *m,
                        struct xds_slice *reason)
{
    const enum xds_match result = try_header(rpc, m);

    return result == XDS_MATCH ||
           fails(rpc, result, header_reason(rpc, m, result), reason);
}

/* ---- all of them ---- */

enum xds_match xds_match_certain(const struct xds_rpc *rpc,
                                 const struct xds_route_match *match, size_t *passed)
{
    enum xds_match result = *passed ? XDS_MATCH : try_path(rpc, &match->path);

    if (result == XDS_MATCH)
        *passed = 1;
    while (result == XDS_MATCH && *passed <= match->n_headers) {
        result = try_header(rpc, &match->headers[*passed - 1]);
        *passed += result == XDS_MATCH;
    }
    return result;
}

struct xds_slice xds_match_reason(const struct xds_rpc *rpc,
                                  const struct xds_route_match *match, size_t passed,
                                  enum xds_match result)
{
    return passed == 0 ? path_reason(rpc, &match->path, result)
                       : header_reason(rpc, &match->headers[passed - 1], result);
}

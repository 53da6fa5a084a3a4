/*
 * within.c - compare the sets of texts, numbers and headers that matchers take.
 *
 * Takes:  two matchers and the client that reads them.
 * Gives:  whether the one set lies within the other.
 * How:    a matcher of text that holds a whole kind of texts is asked about the text of
 *         the other: all that begins with "ab" contains "b" because "ab" does. A fresh
 *         character before or behind it shows that no other pair of kinds can hold.
 * Source: gRFC A28, A41, spec routing 2.3 to 2.5.
 */
#include "lint/within.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "lint/regex_text.h"
#include "route/match.h"
#include "route/metadata.h"
#include "route/readings.h"

struct xds_within xds_within_of(enum xds_client client, const struct xds_options *options,
                                struct xds_arena *scratch)
{
    static const struct xds_request nothing;

    return (struct xds_within){
        .rpc = {.client = client,
                .options = options,
                .request = &nothing,
                .arena = scratch},
        .regex_runs = XDS_MAX_COVERING_REGEX_RUNS,
    };
}

/* ---- texts ------------------------------------------------------------------------ */

static bool has_letters(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (xds_ascii_alpha(text.data[i]) || (unsigned char)text.data[i] >= 0x80)
            return true;
    return false;
}

static bool is_ascii(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.data[i] >= 0x80)
            return false;
    return true;
}

/* Plain letters fold alike for all clients, and without memory by the ASCII table. */
static struct xds_rpc reader_of(const struct xds_within *w, struct xds_slice a,
                                struct xds_slice b)
{
    struct xds_rpc rpc = w->rpc;

    if (xds_reads(&rpc, XDS_READS_UNICODE_CASE) && is_ascii(a) && is_ascii(b))
        rpc.flipped |= XDS_READING_BIT(XDS_READS_UNICODE_CASE);
    return rpc;
}

/* Does the matcher take this text? Undecided where its regex cannot be asked. */
static enum xds_match takes(struct xds_within *w, const struct xds_string_matcher *m,
                            struct xds_slice text)
{
    struct xds_slice undecided = {NULL, 0};
    struct xds_rpc rpc = reader_of(w, m->text, text);

    rpc.undecided = &undecided;
    if (m->kind == XDS_MATCH_REGEX && (!m->regex || w->regex_runs == 0))
        return XDS_MATCH_UNDECIDED;
    if (m->kind == XDS_MATCH_REGEX)
        w->regex_runs--;
    const bool taken = xds_string_matches(&rpc, m, text);
    if (xds_rpc_is_undecided(&rpc))
        return XDS_MATCH_UNDECIDED;
    return taken ? XDS_MATCH : XDS_NO_MATCH;
}

/* By the kind of the inner one: the outer ones that hold it when they take its text. */
static const unsigned wider[] = {
    [XDS_MATCH_EXACT] = 1u << XDS_MATCH_EXACT | 1u << XDS_MATCH_PREFIX |
                        1u << XDS_MATCH_SUFFIX | 1u << XDS_MATCH_CONTAINS |
                        1u << XDS_MATCH_REGEX,
    [XDS_MATCH_PREFIX] = 1u << XDS_MATCH_PREFIX | 1u << XDS_MATCH_CONTAINS,
    [XDS_MATCH_SUFFIX] = 1u << XDS_MATCH_SUFFIX | 1u << XDS_MATCH_CONTAINS,
    [XDS_MATCH_CONTAINS] = 1u << XDS_MATCH_CONTAINS,
    [XDS_MATCH_REGEX] = 0,
};

static bool same_text(const struct xds_string_matcher *a,
                      const struct xds_string_matcher *b)
{
    return a->kind == b->kind && a->fold_case == b->fold_case &&
           xds_slice_eq(a->text, b->text);
}

/* An inner text in any case needs an outer one to which case says nothing. */
static bool minds_case(const struct xds_string_matcher *inner,
                       const struct xds_string_matcher *outer)
{
    return inner->fold_case && !outer->fold_case &&
           has_letters(outer->kind == XDS_MATCH_REGEX ? inner->text : outer->text);
}

static bool text_within(struct xds_within *w, const struct xds_string_matcher *inner,
                        const struct xds_string_matcher *outer)
{
    if (same_text(inner, outer))
        return true;
    return (wider[inner->kind] & 1u << outer->kind) && !minds_case(inner, outer) &&
           takes(w, outer, inner->text) == XDS_MATCH;
}

/* Each in any case where one of them is: then a text exists that is spelt for both. */
static bool texts_exclude(struct xds_within *w, struct xds_string_matcher a,
                          struct xds_string_matcher b)
{
    const bool fold = a.fold_case || b.fold_case;

    if (a.kind == XDS_MATCH_REGEX || b.kind == XDS_MATCH_REGEX) {
        if (fold)
            return false;
    } else {
        a.fold_case = b.fold_case = fold;
    }
    if (a.kind == XDS_MATCH_EXACT)
        return takes(w, &b, a.text) == XDS_NO_MATCH;
    if (b.kind == XDS_MATCH_EXACT)
        return takes(w, &a, b.text) == XDS_NO_MATCH;
    if (a.kind != b.kind || a.kind == XDS_MATCH_CONTAINS || a.kind == XDS_MATCH_REGEX)
        return false;
    return takes(w, &b, a.text) == XDS_NO_MATCH && takes(w, &a, b.text) == XDS_NO_MATCH;
}

/* ---- paths ------------------------------------------------------------------------ */

bool xds_path_takes_all(const struct xds_path_matcher *path)
{
    switch (path->kind) {
    case XDS_MATCH_PREFIX:
        return path->text.len == 0 || xds_slice_is(path->text, "/");
    case XDS_MATCH_REGEX:
        return path->regex && xds_regex_takes_all_paths(path->text);
    case XDS_MATCH_EXACT:
    case XDS_MATCH_SUFFIX:
    case XDS_MATCH_CONTAINS:
        break;
    }
    return false;
}

static struct xds_string_matcher as_text(const struct xds_within *w,
                                         const struct xds_path_matcher *path)
{
    return (struct xds_string_matcher){
        .kind = path->kind,
        .text = path->text,
        .regex = path->regex,
        .fold_case = path->kind != XDS_MATCH_REGEX && xds_path_folds(path, w->rpc.client),
    };
}

/* What a regex takes begins with the text that it begins with. */
static struct xds_string_matcher wider_prefix(const struct xds_within *w,
                                              const struct xds_path_matcher *path)
{
    return (struct xds_string_matcher){
        .kind = XDS_MATCH_PREFIX,
        .text = xds_regex_stem(w->rpc.arena, path->text),
    };
}

bool xds_path_within(struct xds_within *w, const struct xds_path_matcher *inner,
                     const struct xds_path_matcher *outer)
{
    const struct xds_string_matcher holder = as_text(w, outer);
    struct xds_string_matcher held = as_text(w, inner);

    if (xds_path_takes_all(outer) || same_text(&held, &holder))
        return true;
    if (held.kind == XDS_MATCH_REGEX && holder.kind == XDS_MATCH_PREFIX)
        held = wider_prefix(w, inner);
    return text_within(w, &held, &holder);
}

/* ---- values of headers ------------------------------------------------------------ */

/* For which states of one header a matcher holds. */
struct values {
    const struct xds_header_matcher *m;
    bool absent;    /* it may be absent */
    bool all, none; /* every value does, no value does */
    bool negated;   /* else: all but those of m */
};

static bool range_is_empty(const struct xds_within *w, const struct xds_header_matcher *m)
{
    return xds_reads(&w->rpc, XDS_READS_HEADER_RANGE_END) ? m->start > m->end
                                                          : m->start >= m->end;
}

static bool takes_any_text(const struct xds_string_matcher *m)
{
    if (m->kind == XDS_MATCH_REGEX)
        return m->regex && xds_regex_takes_all_values(m->text);
    return m->kind != XDS_MATCH_EXACT && m->text.len == 0;
}

static struct values values_of(const struct xds_within *w,
                               const struct xds_header_matcher *m)
{
    const struct xds_slice some = XDS_S("");
    struct values v = {.m = m, .negated = m->invert};
    bool full = false, empty = false;

    v.absent = xds_header_takes(&w->rpc, m, NULL) == XDS_MATCH;
    switch (m->kind) {
    case XDS_HEADER_STRING:
        full = takes_any_text(&m->string);
        break;
    case XDS_HEADER_RANGE:
        empty = range_is_empty(w, m);
        break;
    case XDS_HEADER_PRESENT:
        full = (xds_header_takes(&w->rpc, m, &some) == XDS_MATCH) != m->invert;
        empty = !full;
        break;
    case XDS_HEADER_NEVER:
        empty = true;
        break;
    }
    v.all = m->invert ? empty : full;
    v.none = m->invert ? full : empty;
    return v;
}

static struct values opposite(struct values v)
{
    return (struct values){.m = v.m,
                           .absent = !v.absent,
                           .all = v.none,
                           .none = v.all,
                           .negated = !v.negated};
}

static bool in_range(const struct xds_within *w, const struct xds_header_matcher *range,
                     struct xds_slice text)
{
    struct xds_header_matcher plain = *range;

    plain.invert = false;
    return xds_header_takes(&w->rpc, &plain, &text) == XDS_MATCH;
}

static bool is_exact(const struct xds_header_matcher *m)
{
    return m->kind == XDS_HEADER_STRING && m->string.kind == XDS_MATCH_EXACT;
}

/* Both ends mean the same to one client, so that empty ranges aside they compare as they
 * are. */
static bool set_within(struct xds_within *w, const struct xds_header_matcher *inner,
                       const struct xds_header_matcher *outer)
{
    if (inner->kind == XDS_HEADER_STRING && outer->kind == XDS_HEADER_STRING)
        return text_within(w, &inner->string, &outer->string);
    if (inner->kind == XDS_HEADER_RANGE && outer->kind == XDS_HEADER_RANGE)
        return outer->start <= inner->start && inner->end <= outer->end;
    return is_exact(inner) && outer->kind == XDS_HEADER_RANGE &&
           in_range(w, outer, inner->string.text);
}

static bool ranges_exclude(const struct xds_within *w, const struct xds_header_matcher *a,
                           const struct xds_header_matcher *b)
{
    return xds_reads(&w->rpc, XDS_READS_HEADER_RANGE_END)
               ? a->end < b->start || b->end < a->start
               : a->end <= b->start || b->end <= a->start;
}

static bool sets_exclude(struct xds_within *w, const struct xds_header_matcher *a,
                         const struct xds_header_matcher *b)
{
    if (a->kind == XDS_HEADER_STRING && b->kind == XDS_HEADER_STRING)
        return texts_exclude(w, a->string, b->string);
    if (a->kind == XDS_HEADER_RANGE && b->kind == XDS_HEADER_RANGE)
        return ranges_exclude(w, a, b);
    if (is_exact(a) && b->kind == XDS_HEADER_RANGE)
        return !in_range(w, b, a->string.text);
    if (is_exact(b) && a->kind == XDS_HEADER_RANGE)
        return !in_range(w, a, b->string.text);
    return false;
}

static bool same_set(const struct xds_header_matcher *a,
                     const struct xds_header_matcher *b)
{
    if (a->kind != b->kind)
        return false;
    return a->kind == XDS_HEADER_STRING ? same_text(&a->string, &b->string)
                                        : a->start == b->start && a->end == b->end;
}

/* Sets that are neither all nor nothing: all but the one never lie within the other. */
static bool values_within(struct xds_within *w, const struct values *inner,
                          const struct values *outer)
{
    if (inner->absent && !outer->absent)
        return false;
    if (outer->all || inner->none)
        return true;
    if (inner->all || outer->none)
        return false;
    if (inner->negated == outer->negated && same_set(inner->m, outer->m))
        return true;
    if (inner->negated)
        return outer->negated && set_within(w, outer->m, inner->m);
    return outer->negated ? sets_exclude(w, inner->m, outer->m)
                          : set_within(w, inner->m, outer->m);
}

/* ---- headers ---------------------------------------------------------------------- */

enum xds_sight xds_header_sight(const struct xds_within *w, struct xds_slice name,
                                struct xds_slice *constant)
{
    const struct xds_header sent = {name, XDS_S("?")};
    const struct xds_request request = {.headers = &sent, .n_headers = 1};
    struct xds_rpc rpc = w->rpc;

    rpc.request = &request;
    if (!xds_metadata_get(&rpc, name, constant))
        return XDS_SEES_NOTHING;
    return xds_slice_is(*constant, "?") ? XDS_SEES_VALUE : XDS_SEES_CONSTANT;
}

bool xds_header_same_name(const struct xds_within *w, struct xds_slice a,
                          struct xds_slice b)
{
    return xds_reads(&w->rpc, XDS_READS_HEADER_NAME_CASE) ? xds_slice_eq_fold(a, b)
                                                          : xds_slice_eq(a, b);
}

static bool is_asked_for(struct xds_within *w, const struct xds_route_match *inner,
                         const struct xds_header_matcher *m)
{
    const struct values wanted = values_of(w, m);

    if (wanted.all && wanted.absent)
        return true;
    for (size_t i = 0; i < inner->n_headers; i++) {
        if (!xds_header_same_name(w, inner->headers[i].name, m->name))
            continue;
        const struct values given = values_of(w, &inner->headers[i]);
        if (values_within(w, &given, &wanted))
            return true;
    }
    return false;
}

bool xds_headers_within(struct xds_within *w, const struct xds_route_match *inner,
                        const struct xds_route_match *outer)
{
    if (inner->n_headers > XDS_MAX_COMPARED_HEADERS ||
        outer->n_headers > XDS_MAX_COMPARED_HEADERS)
        return false;
    for (size_t i = 0; i < outer->n_headers; i++) {
        const struct xds_header_matcher *m = &outer->headers[i];
        struct xds_slice constant;
        bool holds = false;

        switch (xds_header_sight(w, m->name, &constant)) {
        case XDS_SEES_NOTHING:
            holds = xds_header_takes(&w->rpc, m, NULL) == XDS_MATCH;
            break;
        case XDS_SEES_CONSTANT:
            holds = xds_header_takes(&w->rpc, m, &constant) == XDS_MATCH;
            break;
        case XDS_SEES_VALUE:
            holds = is_asked_for(w, inner, m);
            break;
        }
        if (!holds)
            return false;
    }
    return true;
}

/* Headers that every RPC lacks, or that are constants, are a matter of their own. */
static bool excludes(struct xds_within *w, const struct xds_header_matcher *m,
                     const struct xds_header_matcher *other)
{
    const struct values a = values_of(w, m);
    const struct values b = opposite(values_of(w, other));
    struct xds_slice constant;

    if (!xds_header_same_name(w, m->name, other->name) ||
        xds_header_sight(w, m->name, &constant) != XDS_SEES_VALUE)
        return false;
    return m == other ? a.none && !a.absent : values_within(w, &a, &b);
}

bool xds_headers_contradict(struct xds_within *w, const struct xds_route_match *match,
                            struct xds_header_pair *pair)
{
    if (match->n_headers > XDS_MAX_COMPARED_HEADERS)
        return false;
    for (size_t i = 0; i < match->n_headers; i++)
        for (size_t j = 0; j <= i; j++)
            if (excludes(w, &match->headers[i], &match->headers[j])) {
                *pair = (struct xds_header_pair){j, i};
                return true;
            }
    return false;
}

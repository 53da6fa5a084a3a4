/*
 * within.c - compare the sets of paths and headers that matchers take.
 *
 * Source: gRFC A28, A41, spec routing 2.3 to 2.5.
 */
#include "lint/within.h"

#include "base/limits.h"
#include "lint/regex_text.h"
#include "lint/text_sets.h"
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

/* ---- paths ---- */

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
        .fold_case = path->kind != XDS_MATCH_REGEX &&
                     xds_path_folds(path, w->rpc.options, w->rpc.client),
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

    if (xds_path_takes_all(outer) || xds_text_same(&held, &holder))
        return true;
    if (held.kind == XDS_MATCH_REGEX && holder.kind == XDS_MATCH_PREFIX)
        held = wider_prefix(w, inner);
    return xds_text_within(w, &held, &holder);
}

/* ---- values of headers ---- */

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
        if (xds_reads(&w->rpc, XDS_READS_HEADER_PRESENT_EMPTY))
            break; /* "" is like no header, see takes_empty() */
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

/* ---- the empty value: where it counts as absent, present_match takes all others, or it
 * alone ---- */

static enum xds_match takes_empty(const struct xds_within *w, const struct values *v)
{
    const struct xds_slice empty = XDS_S("");
    struct xds_header_matcher plain = *v->m;
    enum xds_match takes = plain.present ? XDS_NO_MATCH : XDS_MATCH;

    plain.invert = false;
    if (plain.kind != XDS_HEADER_PRESENT)
        takes = xds_header_takes(&w->rpc, &plain, &empty);
    if (takes == XDS_MATCH_UNDECIDED)
        return takes;
    return (takes == XDS_MATCH) != v->negated ? XDS_MATCH : XDS_NO_MATCH;
}

static bool is_about_empty(const struct xds_header_matcher *m)
{
    return m->kind == XDS_HEADER_PRESENT || (is_exact(m) && m->string.text.len == 0);
}

/* Of two sets of which one is the empty value alone, or all others. */
static bool within_by_empty(const struct xds_within *w, const struct values *inner,
                            const struct values *outer)
{
    const bool same = is_about_empty(inner->m) && is_about_empty(outer->m);

    if (same)
        return takes_empty(w, inner) == takes_empty(w, outer);
    if (is_about_empty(outer->m))
        return takes_empty(w, outer) == XDS_NO_MATCH &&
               takes_empty(w, inner) == XDS_NO_MATCH;
    return takes_empty(w, inner) == XDS_MATCH && takes_empty(w, outer) == XDS_MATCH;
}

/* Both ends mean the same to one client, so that empty ranges aside they compare as they
 * are. */
static bool set_within(struct xds_within *w, const struct xds_header_matcher *inner,
                       const struct xds_header_matcher *outer)
{
    if (inner->kind == XDS_HEADER_STRING && outer->kind == XDS_HEADER_STRING)
        return xds_text_within(w, &inner->string, &outer->string);
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
        return xds_texts_exclude(w, a->string, b->string);
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
    return a->kind == XDS_HEADER_STRING ? xds_text_same(&a->string, &b->string)
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
    if (is_about_empty(inner->m) || is_about_empty(outer->m))
        return within_by_empty(w, inner, outer);
    if (inner->negated == outer->negated && same_set(inner->m, outer->m))
        return true;
    if (inner->negated)
        return outer->negated && set_within(w, outer->m, inner->m);
    return outer->negated ? sets_exclude(w, inner->m, outer->m)
                          : set_within(w, inner->m, outer->m);
}

/* ---- headers ---- */

enum xds_visibility xds_header_visibility(const struct xds_within *w,
                                          struct xds_slice name,
                                          struct xds_slice *constant)
{
    /* A client may show :path, and the host header as :authority. */
    const bool is_host = xds_slice_is(name, ":authority");
    const struct xds_header sent = {is_host ? XDS_S("host") : name, XDS_S("?")};
    const struct xds_request request = {
        .path = XDS_S("?"), .headers = &sent, .n_headers = 1};
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

        switch (xds_header_visibility(w, m->name, &constant)) {
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
    struct xds_slice constant;

    if (!xds_header_same_name(w, m->name, other->name) ||
        xds_header_visibility(w, m->name, &constant) != XDS_SEES_VALUE)
        return false;

    const struct values a = values_of(w, m);
    const struct values b = opposite(values_of(w, other));
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

/*
 * within.c - compare the sets of paths, headers and texts that matchers take; regexes as
 * far as they are plain text.
 *
 * Source: gRFC A28, A41, A63, spec routing 2.3 to 2.5; RE2's syntax.
 */
#include "lint/checks.h"

#include "base/ascii.h"
#include "base/limits.h"

struct scan {
    struct xds_slice left;
    char *text;
    struct xds_regex_text *out;
};

static bool skip_end(struct xds_slice *left, const char *token)
{
    const size_t len = strlen(token);

    if (!xds_slice_ends(*left, xds_slice_of(token)))
        return false;
    left->len -= len;
    return true;
}

/* Is the character at the end escaped? */
static bool is_escaped(struct xds_slice s)
{
    size_t n = 0;

    while (n + 1 < s.len && s.data[s.len - 2 - n] == '\\')
        n++;
    return n % 2 == 1;
}

static bool is_word(char c)
{
    return xds_ascii_alpha(c) || xds_ascii_digit(c);
}

static bool is_between_words(const struct scan *s)
{
    const size_t n = s->out->text.len;

    return n > 0 && is_word(s->text[n - 1]) && s->left.len > 1 &&
           is_word(s->left.data[1]);
}

/* The next character of the text; false when something else is there. */
static bool take_character(struct scan *s)
{
    struct xds_regex_text *out = s->out;
    const char c = s->left.data[0];
    const bool escaped = c == '\\';

    if (escaped && (s->left.len < 2 || is_word(s->left.data[1]) ||
                    (unsigned char)s->left.data[1] >= 0x80))
        return false;
    if (c != '.' && strchr("^$|?*+()[]{}", c))
        return false;
    if (c == '.' && is_between_words(s))
        out->lone_dots = true;
    if (c == '.')
        out->dots = true;
    if (c == '.' && out->stem == SIZE_MAX)
        out->stem = out->text.len;
    s->text[out->text.len++] = s->left.data[escaped ? 1 : 0];
    s->left = xds_slice_from(s->left, escaped ? 2 : 1);
    return true;
}

/* May an alternative begin outside of all groups? Where that is hard to see: yes. */
static bool has_alternatives(struct xds_slice rest)
{
    size_t depth = 0;

    if (xds_slice_find(rest, '|') == rest.len)
        return false;
    if (xds_slice_find(rest, '[') < rest.len ||
        xds_slice_search(rest, XDS_S("\\Q")) < rest.len)
        return true;
    for (size_t i = 0; i < rest.len; i++) {
        const char c = rest.data[i];

        if (c == '\\')
            i++;
        else if (c == '(')
            depth++;
        else if (c == ')' && depth > 0)
            depth--;
        else if (c == '|' && depth == 0)
            return true;
    }
    return false;
}

/* A repeat takes back the last character, all bytes of it. */
static void take_back(struct scan *s)
{
    size_t *len = &s->out->text.len;

    if (*len == 0 || s->left.len == 0 || !strchr("?*+{", s->left.data[0]))
        return;
    do
        --*len;
    while (*len > 0 && ((unsigned char)s->text[*len] & 0xC0u) == 0x80u);
}

struct xds_regex_text xds_regex_text_read(struct xds_arena *arena,
                                          struct xds_slice pattern)
{
    struct xds_regex_text out = {.stem = SIZE_MAX};
    struct scan s = {.left = pattern, .out = &out};
    struct xds_slice *left = &s.left;

    out.anchored_start = xds_slice_take(left, "^");
    out.any_before = xds_slice_take(left, ".*");
    if (left->len > 0 && !is_escaped(*left))
        out.anchored_end = skip_end(left, "$");
    if (left->len > 1 && !is_escaped(xds_slice_make(left->data, left->len - 1)))
        out.any_after = skip_end(left, ".*");
    s.text = xds_arena_alloc(arena, s.left.len + 1);
    s.text[s.left.len] = '\0';
    out.text.data = s.text;
    while (s.left.len > 0 && take_character(&s))
        continue;
    out.is_plain = s.left.len == 0;
    take_back(&s);
    if (out.stem > out.text.len)
        out.stem = out.text.len;
    if (out.any_before || has_alternatives(s.left))
        out.stem = 0;
    return out;
}

struct xds_slice xds_regex_stem(struct xds_arena *arena, struct xds_slice pattern)
{
    const struct xds_regex_text text = xds_regex_text_read(arena, pattern);

    return xds_slice_make(text.text.data, text.stem);
}

/* One of the usual ways to write "any value" of a header, or "any gRPC path". */
static bool regex_takes_all(struct xds_slice pattern, enum xds_regex_place place)
{
    static const char *const list[] = {".*", "(.*)", "/.*", ".+", "/.+", "/(.*)"};
    const size_t n = place == XDS_REGEX_OF_PATH ? XDS_ARRAY_LEN(list) : 2;

    (void)xds_slice_take(&pattern, "^");
    (void)skip_end(&pattern, "$");
    for (size_t i = 0; i < n; i++)
        if (xds_slice_is(pattern, list[i]))
            return true;
    return false;
}

/* How: a matcher is asked about the text of the other one: all that begins with "ab"
 * contains "b" because "ab" does. A fresh character before or after it shows that no
 * other pair of kinds can hold. */

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

/* Does the matcher take this text? Undecided where its regex cannot be asked. */
static enum xds_match takes(struct xds_within *w, const struct xds_string_matcher *m,
                            struct xds_slice text)
{
    struct xds_slice undecided = {NULL, 0};
    /* Plain letters fold alike for all clients, and without memory by the ASCII table. */
    struct xds_rpc rpc = w->rpc;

    if (xds_reads(&rpc, XDS_READS_UNICODE_CASE) && is_ascii(m->text) && is_ascii(text))
        rpc.flipped |= XDS_READING_BIT(XDS_READS_UNICODE_CASE);

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

static bool text_same(const struct xds_string_matcher *a,
                      const struct xds_string_matcher *b)
{
    return a->kind == b->kind && a->fold_case == b->fold_case &&
           a->fold_regex == b->fold_regex && xds_slice_eq(a->text, b->text);
}

/* Does outer take all that inner takes? */
static bool text_within(struct xds_within *w, const struct xds_string_matcher *inner,
                        const struct xds_string_matcher *outer)
{
    if (text_same(inner, outer))
        return true;
    /* An inner text in any case needs an outer one to which case says nothing. */
    return (wider[inner->kind] & 1u << outer->kind) &&
           !(inner->fold_case && !outer->fold_case &&
             has_letters(outer->kind == XDS_MATCH_REGEX ? inner->text : outer->text)) &&
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
        return path->regex && regex_takes_all(path->text, XDS_REGEX_OF_PATH);
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

bool xds_path_within(struct xds_within *w, const struct xds_path_matcher *inner,
                     const struct xds_path_matcher *outer)
{
    const struct xds_string_matcher holder = as_text(w, outer);
    struct xds_string_matcher held = as_text(w, inner);

    if (xds_path_takes_all(outer) || text_same(&held, &holder))
        return true;
    if (held.kind == XDS_MATCH_REGEX && holder.kind == XDS_MATCH_PREFIX)
        /* What a regex takes begins with the text that it begins with. */
        held = (struct xds_string_matcher){
            .kind = XDS_MATCH_PREFIX,
            .text = xds_regex_stem(w->rpc.arena, inner->text),
        };
    return text_within(w, &held, &holder);
}

/* ---- values of headers ---- */

/* For which states of one header a matcher holds. */
struct values {
    const struct xds_header_matcher *m;
    bool absent;    /* it may be absent */
    bool all, none; /* every value does, no value does */
    bool negated;   /* else: all but those of m */
};

static bool takes_any_text(const struct xds_string_matcher *m)
{
    if (m->kind == XDS_MATCH_REGEX)
        return m->regex && regex_takes_all(m->text, XDS_REGEX_OF_HEADER);
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
        empty = xds_reads(&w->rpc, XDS_READS_HEADER_RANGE_END) ? m->start > m->end
                                                               : m->start >= m->end;
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

static bool sets_exclude(struct xds_within *w, const struct xds_header_matcher *a,
                         const struct xds_header_matcher *b)
{
    if (a->kind == XDS_HEADER_STRING && b->kind == XDS_HEADER_STRING)
        return texts_exclude(w, a->string, b->string);
    if (a->kind == XDS_HEADER_RANGE && b->kind == XDS_HEADER_RANGE)
        return xds_reads(&w->rpc, XDS_READS_HEADER_RANGE_END)
                   ? a->end < b->start || b->end < a->start
                   : a->end <= b->start || b->end <= a->start;
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
    return a->kind == XDS_HEADER_STRING ? text_same(&a->string, &b->string)
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
    if (is_about_empty(inner->m) || is_about_empty(outer->m)) {
        /* Of two sets of which one is the empty value alone, or all others. */
        const bool same = is_about_empty(inner->m) && is_about_empty(outer->m);

        if (same)
            return takes_empty(w, inner) == takes_empty(w, outer);
        if (is_about_empty(outer->m))
            return takes_empty(w, outer) == XDS_NO_MATCH &&
                   takes_empty(w, inner) == XDS_NO_MATCH;
        return takes_empty(w, inner) == XDS_MATCH && takes_empty(w, outer) == XDS_MATCH;
    }
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
    if (xds_metadata_is_plain(name))
        return XDS_SEES_VALUE;
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

/* The names of two matchers, as the client reads them. */
static bool header_same_name(const struct xds_within *w, struct xds_slice a,
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
        if (!header_same_name(w, inner->headers[i].name, m->name))
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

    if (m == other && m->kind == XDS_HEADER_STRING && !m->invert)
        return false; /* some text can always be sent */
    if (!header_same_name(w, m->name, other->name) ||
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

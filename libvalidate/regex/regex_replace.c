/*
 * regex_replace.c - replace every match of a pattern.
 *
 * Fails:  as a match does; and what a loop over what can be empty finds in a search, as
 *         in "(|a)*", is undecided.
 * Source: RE2 re2.cc, RE2::GlobalReplace().
 */
#include "regex/regex_match.h"

#include "base/ascii.h"
#include "base/limits.h"

/* Backtracking steps that a search may take at one place of however long a subject. */
#define LEAST_STEPS 1000

struct replacement {
    struct xds_arena *arena;
    const struct xds_regex *regex;
    const pcre2_code *code;
    struct xds_slice subject, substitution;
    char *text;
    size_t len, cap;
    bool after_match; /* an empty match right after another one is replaced too */
    bool too_long;
};

static void append(struct replacement *r, const char *text, size_t len)
{
    if (len > XDS_MAX_RESOURCE_BYTES - r->len)
        r->too_long = true;
    if (r->too_long || len == 0)
        return;
    if (len > r->cap - r->len) {
        const size_t cap = (r->len + len) * 2;
        char *bigger = xds_arena_alloc(r->arena, cap);

        if (r->len)
            memcpy(bigger, r->text, r->len);
        r->text = bigger;
        r->cap = cap;
    }
    memcpy(r->text + r->len, text, len);
    r->len += len;
}

static const PCRE2_SIZE *bounds(const struct replacement *r)
{
    return pcre2_get_ovector_pointer(r->regex->matcher->cache->data);
}

static void append_group(struct replacement *r, unsigned group)
{
    const PCRE2_SIZE *at = bounds(r) + (size_t)2 * group;

    if (at[0] != PCRE2_UNSET)
        append(r, r->subject.data + at[0], at[1] - at[0]);
}

/* Stops, as RE2 does, at a backslash in front of anything else. */
static void append_substitution(struct replacement *r)
{
    struct xds_slice rest = r->substitution;

    while (rest.len) {
        struct xds_slice plain;
        const size_t cut = xds_slice_find(rest, '\\');

        plain = xds_slice_make(rest.data, cut);
        append(r, plain.data, plain.len);
        if (cut + 1 >= rest.len)
            return;
        const char c = rest.data[cut + 1];
        if (xds_ascii_digit(c))
            append_group(r, (unsigned)(c - '0'));
        else if (c == '\\')
            append(r, &c, 1);
        else
            return;
        rest = xds_slice_from(rest, cut + 2);
    }
}

static unsigned last_group(struct xds_slice substitution)
{
    unsigned last = 0;

    for (size_t i = 0; i + 1 < substitution.len; i++) {
        if (substitution.data[i] != '\\')
            continue;
        const char c = substitution.data[++i];
        if (xds_ascii_digit(c) && (unsigned)(c - '0') > last)
            last = (unsigned)(c - '0');
    }
    return last;
}

/* Bytes of the character at `from`; a byte that begins none counts as one. */
static size_t step_over(struct xds_slice subject, size_t from)
{
    struct xds_slice rest = xds_slice_from(subject, from);
    uint32_t rune;

    if (rest.len == 0)
        return 1;
    return xds_utf8_next(&rest, &rune) ? subject.len - from - rest.len : 1;
}

/* Copy one character instead of replacing an empty match right after another one. */
static size_t copy_character(struct replacement *r, size_t from)
{
    const size_t step = step_over(r->subject, from);

    if (from < r->subject.len)
        append(r, r->subject.data + from, step);
    return from + step;
}

static enum xds_match replace(struct replacement *r)
{
    enum xds_match found = XDS_NO_MATCH;
    size_t at = 0, last_end = SIZE_MAX;

    while (at <= r->subject.len && !r->too_long) {
        found = xds_regex_run(r->regex, r->code, r->subject, at);
        if (found != XDS_MATCH)
            break;
        const size_t from = bounds(r)[0], to = bounds(r)[1];
        append(r, r->subject.data + at, from - at);
        if (from == to && from == last_end && !r->after_match) {
            at = copy_character(r, from);
            continue;
        }
        append_substitution(r);
        last_end = to;
        at = from == to && r->after_match ? copy_character(r, from) : to;
    }
    if (at < r->subject.len)
        append(r, r->subject.data + at, r->subject.len - at);
    return r->too_long ? XDS_MATCH_UNDECIDED : found;
}

/* PCRE2 counts anew at each place where a match may begin. */
static void limit_steps(const struct xds_regex *regex, struct xds_slice subject)
{
    pcre2_set_match_limit(regex->matcher->cache->match,
                          (uint32_t)(XDS_REGEX_MATCH_LIMIT / (subject.len + 1)) +
                              LEAST_STEPS);
}

enum xds_match xds_regex_finds(const struct xds_regex *regex, struct xds_slice subject,
                               bool empty)
{
    const struct xds_slice text = subject.data ? subject : XDS_S("");
    const pcre2_code *code = xds_regex_code(regex, XDS_REGEX_SEARCH, text);
    const struct replacement r = {.regex = regex, .code = code, .subject = text};
    enum xds_match found;
    size_t at = 0;

    if (!code || regex->nullable_loop)
        return XDS_MATCH_UNDECIDED;
    limit_steps(regex, text);
    do {
        found = xds_regex_run(regex, code, text, at);
        if (found != XDS_MATCH || !empty || bounds(&r)[0] == bounds(&r)[1])
            return found;
        at = bounds(&r)[1];
    } while (true);
}

bool xds_regex_replace_all(const struct xds_regex *regex, struct xds_slice subject,
                           struct xds_slice substitution, bool after_match,
                           struct xds_arena *arena, struct xds_slice *out)
{
    struct replacement r = {.arena = arena,
                            .regex = regex,
                            .code = xds_regex_code(regex, XDS_REGEX_SEARCH, subject),
                            .subject = subject,
                            .substitution = substitution,
                            .after_match = after_match};

    if (!subject.data)
        r.subject = XDS_S("");
    *out = r.subject;
    if (last_group(substitution) > regex->groups)
        return true; /* RE2 leaves the subject alone */
    if (!r.code || regex->nullable_loop)
        return false;
    limit_steps(regex, subject);
    if (replace(&r) == XDS_MATCH_UNDECIDED)
        return false;
    *out = xds_slice_make(r.text ? r.text : "", r.len);
    return true;
}

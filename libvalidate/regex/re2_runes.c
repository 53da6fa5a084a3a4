/*
 * re2_runes.c - sets of runes: adding with case folding, negating, spelling in UTF-8.
 *
 * Source: RE2 parse.cc (AddFoldedRange, AddUGroup), compile.cc (AddRuneRangeUTF8).
 */
#include "regex/re2.h"

#include <stdlib.h>

#include "base/ascii.h"

/* ---- what is known of Unicode: unicode.txt ---- */

struct unicode_group {
    const char *name;
    const char *ranges;
    enum { UNICODE_ALL, UNICODE_NOT_RE2J, UNICODE_GO } known_to;
};

struct unicode_alias {
    const char *name;
    const char *of; /* categories with blanks between; "^": all that is in none of them;
                       a range; NULL: RE2 has the name too, in this case */
};

/* Each rune of a range folds to the next of its orbit, which closes into a circle. */
struct unicode_fold {
    uint32_t first, last;
    int32_t step; /* to the next; FOLD_PAIRS: first and second swap, and so on */
};
#define FOLD_PAIRS 0

#include "unicode.inc"

/* ---- ranges ---- */

static int by_lo(const void *a, const void *b)
{
    const struct xds_rune_range *x = a, *y = b;

    return (x->lo > y->lo) - (x->lo < y->lo);
}

static bool is_sorted(const struct xds_rune_set *set)
{
    for (size_t i = 1; i < set->n; i++)
        if (set->range[i - 1].lo > set->range[i].lo)
            return false;
    return true;
}

void xds_runes_normalize(struct xds_rune_set *set)
{
    size_t kept = 0;

    if (set->n < 2)
        return;
    if (!is_sorted(set))
        qsort(set->range, set->n, sizeof *set->range, by_lo);
    for (size_t i = 1; i < set->n; i++) {
        struct xds_rune_range *last = &set->range[kept];

        if (set->range[i].lo > last->hi + 1)
            set->range[++kept] = set->range[i];
        else if (set->range[i].hi > last->hi)
            last->hi = set->range[i].hi;
    }
    set->n = kept + 1;
}

/* A set that repeats itself is merged before it may grow. */
static void make_room(struct xds_rune_set *set)
{
    if (set->n < set->cap)
        return;
    xds_runes_normalize(set);
    if (set->cap && set->n <= set->cap / 2)
        return;

    const size_t cap = set->cap ? set->cap * 2 : 64;
    struct xds_rune_range *range = XDS_NEW_ARRAY(set->arena, struct xds_rune_range, cap);
    if (set->n)
        memcpy(range, set->range, set->n * sizeof *range);
    set->range = range;
    set->cap = cap;
}

static void add(struct xds_rune_set *set, uint32_t lo, uint32_t hi)
{
    make_room(set);
    set->range[set->n++] = (struct xds_rune_range){lo, hi};
    set->work++;
}

void xds_runes_negate(struct xds_rune_set *set)
{
    const size_t n = set->n;
    uint32_t next = 0; /* first rune not yet decided */
    size_t kept = 0;

    /* A gap is in front of each range, so the ranges can be overwritten in step. */
    for (size_t i = 0; i < n; i++) {
        const struct xds_rune_range r = set->range[i];

        if (next < r.lo)
            set->range[kept++] = (struct xds_rune_range){next, r.lo - 1};
        next = r.hi + 1;
    }
    set->n = kept;
    if (next <= XDS_RUNE_MAX)
        add(set, next, XDS_RUNE_MAX);
}

bool xds_runes_are_both_cases(const struct xds_rune_set *set)
{
    if (set->n != 2)
        return false;
    const struct xds_rune_range upper = set->range[0], lower = set->range[1];

    return upper.lo == upper.hi && lower.lo == lower.hi && upper.lo >= 'A' &&
           upper.lo <= 'Z' && lower.lo == upper.lo + ('a' - 'A');
}

uint32_t xds_runes_letters(const struct xds_rune_set *set, uint32_t a)
{
    uint32_t letters = 0;

    for (size_t i = 0; i < set->n && set->range[i].lo < a + 26; i++) {
        const struct xds_rune_range r = set->range[i];
        const uint32_t lo = r.lo > a ? r.lo - a : 0, hi = r.hi < a + 25 ? r.hi - a : 25;

        if (r.hi >= a)
            letters |= (UINT32_MAX >> (31 - hi)) & (UINT32_MAX << lo);
    }
    return letters;
}

void xds_runes_copy(struct xds_rune_set *to, const struct xds_rune_set *from)
{
    to->n = 0;
    for (size_t i = 0; i < from->n; i++)
        add(to, from->range[i].lo, from->range[i].hi);
}

bool xds_runes_has(const struct xds_rune_set *set, uint32_t rune)
{
    size_t lo = 0, hi = set->n;

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;

        if (set->range[mid].hi < rune)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < set->n && set->range[lo].lo <= rune;
}

/* ---- case folding ---- */

/* The first fold range that ends at or after rune. */
static size_t find_fold(uint32_t rune)
{
    size_t lo = 0, hi = XDS_ARRAY_LEN(folds);

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;

        if (folds[mid].last < rune)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The next rune of its orbit: those that differ only in case. Itself when it is alone. */
static uint32_t next_fold(uint32_t rune)
{
    const size_t i = find_fold(rune);
    const struct unicode_fold *f = &folds[i];

    if (i == XDS_ARRAY_LEN(folds) || f->first > rune)
        return rune;
    if (f->step != FOLD_PAIRS)
        return (uint32_t)((int32_t)rune + f->step);
    return (rune - f->first) % 2 ? rune - 1 : rune + 1;
}

/* What lo to hi, all within the fold range, fold to; pairs are widened to whole ones. */
static struct xds_rune_range fold_range(const struct unicode_fold *f, uint32_t lo,
                                        uint32_t hi)
{
    if (f->step != FOLD_PAIRS)
        return (struct xds_rune_range){(uint32_t)((int32_t)lo + f->step),
                                       (uint32_t)((int32_t)hi + f->step)};
    return (struct xds_rune_range){lo - (lo - f->first) % 2,
                                   hi + 1 - (hi - f->first) % 2};
}

/* The longest orbit has four runes, so that three steps close it. */
#define FOLD_STEPS 3

static void add_folded(struct xds_rune_set *set, uint32_t lo, uint32_t hi, int steps)
{
    for (size_t i = find_fold(lo); i < XDS_ARRAY_LEN(folds); i++) {
        const struct unicode_fold *f = &folds[i];

        if (f->first > hi)
            break;
        const struct xds_rune_range to =
            fold_range(f, lo > f->first ? lo : f->first, hi < f->last ? hi : f->last);
        add(set, to.lo, to.hi);
        if (steps > 1)
            add_folded(set, to.lo, to.hi, steps - 1);
    }
}

void xds_runes_add(struct xds_rune_set *set, uint32_t lo, uint32_t hi, bool fold)
{
    add(set, lo, hi);
    if (fold)
        add_folded(set, lo, hi, FOLD_STEPS);
}

void xds_runes_add_orbit(struct xds_rune_set *set, uint32_t rune)
{
    while (!xds_runes_has(set, rune)) {
        const size_t i = find_fold(rune);

        add(set, rune, rune);
        xds_runes_normalize(set);
        if (i == XDS_ARRAY_LEN(folds) || folds[i].first > rune)
            break;
        const struct unicode_fold *f = &folds[i];
        const uint32_t odd = (rune - f->first) % 2;
        rune = f->step != FOLD_PAIRS ? (uint32_t)((int32_t)rune + f->step)
               : odd                 ? rune - 1
                                     : rune + 1;
    }
}

/* ---- Unicode names ---- */

static uint32_t read_hex(const char **at)
{
    uint32_t value = 0;

    for (;; ++*at) {
        const char c = **at;

        if (c >= '0' && c <= '9')
            value = value * 16 + (uint32_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + (uint32_t)(c - 'a') + 10;
        else
            return value;
    }
}

/* Ranges as unicode.txt has them. */
static void add_text(struct xds_rune_set *set, const char *at, bool fold)
{
    while (*at) {
        const uint32_t lo = read_hex(&at);
        const uint32_t hi = *at == '-' ? (at++, read_hex(&at)) : lo;

        if (*at == '/') { /* "/2": every second one */
            at += 2;
            for (uint32_t r = lo; r <= hi; r += 2)
                xds_runes_add(set, r, r, fold);
        } else {
            xds_runes_add(set, lo, hi, fold);
        }
        at += *at == ' ';
    }
}

/* "L" stands for all categories that begin with it. */
static bool names_category(const char *category, struct xds_slice name)
{
    return (name.len == 1 && name.data[0] == category[0]) || xds_slice_is(name, category);
}

static bool add_category(struct xds_rune_set *set, struct xds_slice name, bool fold)
{
    bool known = false;

    for (size_t i = 0; i < XDS_ARRAY_LEN(categories); i++) {
        if (!names_category(categories[i].name, name))
            continue;
        known = true;
        if (set)
            add_text(set, categories[i].ranges, fold);
    }
    return known;
}

static const struct unicode_group *find_script(struct xds_slice name)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(scripts); i++)
        if (xds_slice_is(name, scripts[i].name))
            return &scripts[i];
    return NULL;
}

static bool add_script(struct xds_rune_set *set, struct xds_slice name, bool fold)
{
    const struct unicode_group *script = find_script(name);

    if (script)
        add_text(set, script->ranges, fold);
    return script;
}

/* The same for a name that only Go has, such as "Cased_Letter". */
static bool add_alias(struct xds_rune_set *set, struct xds_slice name, bool fold)
{
    struct xds_rune_set part = {.arena = set->arena};
    const char *of = NULL;
    struct xds_slice rest;

    for (size_t i = 0; i < XDS_ARRAY_LEN(aliases); i++)
        if (aliases[i].of && xds_slice_is(name, aliases[i].name))
            of = aliases[i].of;
    if (of && xds_ascii_digit(of[0]))
        add_text(set, of, fold);
    if (!of || xds_ascii_digit(of[0]))
        return of;
    rest = xds_slice_of(of + (of[0] == '^'));
    while (rest.data) {
        rest = xds_slice_cut(rest, ' ', &name);
        xds_runes_add_named(&part, name, fold);
    }
    xds_runes_normalize(&part);
    if (of[0] == '^')
        xds_runes_negate(&part);
    for (size_t i = 0; i < part.n; i++)
        xds_runes_add(set, part.range[i].lo, part.range[i].hi, false);
    set->work += part.work;
    return true;
}

bool xds_runes_add_named(struct xds_rune_set *set, struct xds_slice name, bool fold)
{
    if (xds_slice_is(name, "Any")) {
        xds_runes_add(set, 0, XDS_RUNE_MAX, false);
        return true;
    }
    return add_category(set, name, fold) || add_script(set, name, fold) ||
           add_alias(set, name, fold);
}

bool xds_runes_known(struct xds_slice name)
{
    const struct unicode_group *script = find_script(name);

    return xds_slice_is(name, "Any") || add_category(NULL, name, false) ||
           (script && script->known_to != UNICODE_GO);
}

bool xds_runes_known_to_go(struct xds_slice name)
{
    for (size_t i = 2; i < name.len; i++)
        if (name.data[i] == '_' || (name.data[i] >= 'A' && name.data[i] <= 'Z'))
            return false;
    return true;
}

bool xds_runes_known_to_java(struct xds_slice name)
{
    const struct unicode_group *script = find_script(name);

    return !script || script->known_to == UNICODE_ALL;
}

/* ---- UTF-8 ---- */

/* The largest rune of as many bytes. */
static uint32_t last_of_length(uint32_t rune)
{
    static const uint32_t last[] = {0, 0x7f, 0x7ff, 0xffff, XDS_RUNE_MAX};

    return last[xds_utf8_length(rune)];
}

/* The last rune of a span that begins at lo: the tail bytes below the first that
 * differs must run through all their values. */
static uint32_t span_end(uint32_t lo, uint32_t hi)
{
    if (hi > last_of_length(lo))
        hi = last_of_length(lo);
    for (unsigned i = 1; i < xds_utf8_length(lo); i++) {
        const uint32_t tail = ((uint32_t)1 << (6 * i)) - 1;

        if ((lo & ~tail) == (hi & ~tail))
            continue;
        if (lo & tail)
            return lo | tail;
        if ((hi & tail) != tail)
            hi = (hi & ~tail) - 1;
    }
    return hi;
}

bool xds_utf8_span_next(struct xds_rune_range *range, struct xds_utf8_span *span)
{
    if (range->lo > range->hi)
        return false;
    const uint32_t end = span_end(range->lo, range->hi);

    span->n = xds_utf8_put(span->lo, range->lo);
    xds_utf8_put(span->hi, end);
    range->lo = end + 1;
    return true;
}

/* The next letter that counts, in lower case; -1 at the end. */
static int next_letter(struct xds_slice *name)
{
    while (name->len) {
        const char c = name->data[0];

        *name = xds_slice_from(*name, 1);
        if (c != ' ' && c != '_' && c != '-')
            return (unsigned char)xds_ascii_lower(c);
    }
    return -1;
}

static bool is_spelling(struct xds_slice name, struct xds_slice of)
{
    int a, b;

    do {
        a = next_letter(&name);
        b = next_letter(&of);
    } while (a == b && a >= 0);
    return a == b;
}

struct xds_slice xds_runes_find_spelled(struct xds_slice name)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(aliases); i++)
        if (is_spelling(name, xds_slice_of(aliases[i].name)))
            return xds_slice_of(aliases[i].name);
    for (size_t i = 0; i < XDS_ARRAY_LEN(categories); i++)
        if (is_spelling(name, xds_slice_of(categories[i].name)))
            return xds_slice_of(categories[i].name);
    for (size_t i = 0; i < XDS_ARRAY_LEN(scripts); i++)
        if (is_spelling(name, xds_slice_of(scripts[i].name)) &&
            xds_runes_known_to_go(xds_slice_of(scripts[i].name)))
            return xds_slice_of(scripts[i].name);
    return (struct xds_slice){NULL, 0};
}

static uint32_t first_of_orbit(uint32_t rune)
{
    uint32_t first = rune;

    for (uint32_t r = next_fold(rune); r != rune; r = next_fold(r))
        if (r < first)
            first = r;
    return first;
}

struct xds_slice xds_fold_case(struct xds_arena *arena, struct xds_slice text)
{
    uint8_t *out = xds_arena_alloc(arena, text.len + 1);
    size_t n = 0;

    while (text.len > 0) {
        const char byte = text.data[0];
        const bool is_ascii = (unsigned char)byte < 0x80;
        uint32_t rune;

        if (!is_ascii && xds_utf8_next(&text, &rune)) {
            n += xds_utf8_put(out + n, first_of_orbit(rune));
            continue;
        }
        /* The first rune of an orbit that has a letter of ASCII is the capital one. */
        out[n++] = (uint8_t)xds_ascii_upper(byte);
        text = xds_slice_from(text, 1);
    }
    return xds_slice_make((const char *)out, n);
}

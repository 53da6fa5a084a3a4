/*
 * re2_runes.c - sets of runes: adding with case folding, negating, spelling in UTF-8.
 *
 * Source: RE2 parse.cc (AddFoldedRange, AddUGroup), compile.cc (AddRuneRangeUTF8).
 */
#include "regex/re2_runes.h"

#include <stdlib.h>

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
    size_t lo = 0, hi = xds_unicode_n_folds;

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;

        if (xds_unicode_folds[mid].last < rune)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

uint32_t xds_rune_next_fold(uint32_t rune)
{
    const size_t i = find_fold(rune);
    const struct xds_unicode_fold *f = &xds_unicode_folds[i];

    if (i == xds_unicode_n_folds || f->first > rune)
        return rune;
    if (f->step != XDS_FOLD_PAIRS)
        return (uint32_t)((int32_t)rune + f->step);
    return (rune - f->first) % 2 ? rune - 1 : rune + 1;
}

/* What lo to hi, all within the fold range, fold to; pairs are widened to whole ones. */
static struct xds_rune_range fold_range(const struct xds_unicode_fold *f, uint32_t lo,
                                        uint32_t hi)
{
    if (f->step != XDS_FOLD_PAIRS)
        return (struct xds_rune_range){(uint32_t)((int32_t)lo + f->step),
                                       (uint32_t)((int32_t)hi + f->step)};
    return (struct xds_rune_range){lo - (lo - f->first) % 2,
                                   hi + 1 - (hi - f->first) % 2};
}

/* The longest orbit has four runes, so that three steps close it. */
#define FOLD_STEPS 3

static void add_folded(struct xds_rune_set *set, uint32_t lo, uint32_t hi, int steps)
{
    for (size_t i = find_fold(lo); i < xds_unicode_n_folds; i++) {
        const struct xds_unicode_fold *f = &xds_unicode_folds[i];

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
        if (i == xds_unicode_n_folds || xds_unicode_folds[i].first > rune)
            break;
        const struct xds_unicode_fold *f = &xds_unicode_folds[i];
        const uint32_t odd = (rune - f->first) % 2;
        rune = f->step != XDS_FOLD_PAIRS ? (uint32_t)((int32_t)rune + f->step)
               : odd                     ? rune - 1
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

/* See struct xds_unicode_group for the grammar. */
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

    for (const struct xds_unicode_group *g = xds_unicode_categories; g->name; g++) {
        if (!names_category(g->name, name))
            continue;
        known = true;
        if (set)
            add_text(set, g->ranges, fold);
    }
    return known;
}

static bool add_script(struct xds_rune_set *set, struct xds_slice name, bool fold)
{
    bool known = false;

    for (const struct xds_unicode_group *g = xds_unicode_scripts; g->name; g++) {
        if (!xds_slice_is(name, g->name))
            continue;
        known = set || !xds_slice_is(name, XDS_SCRIPT_OF_GO);
        if (set)
            add_text(set, g->ranges, fold);
    }
    return known;
}

bool xds_runes_add_named(struct xds_rune_set *set, struct xds_slice name, bool fold)
{
    if (xds_slice_is(name, "Any")) {
        xds_runes_add(set, 0, XDS_RUNE_MAX, false);
        return true;
    }
    return add_category(set, name, fold) || add_script(set, name, fold) ||
           xds_runes_add_alias(set, name, fold);
}

bool xds_runes_known(struct xds_slice name)
{
    return xds_slice_is(name, "Any") || add_category(NULL, name, false) ||
           add_script(NULL, name, false);
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
    for (const char *const *script = xds_unicode_not_in_re2j; *script; script++)
        if (xds_slice_is(name, *script))
            return false;
    return true;
}

/* ---- UTF-8 ---- */

static const struct shape {
    uint32_t max;   /* largest rune of this length */
    uint8_t prefix; /* of the first byte */
} shapes[] = {{0x7f, 0x00}, {0x7ff, 0xc0}, {0xffff, 0xe0}, {XDS_RUNE_MAX, 0xf0}};

unsigned xds_utf8_length(uint32_t rune)
{
    unsigned n = 1;

    while (n < 4 && rune > shapes[n - 1].max)
        n++;
    return n;
}

unsigned xds_utf8_encode(uint32_t rune, uint8_t out[4])
{
    const unsigned n = xds_utf8_length(rune);

    for (unsigned i = n - 1; i > 0; i--, rune >>= 6)
        out[i] = (uint8_t)(0x80 | (rune & 0x3f));
    out[0] = (uint8_t)(shapes[n - 1].prefix | rune);
    return n;
}

bool xds_utf8_next(struct xds_slice *s, uint32_t *rune)
{
    const unsigned char *at = (const unsigned char *)s->data;
    unsigned n = 1;

    if (s->len == 0)
        return false;
    if (at[0] >= 0x80)
        n = at[0] < 0xc0 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf8 ? 4 : 0;
    if (n == 0 || n > s->len)
        return false;
    uint32_t value = n == 1 ? at[0] : at[0] & (0x7fu >> n);
    for (unsigned i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return false;
        value = value << 6 | (at[i] & 0x3fu);
    }
    if (value > XDS_RUNE_MAX || xds_utf8_length(value) != n)
        return false;
    *rune = value;
    *s = xds_slice_from(*s, n);
    return true;
}

/* The last rune of a span that begins at lo: the tail bytes below the first that
 * differs must run through all their values. */
static uint32_t span_end(uint32_t lo, uint32_t hi)
{
    if (hi > shapes[xds_utf8_length(lo) - 1].max)
        hi = shapes[xds_utf8_length(lo) - 1].max;
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

    span->n = xds_utf8_encode(range->lo, span->lo);
    xds_utf8_encode(end, span->hi);
    range->lo = end + 1;
    return true;
}

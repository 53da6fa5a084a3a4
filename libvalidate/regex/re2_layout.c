/*
 * re2_layout.c - a set of runes to the instructions that RE2 matches it with.
 *
 * Source: RE2 compile.cc, AddRuneRangeUTF8(), AddSuffixRecursive(), Add_80_10ffff().
 */
#include "regex/re2_size.h"

#define ASCII 0x80u
#define NONE 0u /* no instruction; as `out`: the end of the set */

struct inst {
    uint8_t lo, hi;
    bool is_choice;     /* between out and out1, else a byte range in front of out */
    uint32_t out, out1; /* in a choice out1 is always a byte range */
};

struct cached {
    uint64_t key;
    uint32_t at;
    uint32_t turn; /* free when it is of an earlier one */
};

struct xds_re2_layout {
    struct xds_arena *arena;
    struct inst *inst;
    uint32_t n, cap; /* inst[0] is no instruction */
    uint32_t root;
    struct cached *cache; /* of a power of two */
    size_t cache_n, cache_cap;
    uint32_t turn; /* sets laid out so far */
    uint64_t work;
};

struct xds_re2_layout *xds_re2_layout_new(struct xds_arena *arena)
{
    struct xds_re2_layout *layout = XDS_NEW(arena, struct xds_re2_layout);

    layout->arena = arena;
    return layout;
}

static void clear(struct xds_re2_layout *l)
{
    l->n = 1;
    l->root = NONE;
    l->cache_n = 0;
    l->turn++;
}

bool xds_re2_layout_is_spent(const struct xds_re2_layout *layout)
{
    return layout->work > XDS_RE2_MOST_SPENT;
}

static uint32_t add_inst(struct xds_re2_layout *l, struct inst inst)
{
    if (l->n >= l->cap) {
        const uint32_t cap = l->cap ? l->cap * 2 : 64;
        struct inst *bigger = xds_arena_alloc(l->arena, cap * sizeof *bigger);

        if (l->cap)
            memcpy(bigger, l->inst, l->cap * sizeof *bigger);
        l->inst = bigger;
        l->cap = cap;
    }
    l->inst[l->n] = inst;
    return l->n++;
}

static uint32_t add_range(struct xds_re2_layout *l, uint8_t lo, uint8_t hi, uint32_t next)
{
    return add_inst(l, (struct inst){.lo = lo, .hi = hi, .out = next});
}

/* ---- cache ---- */

static uint64_t key_of(uint8_t lo, uint8_t hi, uint32_t next)
{
    return (uint64_t)next << 16 | (uint64_t)lo << 8 | hi;
}

static bool is_free(const struct xds_re2_layout *l, const struct cached *cached)
{
    return cached->turn != l->turn;
}

/* Where the key is, or the free place for it. */
static struct cached *find_cached(const struct xds_re2_layout *l, uint64_t key)
{
    size_t i = (size_t)((key * 0x9e3779b97f4a7c15u) >> 32) & (l->cache_cap - 1);

    while (!is_free(l, &l->cache[i]) && l->cache[i].key != key)
        i = (i + 1) & (l->cache_cap - 1);
    return &l->cache[i];
}

static void grow_cache(struct xds_re2_layout *l)
{
    const struct cached *old = l->cache;
    const size_t n = l->cache_cap;

    l->cache_cap = n ? n * 2 : 64;
    l->cache = XDS_NEW_ARRAY(l->arena, struct cached, l->cache_cap);
    for (size_t i = 0; i < n; i++)
        if (!is_free(l, &old[i]))
            *find_cached(l, old[i].key) = old[i];
}

static uint32_t add_cached(struct xds_re2_layout *l, uint8_t lo, uint8_t hi,
                           uint32_t next)
{
    const uint64_t key = key_of(lo, hi, next);

    if (l->cache_n * 2 >= l->cache_cap)
        grow_cache(l);
    struct cached *cached = find_cached(l, key);
    if (is_free(l, cached)) {
        *cached = (struct cached){key, add_range(l, lo, hi, next), l->turn};
        l->cache_n++;
    }
    return cached->at;
}

/* RE2 asks for one of this content, not for this very one. */
static bool is_cached(const struct xds_re2_layout *l, uint32_t at)
{
    const struct inst *inst = &l->inst[at];

    return l->cache_n &&
           !is_free(l, find_cached(l, key_of(inst->lo, inst->hi, inst->out)));
}

/* ---- trie ---- */

static bool same_bytes(const struct inst *a, const struct inst *b)
{
    return a->lo == b->lo && a->hi == b->hi;
}

/* The byte range of `root` that a sequence equal at its head can share. The ranges come
 * in order, so that only the last one can be equal. */
static uint32_t find_head(const struct xds_re2_layout *l, uint32_t root, uint32_t head)
{
    const uint32_t last = l->inst[root].is_choice ? l->inst[root].out1 : root;

    return same_bytes(&l->inst[last], &l->inst[head]) ? last : NONE;
}

/* Its root afterwards. Goes no deeper than the bytes of a rune. */
static uint32_t insert(struct xds_re2_layout *l, uint32_t root, uint32_t head)
{
    uint32_t shared = find_head(l, root, head);

    if (!shared)
        return add_inst(l, (struct inst){.is_choice = true, .out = root, .out1 = head});
    if (is_cached(l, shared)) { /* others use it too */
        const bool is_root = shared == root;

        shared = add_inst(l, l->inst[shared]);
        if (is_root)
            root = shared;
        else
            l->inst[root].out1 = shared;
    }
    const uint32_t next = l->inst[head].out;
    if (!is_cached(l, head))
        l->n--; /* it was the last to be added */
    const uint32_t behind = insert(l, l->inst[shared].out, next);
    l->inst[shared].out = behind;
    return root;
}

static void add_sequence(struct xds_re2_layout *l, uint32_t head)
{
    l->root = l->root ? insert(l, l->root, head) : head;
}

/* ---- ranges ---- */

static void add_span(struct xds_re2_layout *l, const struct xds_utf8_span *span)
{
    uint32_t next = NONE;

    for (unsigned i = span->n; i-- > 0;) {
        const bool is_last = i == span->n - 1 && i > 0;
        const bool cache = is_last || (span->lo[i] < span->hi[i] && i > 0);

        next = cache ? add_cached(l, span->lo[i], span->hi[i], next)
                     : add_range(l, span->lo[i], span->hi[i], next);
    }
    add_sequence(l, next);
}

/* Everything above ASCII; overlong forms are let in to keep it short. */
static void add_all_above(struct xds_re2_layout *l)
{
    const uint32_t last = add_range(l, 0x80, 0xbf, NONE);
    add_sequence(l, add_range(l, 0xc2, 0xdf, last));
    const uint32_t third = add_range(l, 0x80, 0xbf, last);
    add_sequence(l, add_range(l, 0xe0, 0xef, third));
    const uint32_t second = add_range(l, 0x80, 0xbf, third);
    add_sequence(l, add_range(l, 0xf0, 0xf4, second));
}

static void add_runes(struct xds_re2_layout *l, struct xds_rune_range range)
{
    const bool all_above = range.lo <= ASCII && range.hi == XDS_RUNE_MAX;
    struct xds_utf8_span span;

    if (all_above)
        range.hi = ASCII - 1;
    while (xds_utf8_span_next(&range, &span))
        add_span(l, &span);
    if (all_above)
        add_all_above(l);
}

static bool is_upper_case(struct xds_rune_range range)
{
    return range.lo >= 'A' && range.hi <= 'Z';
}

struct xds_re2_size xds_re2_set_size(struct xds_re2_layout *layout,
                                     const struct xds_rune_set *set)
{
    /* RE2 then folds case as it matches, and needs no upper case. */
    const bool folds = xds_runes_letters(set, 'A') == xds_runes_letters(set, 'a');

    if (set->n == 0) /* no instruction, but a part to walk over */
        return (struct xds_re2_size){0, 1};
    clear(layout);
    for (size_t i = 0; i < set->n; i++)
        if (!folds || !is_upper_case(set->range[i]))
            add_runes(layout, set->range[i]);
    layout->work += layout->n;
    return (struct xds_re2_size){layout->n - 1, layout->n - 1};
}

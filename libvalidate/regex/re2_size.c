/*
 * re2_size.c - how many instructions RE2 spends on sets of runes, repeats, branches,
 * groups.
 *
 * Source: RE2 parse.cc, FactorAlternation(); simplify.cc, CoalesceWalker and
 *         SimplifyRepeat(); compile.cc, AddRuneRangeUTF8(), AddSuffixRecursive(),
 *         Add_80_10ffff().
 */
#include "regex/re2.h"

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

/* Its root afterwards. Goes no deeper than the bytes of a rune. */
static uint32_t insert(struct xds_re2_layout *l, uint32_t root, uint32_t head)
{
    /* The byte range of `root` that a sequence equal at its head can share. The ranges
     * come in order, so that only the last one can be equal. */
    const uint32_t last = l->inst[root].is_choice ? l->inst[root].out1 : root;
    uint32_t shared =
        l->inst[last].lo == l->inst[head].lo && l->inst[last].hi == l->inst[head].hi
            ? last
            : NONE;

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

struct xds_re2_size xds_re2_set_size(struct xds_re2_layout *layout,
                                     const struct xds_rune_set *set)
{
    /* RE2 then folds case as it matches, and needs no upper case. */
    const bool folds = xds_runes_letters(set, 'A') == xds_runes_letters(set, 'a');

    if (set->n == 0) /* no instruction, but a part to walk over */
        return (struct xds_re2_size){0, 1};
    layout->n = 1;
    layout->root = NONE;
    layout->cache_n = 0;
    layout->turn++;
    for (size_t i = 0; i < set->n; i++)
        if (!folds || set->range[i].lo < 'A' || set->range[i].hi > 'Z') {
            struct xds_rune_range range = set->range[i];
            const bool all_above = range.lo <= ASCII && range.hi == XDS_RUNE_MAX;
            struct xds_utf8_span span;

            if (all_above)
                range.hi = ASCII - 1;
            while (xds_utf8_span_next(&range, &span))
                add_span(layout, &span);
            if (all_above)
                add_all_above(layout);
        }
    layout->work += layout->n;
    return (struct xds_re2_size){layout->n - 1, layout->n - 1};
}

static uint64_t clamp(uint64_t n)
{
    return n < XDS_RE2_MOST_SPENT ? n : XDS_RE2_MOST_SPENT;
}

/* ---- keys ---- */

static uint64_t mix(uint64_t key, uint64_t value)
{
    key = (key ^ value) * 0x9e3779b97f4a7c15u;
    return key ^ key >> 29;
}

static uint64_t no_other(uint64_t key)
{
    return key > XDS_RE2_LIKE_ANY ? key : key + 2;
}

uint64_t xds_re2_rune_key(uint32_t rune)
{
    return no_other(mix(mix(0, rune), rune));
}

uint64_t xds_re2_set_key(const struct xds_rune_set *set)
{
    uint64_t key = 0;

    for (size_t i = 0; i < set->n; i++)
        key = mix(mix(key, set->range[i].lo), set->range[i].hi);
    return no_other(key);
}

static bool may_be_alike(uint64_t a, uint64_t b)
{
    if (a == XDS_RE2_UNLIKE_ALL || b == XDS_RE2_UNLIKE_ALL)
        return false;
    return a == b || a == XDS_RE2_LIKE_ANY || b == XDS_RE2_LIKE_ANY;
}

/* ---- ends ---- */

struct xds_re2_ends xds_re2_set_ends(const struct xds_rune_set *set)
{
    const uint32_t upper = xds_runes_letters(set, 'A'),
                   lower = xds_runes_letters(set, 'a');

    return (struct xds_re2_ends){
        .folded = xds_runes_are_both_cases(set) ? upper : 0,
        .lower = lower & ~upper,
        .top = set->n && set->range[set->n - 1].hi == XDS_RUNE_MAX,
    };
}

static struct xds_re2_ends either(struct xds_re2_ends a, struct xds_re2_ends b)
{
    return (struct xds_re2_ends){a.folded | b.folded, a.lower | b.lower, a.top || b.top};
}

/* ---- repeats ---- */

/* RE2 writes x{2,4} as xx(x(x)?)? and x{2,} as xx+. */
static uint64_t repeated(uint64_t size, struct xds_re2_counts c, bool nullable)
{
    if (c.max != XDS_RE2_NO_MAX)
        return clamp(size * c.max + (c.max - c.min));
    if (c.min == 0)
        return clamp(size + (nullable ? 2 : 1));
    return clamp(size * c.min + 1);
}

static bool is_loop(struct xds_re2_counts c)
{
    return (c.max == XDS_RE2_NO_MAX && c.min < 2) || (c.min == 0 && c.max > 0);
}

void xds_re2_repeat_size(struct xds_re2_size *size, struct xds_re2_shape *shape,
                         struct xds_re2_counts counts, bool nullable)
{
    const bool was_looped = shape->looped;

    const bool fixed = counts.min == counts.max;

    shape->one = shape->runes ? size->least : 0;
    shape->counts = counts;
    shape->first = fixed && shape->runes && shape->first > XDS_RE2_LIKE_ANY
                       ? no_other(mix(shape->first, counts.min))
                   : fixed ? shape->first
                           : XDS_RE2_UNLIKE_ALL;
    if (shape->sequence || !(shape->runes || shape->repeated))
        shape->unit = XDS_RE2_UNLIKE_ALL;
    shape->runes = shape->known = shape->sequence = false;
    shape->ends = (struct xds_re2_ends){.top = false};
    shape->repeated = true;
    shape->looped = is_loop(counts) || (counts.max == 1 && shape->looped);
    shape->empty |= counts.max == 0;
    if (shape->empty) {
        *size = (struct xds_re2_size){0, 1};
        return;
    }
    if (counts.min == 1 && counts.max == 1)
        return;
    size->least = repeated(size->least, counts, nullable);
    size->most = repeated(size->most, counts, nullable);
    if (was_looped) { /* a loop in a loop may become one */
        size->least -= size->least > 2 ? 2 : size->least;
        size->most = clamp(size->most + 2);
    }
}

/* ---- what is side by side ---- */

void xds_re2_branch_init(struct xds_re2_branch *branch)
{
    const struct xds_rune_set runes = branch->runes;

    *branch = (struct xds_re2_branch){.runes = runes};
    branch->runes.n = 0;
}

/* RE2 writes x{2}x{3} as x{5}. Returns what both cost at least, merged or not; 0: not
 * known. */
static uint64_t merge(struct xds_re2_shape *to, const struct xds_re2_shape *from,
                      uint64_t least)
{
    const struct xds_re2_counts once = {1, 1},
                                with = from->repeated ? from->counts : once;
    const uint64_t one = from->repeated ? from->one : least;
    struct xds_re2_counts *counts = &to->counts;

    to->one = to->one < one ? to->one : one;
    if (to->one == 0)
        return 0;
    counts->min += with.min;
    counts->max = counts->max == XDS_RE2_NO_MAX || with.max == XDS_RE2_NO_MAX
                      ? XDS_RE2_NO_MAX
                      : counts->max + with.max;
    return repeated(to->one, *counts, false);
}

void xds_re2_branch_add(struct xds_re2_branch *branch, struct xds_re2_size size,
                        const struct xds_re2_shape *shape)
{
    struct xds_re2_shape last = branch->last;

    if (branch->atoms == 0) {
        branch->first = shape->first;
        branch->first_least = size.least;
    }
    const bool alike =
        branch->last.repeated && may_be_alike(branch->last.unit, shape->unit);
    if (alike) {
        branch->size.least -= branch->last_least;
        size.least = merge(&last, shape, size.least);
    }
    branch->size.least = clamp(branch->size.least + size.least);
    branch->size.most = clamp(branch->size.most + size.most);
    branch->last = *shape;
    if (alike) {
        branch->last.repeated = true; /* "a*a" may be "a+" by now */
        branch->last.one = last.one;
        branch->last.counts = last.counts;
    }
    branch->last_least = size.least;
    branch->atoms++;
}

/* ---- branches ---- */

static bool is_full(const struct xds_rune_set *set)
{
    return set->n == 1 && set->range[0].lo == 0 && set->range[0].hi == XDS_RUNE_MAX;
}

/* "[Kk]" is a folded "k" to RE2, and folds in a class to all of its orbit; not when the
 * class has it already. */
static void add_branch_runes(struct xds_rune_set *to, const struct xds_rune_set *from)
{
    if (xds_runes_are_both_cases(from)) {
        xds_runes_add_orbit(to, from->range[1].lo);
        return;
    }
    for (size_t i = 0; i < from->n; i++)
        xds_runes_add(to, from->range[i].lo, from->range[i].hi, false);
    xds_runes_normalize(to);
}

/* The branch begins anew what may be merged. */
static void start_run(struct xds_re2_branches *all, const struct xds_re2_branch *branch,
                      bool known)
{
    all->merged = known;
    all->ends_of_run = branch->last.ends;
    all->runes.n = 0;
    if (known)
        add_branch_runes(&all->runes, &branch->runes);
}

/* One class more in a class of branches. */
static void join(struct xds_re2_branches *all, const struct xds_re2_branch *branch,
                 struct xds_re2_layout *layout)
{
    add_branch_runes(&all->runes, &branch->runes);
    const struct xds_re2_size size = xds_re2_set_size(layout, &all->runes);

    all->sure = all->last.least < size.least ? all->last.least : size.least;
    all->size.least += size.least - all->last.least;
    all->size.most += size.most - all->last.most;
    all->unmerged = clamp(all->unmerged + branch->size.most + 1);
    all->last = size;
    all->merged++;
    all->ends_of_run = either(all->ends_of_run, branch->last.ends);
}

/* One class may be larger than two: when letters of one case are missing, of which it can
 * have 13 ranges, and for what "[Kk]" then folds to. */
#define UNFOLDED (13 * 2 + 8)

/* What is surely left of the last branch: what both begin with. */
static uint64_t common_least(const struct xds_re2_branches *all,
                             const struct xds_re2_branch *branch)
{
    if (branch->first != all->first || branch->first <= XDS_RE2_LIKE_ANY)
        return 0;
    return branch->first_least < all->last.least ? branch->first_least : all->last.least;
}

/* A branch that RE2 may merge with the one before it, in one way or the other. */
static void add_vague(struct xds_re2_branches *all, const struct xds_re2_branch *branch,
                      struct xds_re2_size size)
{
    const uint64_t common = common_least(all, branch);
    const uint64_t kept = common > all->sure ? common : all->sure;
    const struct xds_re2_ends ends = either(all->ends_of_run, branch->last.ends);
    const uint64_t not_merged = all->merged > 1 ? all->unmerged : all->last.most;

    all->size.least -= all->last.least - kept;
    all->size.most += not_merged - all->last.most + size.most + 2 + UNFOLDED;
    if (all->may_be_runes && branch->atoms == 1 && branch->last.runes)
        all->size.most += all->unmerged + size.most;
    all->size.most = clamp(all->size.most);
    all->last = (struct xds_re2_size){kept, size.most};
    all->unmerged = size.most;
    start_run(all, branch, false);
    all->ends_of_run = ends;

    /* What is open when these may be merged. */
    struct xds_regex_open *open = &all->open;
    const uint32_t with_orbits = 1u << ('k' - 'a') | 1u << ('s' - 'a');

    open->letters |= ends.folded & ends.lower;
    open->orbits |= (ends.folded & with_orbits) != 0;
    open->bytes |= ends.top;
}

bool xds_re2_branches_add(struct xds_re2_branches *all,
                          const struct xds_re2_branch *branch,
                          struct xds_re2_layout *layout)
{
    const struct xds_re2_size empty = {1, 1};
    const struct xds_re2_size size = branch->atoms ? branch->size : empty;
    const uint64_t first = branch->atoms ? branch->first : XDS_RE2_UNLIKE_ALL;
    const bool runes = branch->atoms == 1 && branch->last.runes;
    const bool alike = all->n && may_be_alike(all->first, first);

    const bool joins = runes && branch->last.known && all->merged && !alike &&
                       !is_full(&all->runes) && !is_full(&branch->runes) &&
                       !xds_re2_layout_is_spent(layout);

    if (joins)
        join(all, branch, layout);
    else if (alike || (runes && all->may_be_runes))
        add_vague(all, branch, size);
    else {
        const bool known = branch->atoms == 1 && branch->last.known;
        const unsigned choice = all->n > 0;

        all->choices += choice;
        all->size.least = clamp(all->size.least + size.least + choice);
        all->size.most = clamp(all->size.most + size.most + choice);
        all->last = size;
        all->sure = 0;
        all->unmerged = size.most;
        start_run(all, branch, known);
    }
    all->ends = either(all->ends, branch->last.ends);
    all->n++;
    all->first = first;
    all->may_be_runes = runes;
    return joins;
}

/* All branches are one class. */
static bool is_class(const struct xds_re2_branches *all)
{
    return all->n > 1 && all->merged == all->n;
}

struct xds_re2_shape xds_re2_group_shape(const struct xds_re2_branches *all,
                                         const struct xds_re2_branch *only)
{
    const bool is_sequence = all->n == 1 && only->atoms > 0;
    const uint64_t key = is_class(all) ? xds_re2_set_key(&all->runes) : XDS_RE2_LIKE_ANY;

    if (is_sequence && only->atoms == 1)
        return only->last;
    if (all->n > 1)
        return (struct xds_re2_shape){
            .first = key,
            .unit = key,
            .runes = true,
            .known = is_class(all),
            .ends = is_class(all) ? xds_re2_set_ends(&all->runes) : all->ends,
        };
    return (struct xds_re2_shape){
        .first = is_sequence ? only->first : XDS_RE2_UNLIKE_ALL,
        .unit = is_sequence ? XDS_RE2_LIKE_ANY : XDS_RE2_UNLIKE_ALL,
        .repeated = is_sequence,
        .sequence = is_sequence,
        .ends = only->last.ends,
        .empty = !is_sequence,
    };
}

const struct xds_rune_set *xds_re2_group_runes(const struct xds_re2_branches *all,
                                               const struct xds_re2_branch *only)
{
    return is_class(all) ? &all->runes : &only->runes;
}

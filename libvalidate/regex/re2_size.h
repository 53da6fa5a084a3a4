/*
 * re2_size.h - how many instructions RE2 spends on a pattern.
 *
 * RE2 refuses a pattern whose program does not fit into its memory, 8 MiB by default. The
 * count is exact but where RE2 merges what looks alike: branches that begin alike
 * (ab|ac), and repeats of one thing side by side (a*a+). Bounds are kept for these.
 */
#ifndef XDS_REGEX_RE2_SIZE_H
#define XDS_REGEX_RE2_SIZE_H

#include <limits.h>

#include "regex/re2_runes.h"

/* Two thirds of 8 MiB, without 432 bytes of its own, by 8 bytes for each. */
#define XDS_RE2_MOST_INSTRUCTIONS 698996
/* RE2 walks over no more parts than these; a part costs at least half an instruction. */
#define XDS_RE2_SURE_INSTRUCTIONS 500000
/* What surely does not fit into the 16 MiB that re2-wasm has for all that it compiles:
 * from 111,000 on a regex may not, alone in its process. */
#define XDS_RE2_WASM_INSTRUCTIONS 132000
/* Sizes end here: far beyond what RE2 takes. */
#define XDS_RE2_MOST_SPENT ((uint64_t)8 * XDS_RE2_MOST_INSTRUCTIONS)

struct xds_re2_size {
    uint64_t least, most;
};

/* Things of unequal keys are unlike. */
#define XDS_RE2_UNLIKE_ALL 0 /* itself included */
#define XDS_RE2_LIKE_ANY 1   /* but those unlike all */

/* What an atom may end with. A class that RE2 merges may match other things than its
 * parts:
 * "[Kk]" is a folded letter, which is left out with all it folds to when a class has the
 * "k" already, and else brings U+212A; and what goes from U+0080 up to the top takes
 * bytes that are no UTF-8. */
struct xds_re2_ends {
    uint32_t folded; /* a bit for each letter that "[Aa]" is both cases of */
    uint32_t lower;  /* for each that is there in lower case only */
    bool top;        /* U+10FFFF is there */
};

/* What is not known for that reason. */
struct xds_re2_open {
    uint32_t letters; /* a bit for each that may not match in upper case */
    bool orbits;      /* U+212A and U+017F may match */
    bool bytes;       /* so may what is no UTF-8 */
};

struct xds_re2_counts {
    unsigned min, max; /* max XDS_RE2_NO_MAX: no end */
};
#define XDS_RE2_NO_MAX UINT_MAX

/* What decides whether RE2 merges an atom with what is beside it. */
struct xds_re2_shape {
    uint64_t first; /* key of what it begins with, for branches */
    uint64_t unit;  /* key of the one thing that it is, or repeats, for neighbours */
    bool runes;     /* may be one rune or class */
    bool known;     /* is one, and its runes are at hand */
    bool repeated;  /* may be, or end with, a repeat of its unit */
    bool sequence;  /* of atoms, which are merged with neighbours one by one */
    bool looped;    /* "*", "+" or "?" is its outermost operator, or may become it */
    bool empty;     /* "" and nothing else */
    uint64_t one;   /* a repeat: what its unit costs at least; 0: not known */
    struct xds_re2_counts counts; /* where `one` is known */
    struct xds_re2_ends ends;
};

struct xds_re2_branch {
    struct xds_re2_size size;
    uint64_t first;
    uint64_t first_least;      /* the part of the first atom in size.least */
    struct xds_rune_set runes; /* of the first atom, where they are known */
    size_t atoms;
    struct xds_re2_shape last; /* of the last atom */
    uint64_t last_least;       /* its part of size.least */
};

struct xds_re2_branches {
    struct xds_re2_size size; /* of all of them, with the choices between */
    size_t n;
    uint64_t choices;          /* that are surely made, in size.least */
    uint64_t first;            /* key of what the last branch begins with */
    bool may_be_runes;         /* the last branch */
    size_t merged;             /* the last branches that are surely one class; may be 1 */
    struct xds_rune_set runes; /* of that class, or of the last branch */
    struct xds_re2_ends ends;  /* of all branches */
    struct xds_re2_ends ends_of_run; /* of those merged with the last one, or maybe so */
    struct xds_re2_open open;
    struct xds_re2_size last; /* part of these, or of the last branch, in size */
    uint64_t sure;     /* part of last.least that is merged before its last branch */
    uint64_t unmerged; /* size.most of these if they were not merged */
};

/* A machine that lays out sets as RE2's compiler does; reused from set to set. */
struct xds_re2_layout;
struct xds_re2_layout *xds_re2_layout_new(struct xds_arena *arena);
struct xds_re2_size xds_re2_set_size(struct xds_re2_layout *layout,
                                     const struct xds_rune_set *set);
/* It has done all it may for one pattern. */
bool xds_re2_layout_is_spent(const struct xds_re2_layout *layout);
uint64_t xds_re2_set_key(const struct xds_rune_set *set);
uint64_t xds_re2_rune_key(uint32_t rune);

struct xds_re2_ends xds_re2_set_ends(const struct xds_rune_set *set);

/* The atom's size and shape once it is repeated. */
void xds_re2_repeat_size(struct xds_re2_size *size, struct xds_re2_shape *shape,
                         struct xds_re2_counts counts, bool nullable);
/* Clear it but for its memory. */
void xds_re2_branch_init(struct xds_re2_branch *branch);
void xds_re2_branch_add(struct xds_re2_branch *branch, struct xds_re2_size size,
                        const struct xds_re2_shape *shape);
/* True when the branch is in one class now with those before it: in "a|[Aa]" the folded
 * "a" is there already, and the "A" gone. */
bool xds_re2_branches_add(struct xds_re2_branches *all,
                          const struct xds_re2_branch *branch,
                          struct xds_re2_layout *layout);
/* The shape of a group without captures that holds these branches, `only` the last. */
struct xds_re2_shape xds_re2_group_shape(const struct xds_re2_branches *all,
                                         const struct xds_re2_branch *only);
/* Its runes, where they are known. */
const struct xds_rune_set *xds_re2_group_runes(const struct xds_re2_branches *all,
                                               const struct xds_re2_branch *only);

#endif

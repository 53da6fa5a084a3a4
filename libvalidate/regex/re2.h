/*
 * re2.h - RE2's grammar, how it is said to PCRE2, and patterns that were read.
 *
 * PCRE2 is used without its UTF mode, because RE2 matches bytes too: a rune is spelled as
 * its UTF-8 bytes. A cache belongs to one thread: matching counts uses and shares the
 * match data.
 */
#ifndef XDS_REGEX_RE2_H
#define XDS_REGEX_RE2_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/strmap.h"
#include "regex/regex.h"

#define XDS_RUNE_MAX 0x10ffffu

struct xds_rune_range {
    uint32_t lo, hi;
};

struct xds_rune_set {
    struct xds_arena *arena;
    struct xds_rune_range *range;
    size_t n, cap;
    size_t work; /* ranges ever added: what the set has cost */
};

/* Add lo to hi; with fold also all that they fold to. */
void xds_runes_add(struct xds_rune_set *set, uint32_t lo, uint32_t hi, bool fold);
/* Add a rune and what it folds to, up to the first that a normalized set has already. */
void xds_runes_add_orbit(struct xds_rune_set *set, uint32_t rune);
/* Add the runes of a Unicode category ("L", "Lu"), script, "Any" or what Go knows
 * besides; false when the name is unknown. */
bool xds_runes_add_named(struct xds_rune_set *set, struct xds_slice name, bool fold);
/* The name that Go takes this one for, be the case of letters, blanks, "_" and "-" what
 * they may; data NULL when there is none. */
struct xds_slice xds_runes_find_spelled(struct xds_slice name);
bool xds_runes_known(struct xds_slice name);
/* Of those that are known: Go looks names up without "_" and in one case, and so does not
 * find its own "Old_Italic". */
bool xds_runes_known_to_go(struct xds_slice name);
bool xds_runes_known_to_java(struct xds_slice name);
/* Sort and merge. What follows asks for this. */
void xds_runes_normalize(struct xds_rune_set *set);
void xds_runes_negate(struct xds_rune_set *set);
/* "[Aa]": one ASCII letter, and nothing else. */
bool xds_runes_are_both_cases(const struct xds_rune_set *set);
/* A bit for each letter that it has, from `a` on, which is "a" or "A". */
uint32_t xds_runes_letters(const struct xds_rune_set *set, uint32_t a);
/* Make it hold what `from` holds. */
void xds_runes_copy(struct xds_rune_set *to, const struct xds_rune_set *from);
bool xds_runes_has(const struct xds_rune_set *set, uint32_t rune);

/* One way to spell a range in UTF-8: a range for each of n bytes. */
struct xds_utf8_span {
    uint8_t lo[4], hi[4];
    unsigned n;
};
/* Cut the next span off the front of range; false when it is used up. */
bool xds_utf8_span_next(struct xds_rune_range *range, struct xds_utf8_span *span);

enum xds_re2_subjects {
    XDS_RE2_ASCII_SUBJECTS, /* no byte above 0x7f */
    XDS_RE2_ALL_SUBJECTS,
};

/* More means a pattern made to keep us busy: the text is then of no use. */
#define XDS_RE2_MOST_MOVED ((size_t)64 << 20)

struct xds_re2_writer {
    struct xds_arena *arena;
    enum xds_re2_subjects subjects;
    char *text;
    size_t len, cap;
    size_t moved;               /* bytes moved by xds_re2_wrap() */
    struct xds_re2_writer *end; /* what xds_re2_write_end() adds; may be NULL */
    int large_sets;             /* that are there */
};

struct xds_re2_mark {
    size_t len, end_len;
    int large_sets;
};

/* A writer that is NULL writes nothing. */
void xds_re2_write(struct xds_re2_writer *out, const char *text);
void xds_re2_write_number(struct xds_re2_writer *out, int n);
/* One rune; more than one byte takes a group before it can be repeated. */
void xds_re2_write_rune(struct xds_re2_writer *out, uint32_t rune);
/* Any one rune of a normalized set, ready to be repeated. */
void xds_re2_write_set(struct xds_re2_writer *out, const struct xds_rune_set *set);
/* Put all from start on into a group that begins with `open`. */
void xds_re2_wrap(struct xds_re2_writer *out, size_t start, const char *open);

/* Where the text ends now, and a way back. */
struct xds_re2_mark xds_re2_mark(const struct xds_re2_writer *out);
void xds_re2_rewind(struct xds_re2_writer *out, struct xds_re2_mark mark);

/* To be called once, after all of the pattern. */
void xds_re2_write_end(struct xds_re2_writer *out);

/* ---- sizes: RE2 refuses a pattern whose program does not fit into its memory, 8 MiB.
 * The count is exact but where RE2 merges what looks alike: branches that begin alike
 * (ab|ac), and repeats of one thing side by side (a*a+). Bounds are kept for these. ----
 */

/* Two thirds of 8 MiB, without 432 bytes of its own, by 8 bytes for each. */
#define XDS_RE2_MOST_INSTRUCTIONS 698996
/* RE2 walks over no more parts than these; a part costs at least half an instruction. */
#define XDS_RE2_SURE_INSTRUCTIONS 500000
/* What surely does not fit into the 16 MiB that re2-wasm has for all that it compiles,
 * and what may not, alone in its process. */
#define XDS_RE2_WASM_INSTRUCTIONS 132000
#define XDS_RE2_WASM_SURE_INSTRUCTIONS 111000
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
    struct xds_regex_open open;
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

struct xds_re2_pattern {
    unsigned groups;    /* that capture */
    bool nullable_loop; /* where a search of PCRE2 may end elsewhere than RE2's */
    bool alternatives;  /* "a|b" outside of all groups */
    bool named_newly;   /* "(?<name>": RE2 knows it since 2023, C-core's does not */
    bool any_byte;      /* "\C", which the engines of Go and Java do not know */
    bool over_repeated; /* repeats in each other beyond the limit, which re2j has not */
    bool loose_class;   /* "\p{greek}", which Go folds; RE2 and re2j do not */
    bool loose_java;    /* "\é" and "\p{Unknown}", which only re2j takes */
    bool strict_go;     /* what RE2 takes and Go does not, see struct xds_regex */
    bool not_grouped;   /* ... and what Go does not take inside a group */
    bool strict_java;   /* ... and re2j does not */
    bool strict_node;   /* ... and re2-wasm does not */
    struct xds_regex_open open;
    bool is_whole;          /* all of it was read: else no text and no upper bound */
    uint64_t least, most;   /* bounds for RE2's instructions */
    struct xds_slice error; /* RE2's text when it refuses the pattern */
    struct xds_slice head;  /* all that it matches in full begins with it, and */
    struct xds_slice inner; /* has this after it; either may be empty */
};

/* Read all of pattern. False when RE2 refuses it, whatever its release; the size is not
 * judged here. With a writer, the text for PCRE2 is
 * written too, for PCRE2_DOTALL and LF as the newline.
 * All memory is from arena; must run under its guard. */
bool xds_re2_read(struct xds_arena *arena, struct xds_slice pattern,
                  struct xds_re2_writer *out, struct xds_re2_pattern *result);

/* The texts without which nothing matches a pattern in full, collected while it is read.
 * A subject is searched for them before the pattern is run on it: most that do not match
 * are found out so, at little cost. */
struct xds_re2_literals {
    char *text;      /* with room for all of the pattern */
    size_t n, run;   /* bytes; where the run of literals in work begins */
    bool in_run;     /* the last atom belongs to it */
    bool past_start; /* something else than it has come */
    struct xds_slice head, inner;
};

enum xds_re2_flag {
    XDS_RE2_FOLD = 1 << 0,       /* (?i) */
    XDS_RE2_MULTILINE = 1 << 1,  /* (?m) */
    XDS_RE2_DOT_ALL = 1 << 2,    /* (?s) */
    XDS_RE2_NON_GREEDY = 1 << 3, /* (?U) */
};

enum xds_re2_error {
    XDS_RE2_BAD_ESCAPE,
    XDS_RE2_BAD_RANGE,
    XDS_RE2_MISSING_BRACKET,
    XDS_RE2_MISSING_PAREN,
    XDS_RE2_UNEXPECTED_PAREN,
    XDS_RE2_TRAILING_BACKSLASH,
    XDS_RE2_REPEAT_ARGUMENT,
    XDS_RE2_REPEAT_SIZE,
    XDS_RE2_REPEAT_OP,
    XDS_RE2_BAD_PERL_OP,
    XDS_RE2_BAD_UTF8,
    XDS_RE2_BAD_GROUP_NAME,
};

/* How high Go's parse tree of a part is. Items in a row are one node above them, but for
 * a row in a row, and for literals, which are one node together.
 * And how large at least, as Go may put what branches begin with in front of them. */
struct xds_re2_height {
    unsigned of_items; /* of the highest one */
    unsigned items;
    bool row;         /* there are several, or it is a row of several */
    bool literal;     /* the last one is a literal */
    uint64_t size;    /* of all, with what is repeated written out */
    unsigned repeats; /* it is nothing but a counted repeat, of so many; or 0 */
};

/* Something that a repetition operator can follow. */
struct xds_re2_atom {
    size_t start;    /* of its text in the writer */
    unsigned repeat; /* largest product of nested repetition counts */
    bool loose;      /* its text takes a group before it can be repeated */
    bool nullable;   /* it can match "" */
    struct xds_re2_size size;
    struct xds_re2_shape shape;
    struct xds_re2_height height;
};

struct xds_re2_group {
    struct xds_re2_group *outer, *inner; /* inner: room for a group inside, reused */
    bool has_last;                       /* an atom is right before */
    struct xds_re2_atom last;            /* not yet counted in what follows */
    struct xds_re2_branch branch;        /* that is being read */
    struct xds_re2_branches branches;    /* those before it */
    struct xds_re2_mark branch_start;    /* where the text of the branch begins, and */
    struct xds_re2_mark run_start;       /* that of the first one in a class with it */
    struct xds_re2_height height;        /* of the branch that is being read */
    unsigned n_branches, highest;        /* read before it, and of these */
    uint64_t largest;
    bool not_runes; /* one of these is more than a rune or a class */
    size_t depth;
    unsigned repeat;
    size_t start;         /* of "(" in the writer */
    unsigned flags_after; /* valid again after ")" */
    bool captures;        /* "(" and not "(?:" */
    bool nullable;        /* one of the branches read can match "" */
    bool branch_nullable; /* so can the atoms of this branch that are counted */
};

struct xds_re2_parser {
    struct xds_arena *arena;
    struct xds_slice whole, rest;
    struct xds_re2_writer *out; /* NULL: only check */
    unsigned flags;
    struct xds_re2_group *group;    /* the innermost */
    struct xds_slice last_repeat;   /* operator right before rest, or absent */
    struct xds_rune_set set;        /* of the class being read */
    struct xds_rune_set name_runes; /* of group names, once one is not ASCII */
    struct xds_strmap names;        /* of groups */
    struct xds_re2_layout *layout;
    uint64_t go_nodes, go_repeats; /* nodes that Go has made, and the product of all its
                                    * repeats: it measures a pattern by these */
    uint64_t spent; /* instructions written and ranges added so far, before repeating */
    uint64_t
        head; /* of these, in the anchors and literals that the pattern begins with */
    bool in_head;
    bool anchored;    /* it may begin with "^" */
    bool has_nothing; /* a class without runes: what it is in is left out */
    bool gave_up;     /* too deep in groups */
    struct xds_re2_literals literals;
    struct xds_re2_pattern *result;
};

/* ---- what the files of the parser share ---- */

/* What has been read since `from`. */
struct xds_slice xds_re2_since(const struct xds_re2_parser *p, const char *from);
/* Note the error, with the part of the pattern it is about; false. */
bool xds_re2_fail(struct xds_re2_parser *p, enum xds_re2_error error,
                  struct xds_slice about);
/* Next byte but `skip`, or 0 at the end. */
char xds_re2_peek(const struct xds_re2_parser *p, size_t skip);
/* Read one rune off the front of a pattern, where XDS_NUL is U+0000; else as
 * xds_utf8_next(). */
bool xds_re2_next(struct xds_slice *pattern, uint32_t *rune);
/* Read one rune; fails at the end as RE2 does. */
bool xds_re2_rune(struct xds_re2_parser *p, uint32_t *rune);
bool xds_re2_check_utf8(struct xds_re2_parser *p, struct xds_slice text);

/* Go on by n bytes, which are there. */
void xds_re2_skip(struct xds_re2_parser *p, size_t n);
/* True when the pattern is too large to continue building sets for it. */
bool xds_re2_is_exhausted(const struct xds_re2_parser *p);

/* "\n", "\x{10ffff}"; rest begins with the backslash. */
bool xds_re2_escape(struct xds_re2_parser *p, uint32_t *rune);

/* What stands for a set of runes goes into p->set. */
bool xds_re2_bracket(struct xds_re2_parser *p);
/* "\d" or "\pN"; *is_set false when something else follows, which is no error. */
bool xds_re2_set_escape(struct xds_re2_parser *p, bool *is_set);

/* What a substitution can name: \0 to \9. */
#define XDS_REGEX_GROUPS 10

enum xds_regex_purpose { XDS_REGEX_FULL_MATCH, XDS_REGEX_SEARCH, XDS_REGEX_PURPOSES };

struct xds_regex_program {
    bool tried;       /* to compile it */
    pcre2_code *code; /* NULL: not tried, or PCRE2 would not */
    unsigned uses;    /* until it is hot */
};

struct xds_regex_matcher {
    struct xds_regex_cache *cache;
    struct xds_regex_matcher *next; /* of the cache */
    struct xds_regex_program programs[XDS_REGEX_PURPOSES][XDS_RE2_ALL_SUBJECTS + 1];
};

struct xds_regex_cache {
    struct xds_arena arena;   /* lives as long as the cache */
    struct xds_arena scratch; /* for one reading of a pattern */
    struct xds_strmap by_pattern;
    struct xds_regex_matcher *matchers;
    pcre2_compile_context *compile;
    pcre2_match_context *match;
    pcre2_match_data *data;
    bool failed; /* for lack of memory */
};

/* A program of what a pattern was rewritten to; NULL, and PCRE2's *error, when it will
 * not have it. */
pcre2_code *xds_regex_compile(const struct xds_regex_cache *cache,
                              const struct xds_re2_writer *text,
                              enum xds_regex_purpose purpose, int *error);

#endif

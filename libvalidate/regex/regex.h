/*
 * regex.h - regular expressions with RE2's grammar and RE2's answers.
 *
 * A pattern is first read by a checker of RE2's grammar and limits (re2_parse.c), which
 * also rewrites it for PCRE2 where the two differ; PCRE2 then compiles and matches it.
 * No JIT at first: a pattern is JIT-compiled once it is hot.
 */
#ifndef XDS_REGEX_REGEX_H
#define XDS_REGEX_REGEX_H

#include "base/arena.h"

enum xds_regex_fault {
    XDS_REGEX_GOOD,
    XDS_REGEX_INVALID,       /* every client rejects it */
    XDS_REGEX_OVER_REPEATED, /* repeats in each other beyond the limit, but not to re2j */
    XDS_REGEX_LOOSE_CLASS,   /* "\p{greek}", which only Go takes */
    XDS_REGEX_LOOSE_JAVA,    /* "\é" and "\p{Unknown}", which only re2j takes */
    XDS_REGEX_NAMED_NEWLY,   /* has a "(?<name>", which C-core's RE2 does not know */
    XDS_REGEX_TOO_LARGE,     /* for RE2's memory */
    XDS_REGEX_MAYBE_TOO_LARGE, /* RE2's program may fit and may not */
};

/* A pattern that was read. */
struct xds_regex {
    struct xds_slice pattern;
    /* What all that it matches in full begins with, "/pkg" of "/pkg[a-z]+", and what it
     * has after that; either may be empty. */
    struct xds_slice head, inner;
    struct xds_slice error; /* data NULL: a good one */
    enum xds_regex_fault fault;
    unsigned groups;   /* that capture */
    bool alternatives; /* "a|b" outside of all groups */
    bool any_byte;     /* it has a "\C", which the engines of Go and Java do not know */
    /* Go refuses what RE2 takes: a name of a group beyond ASCII; a count of a repeat of
     * nine digits and more; a script whose name is several words; too many nodes, once
     * repeats are written out. */
    bool strict_go;
    /* Go refuses it inside a group: a "\Q" without "\E", or too many groups in each
     * other. */
    bool not_grouped;
    /* re2j refuses it: the name and the count as well, a name that two groups have, a
     * script that is not in Unicode 6.0. */
    bool strict_java;
    bool
        strict_node; /* re2-wasm does: a name of a group beyond ASCII, or of two groups */
    /* It is too large for re2-wasm, as ^...$; what it begins with is not compiled then.
     */
    bool over_wasm;
    bool near_wasm; /* whether it fits depends on what else the process has compiled */
    bool nullable_loop; /* PCRE2 may find other matches in a search */
    struct xds_regex_open {
        uint32_t letters; /* a bit for each that may not match in upper case */
        bool orbits;      /* U+212A and U+017F may match */
        bool bytes;       /* so may what is no UTF-8 */
    } open;               /* what is not known of RE2's program */
    struct xds_regex_matcher *matcher;
};

/* Patterns of one run, each compiled once. */
struct xds_regex_cache;

/* NULL when there is no memory. */
struct xds_regex_cache *xds_regex_cache_new(void);
void xds_regex_cache_free(struct xds_regex_cache *cache);

/* How many patterns it holds. */
size_t xds_regex_cache_size(const struct xds_regex_cache *cache);

/* The compiled pattern, owned by the cache; NULL when it is invalid. *error is RE2's text
 * ("missing ]: [a-") when the RE2 of C-core refuses the pattern, be it invalid or not,
 * and belongs to the cache. All outcomes are cached. */
const struct xds_regex *xds_regex_get(struct xds_regex_cache *cache,
                                      struct xds_slice pattern, struct xds_slice *error);

/* Memory was missing since the cache was made: a pattern may have been called invalid, or
 * a match undecided, that is not. The caller has no answer then. */
bool xds_regex_cache_failed(const struct xds_regex_cache *cache);

enum xds_match { XDS_NO_MATCH, XDS_MATCH, XDS_MATCH_UNDECIDED /* a limit was hit */ };

/* Does the pattern match all of subject? */
enum xds_match xds_regex_full_match(const struct xds_regex *regex,
                                    struct xds_slice subject);
/* The same question with node's mistake: ^ and $ are put around the pattern without a
 * group, so that they bind to the first and the last of its alternatives only. arena:
 * for the time of the call. */
enum xds_match xds_regex_ungrouped_match(const struct xds_regex *regex,
                                         struct xds_slice subject,
                                         struct xds_arena *arena);
/* What re2-wasm, the library of node, makes of a pattern before RE2 reads it: a backslash
 * before each '/' that has none, and what JavaScript has besides, \cA as \x01, \u0041 and
 * \u{41} as \x{41}. The text is in arena. */
struct xds_slice xds_regex_text_in_wasm(struct xds_slice pattern,
                                        struct xds_arena *arena);
/* Is what was read of a pattern not that, since RE2 refuses it? */
static inline bool xds_regex_is_refused(const struct xds_regex *read,
                                        struct xds_slice pattern)
{
    return !read || !xds_slice_eq(read->pattern, pattern);
}

/* A pattern as that library compiles it; between \Q and \E what it adds is literal.
 * arena: for the time of the call. */
const struct xds_regex *xds_regex_in_wasm(const struct xds_regex *regex,
                                          struct xds_arena *arena);
/* Every match replaced, as RE2::GlobalReplace does: \0 to \9 in substitution are groups.
 * after_match: also an empty match right after another one, as re2j does. False when
 * undecided. The result is in arena. */
bool xds_regex_replace_all(const struct xds_regex *regex, struct xds_slice subject,
                           struct xds_slice substitution, bool after_match,
                           struct xds_arena *arena, struct xds_slice *out);
/* Does the pattern match anywhere, or is one of its matches from left to right empty?
 * Each begins where the last one ended. */
enum xds_match xds_regex_finds(const struct xds_regex *regex, struct xds_slice subject,
                               bool empty);

/* One spelling for all texts that differ only in case, by Unicode's simple folding: two
 * texts fold alike when these are equal. What is not UTF-8 stays as it is. */

struct xds_slice xds_fold_case(struct xds_arena *arena, struct xds_slice text);

#endif

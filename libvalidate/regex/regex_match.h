/*
 * regex_match.h - what the files of the regular expressions share: a pattern that was
 * read, its PCRE2 programs, and one run of a program.
 *
 * A cache belongs to one thread: matching counts uses and shares the match data.
 */
#ifndef XDS_REGEX_REGEX_MATCH_H
#define XDS_REGEX_REGEX_MATCH_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "regex/re2_syntax.h"
#include "regex/regex.h"
#include "base/strmap.h"

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

struct xds_regex {
    struct xds_slice pattern;
    struct xds_slice head, inner; /* of all that it matches in full, see re2_syntax.h */
    struct xds_slice error;       /* data NULL: a good one */
    enum xds_regex_fault fault;
    bool any_byte; /* it has a "\C" */
    bool over_wasm;
    bool strict_go, not_grouped, strict_java, strict_node; /* see regex.h */
    unsigned groups;
    bool nullable_loop; /* PCRE2 may find other matches in a search */
    struct xds_re2_open open;
    struct xds_regex_matcher *matcher;
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
/* The code for a subject of this kind, hotter by one use; NULL when there is none. */
const pcre2_code *xds_regex_code(const struct xds_regex *regex,
                                 enum xds_regex_purpose purpose,
                                 struct xds_slice subject);
/* One match from this offset on; its groups are in the cache's match data. */
enum xds_match xds_regex_run(const struct xds_regex *regex, const pcre2_code *code,
                             struct xds_slice subject, size_t from);

#endif

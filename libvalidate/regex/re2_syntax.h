/*
 * re2_syntax.h - RE2's grammar and limits: is a pattern one of RE2's, and how is it said
 * to PCRE2?
 */
#ifndef XDS_REGEX_RE2_SYNTAX_H
#define XDS_REGEX_RE2_SYNTAX_H

#include "regex/re2_size.h"
#include "regex/re2_writer.h"

struct xds_re2_pattern {
    unsigned groups;    /* that capture */
    bool nullable_loop; /* where a search of PCRE2 may end elsewhere than RE2's */
    bool named_newly;   /* "(?<name>": RE2 knows it since 2023, C-core's does not */
    bool any_byte;      /* "\C", which the engines of Go and Java do not know */
    bool over_repeated; /* repeats in each other beyond the limit, which re2j has not */
    bool loose_class;   /* "\p{greek}", which Go folds; RE2 and re2j do not */
    bool loose_java;    /* "\é" and "\p{Unknown}", which only re2j takes */
    bool strict_go;     /* what RE2 takes and Go does not, see xds_regex_go_refuses() */
    bool not_grouped;   /* ... and what Go does not take inside a group */
    bool strict_java;   /* ... and re2j does not */
    bool strict_node;   /* ... and re2-wasm does not */
    struct xds_re2_open open;
    bool is_whole;          /* all of it was read: else no text and no upper bound */
    uint64_t least, most;   /* bounds for RE2's instructions */
    struct xds_slice error; /* RE2's text when it refuses the pattern */
    struct xds_slice head;  /* all that it matches in full begins with it, and */
    struct xds_slice inner; /* has this after it; either may be empty */
};

/* Read all of pattern. False when RE2 refuses it, whatever its release; the size is not
 * judged here. With a writer, the text for PCRE2 is
 * written too; the options that go with it are XDS_RE2_PCRE2_OPTIONS, the newline is LF.
 * All memory is from arena; must run under its guard. */
bool xds_re2_read(struct xds_arena *arena, struct xds_slice pattern,
                  struct xds_re2_writer *out, struct xds_re2_pattern *result);

#define XDS_RE2_PCRE2_OPTIONS PCRE2_DOTALL

#endif

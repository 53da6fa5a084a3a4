/*
 * re2_literal.h - the texts without which nothing matches a pattern in full.
 *
 * A subject is searched for them before the pattern is run on it: most that do not match
 * are found out so, at little cost.
 */
#ifndef XDS_REGEX_RE2_LITERAL_H
#define XDS_REGEX_RE2_LITERAL_H

#include "base/arena.h"

/* Collected while a pattern is read. */
struct xds_re2_literals {
    char *text;      /* with room for all of the pattern */
    size_t n, run;   /* bytes; where the run of literals in work begins */
    bool in_run;     /* the last atom belongs to it */
    bool past_start; /* something else than it has come */
    bool barred;     /* the pattern has alternatives: nothing is in all matches */
    struct xds_slice head, inner;
};

void xds_re2_literals_init(struct xds_re2_literals *l, struct xds_arena *arena,
                           struct xds_slice pattern);
/* An ASCII character outside of all groups. */
void xds_re2_literals_add(struct xds_re2_literals *l, char c);
/* Anything else that matches something, or may. */
void xds_re2_literals_end(struct xds_re2_literals *l);
/* The last atom is repeated, so that it may be there or not, and more than once. */
void xds_re2_literals_repeat(struct xds_re2_literals *l);
/* "|" outside of all groups. */
void xds_re2_literals_bar(struct xds_re2_literals *l);
/* The pattern was read: head is what all matches begin with, inner the longest text that
 * they have after that; either may be empty. */
void xds_re2_literals_finish(struct xds_re2_literals *l);

#endif

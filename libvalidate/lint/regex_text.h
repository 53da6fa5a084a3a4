/*
 * regex_text.h - how much of a regex is plain text.
 *
 * A regex must match the whole of a path or value, so that anchors add nothing.
 */
#ifndef XDS_LINT_REGEX_TEXT_H
#define XDS_LINT_REGEX_TEXT_H

#include "base/arena.h"

struct xds_regex_text {
    bool anchored_start, anchored_end;
    bool any_before, any_after; /* ".*" is there */
    bool is_plain;              /* there is nothing else but text, and dots in it */
    struct xds_slice text;      /* unescaped; the dots too, if is_plain */
    size_t stem;                /* how much of it is before the first dot */
    bool dots;                  /* some are not escaped */
    bool lone_dots;             /* so between two letters or digits */
};

struct xds_regex_text xds_regex_text_read(struct xds_arena *arena,
                                          struct xds_slice pattern);
/* Text that everything begins with that the regex matches; may be empty. */
struct xds_slice xds_regex_stem(struct xds_arena *arena, struct xds_slice pattern);
/* One of the usual ways to write "any gRPC path"; "any value" of a header. */
bool xds_regex_takes_all_paths(struct xds_slice pattern);
bool xds_regex_takes_all_values(struct xds_slice pattern);

#endif

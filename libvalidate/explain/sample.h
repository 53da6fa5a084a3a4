/* sample.h - a text that a matcher takes. */
#ifndef XDS_EXPLAIN_SAMPLE_H
#define XDS_EXPLAIN_SAMPLE_H

#include "base/arena.h"

/* A text that the regex matches, as far as its literals, classes, groups and repetitions
 * tell; absent when there is more to it. optional: take what may be left out. The caller
 * must try the text: no assertion is looked at. */
struct xds_slice xds_regex_sample(struct xds_arena *arena, struct xds_slice pattern,
                                  bool optional);

#endif

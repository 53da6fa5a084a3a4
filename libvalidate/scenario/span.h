/* span.h - durations as people write them. */
#ifndef XDS_SCENARIO_SPAN_H
#define XDS_SCENARIO_SPAN_H

#include "base/arena.h"

/* "10s", "1500ms", "15m", "1h", "2.5s", "1m30s": whole milliseconds, never negative.
 * False when it is none of these. */
bool xds_span_read(struct xds_slice text, int64_t *ms);
/* "10s", or "1500ms" when it is no whole number of seconds. */
struct xds_slice xds_span_text(struct xds_arena *arena, int64_t ms);

#endif

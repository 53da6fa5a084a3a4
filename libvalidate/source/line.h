/* line.h - one line of a stream as the only input of a source. */
#ifndef XDS_SOURCE_LINE_H
#define XDS_SOURCE_LINE_H

#include "include/xdscope.h"

/* Forget all inputs, and continue with this one. The text is borrowed till the next call.
 */
XDS_MUST_USE enum xds_status xds_source_restart(struct xds_source *source,
                                                const struct xds_line *line);

#endif

/* format.h - which format an input has. */
#ifndef XDS_SOURCE_FORMAT_H
#define XDS_SOURCE_FORMAT_H

#include "source/buffer.h"
#include "source/input.h"

/* By the ending of the path, else by what the first bytes look like. */
enum xds_ending xds_format_tell(const char *path, struct xds_buffer *in);

#endif

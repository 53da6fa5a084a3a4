/* value.h - what a field holds, in short, as a reader of YAML would write it. */
#ifndef XDS_DIFF_VALUE_H
#define XDS_DIFF_VALUE_H

#include "diff/message.h"

/* One item of a field, at most XDS_MAX_DIFF_VALUE bytes, cut with "...". */
struct xds_slice xds_value_text(struct xds_arena *arena,
                                const ProtobufCFieldDescriptor *field, const void *item);

#endif

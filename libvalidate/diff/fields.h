/* fields.h - where two messages differ, field by field. */
#ifndef XDS_DIFF_FIELDS_H
#define XDS_DIFF_FIELDS_H

#include "diff/changes.h"
#include "diff/message.h"

/* Both are of one type. Adds to *out, in arena; scratch: for the time of the call. */
void xds_fields_compare(struct xds_arena *arena, struct xds_arena *scratch,
                        const ProtobufCMessage *old, const ProtobufCMessage *now,
                        struct xds_field_changes *out);

#endif

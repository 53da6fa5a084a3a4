/* scalar.h - numbers, times and bytes as the texts of proto3 JSON. */
#ifndef XDS_CONVERT_SCALAR_H
#define XDS_CONVERT_SCALAR_H

#include "base/arena.h"
#include "decode/pb.h"

#define XDS_SCALAR_TEXT 48

/* The fewest digits that read back as the number, which is finite; single: as a float. */
struct xds_slice xds_text_of_double(double value, bool single, char out[XDS_SCALAR_TEXT]);
/* These give an absent text when the message has no text form: it is then an object. */
struct xds_slice xds_text_of_duration(const pb_duration *duration,
                                      char out[XDS_SCALAR_TEXT]);
struct xds_slice xds_text_of_timestamp(const pb_timestamp *timestamp,
                                       char out[XDS_SCALAR_TEXT]);
struct xds_slice xds_text_of_mask(const pb_field_mask *mask, struct xds_arena *arena);
/* Base64 with padding. */
struct xds_slice xds_text_of_bytes(struct xds_slice bytes, struct xds_arena *arena);

#endif

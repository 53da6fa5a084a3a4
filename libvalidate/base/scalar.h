/*
 * scalar.h - the texts that proto3 JSON uses for numbers, bytes and times.
 */
#ifndef XDS_BASE_SCALAR_H
#define XDS_BASE_SCALAR_H

#include <protobuf-c/protobuf-c.h>

#include "base/arena.h"

enum xds_scalar {
    XDS_SCALAR_OK,
    XDS_SCALAR_NO_NUMBER,
    XDS_SCALAR_NOT_WHOLE,
    XDS_SCALAR_OUT_OF_RANGE,
};

/* A whole number, exactly; "1e3" and "1.0" are whole too. The sign is apart so that
 * it holds all of int64 and uint64. */
struct xds_whole {
    bool negative;
    uint64_t magnitude;
};

/* Decimal text: an optional sign, digits with an optional point, an optional exponent. */
enum xds_scalar xds_scalar_whole(struct xds_slice text, struct xds_whole *out);
/* The nearest double; OUT_OF_RANGE when that is infinite. No locale takes part. */
enum xds_scalar xds_scalar_double(struct xds_slice text, struct xds_arena *arena,
                                  double *out);
/* Standard or URL-safe base64, padding optional. */
bool xds_scalar_base64(struct xds_slice text, struct xds_arena *arena,
                       ProtobufCBinaryData *out);
/* "1.5s", "-3s": any int64 of seconds, clients judge the range; nanos has its sign. */
bool xds_scalar_duration(struct xds_slice text, int64_t *seconds, int32_t *nanos);
/* RFC 3339 with an offset or Z, years 1 to 9999. */
bool xds_scalar_timestamp(struct xds_slice text, int64_t *seconds, int32_t *nanos);

#endif

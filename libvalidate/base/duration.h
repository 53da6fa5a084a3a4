/* duration.h - the bounds of google.protobuf.Duration, as duration.proto has them. */
#ifndef XDS_BASE_DURATION_H
#define XDS_BASE_DURATION_H

#include <stdint.h>

/* 10000 years, to either side of 0. */
#define XDS_DURATION_MAX_SECONDS INT64_C(315576000000)
#define XDS_DURATION_MAX_MS (XDS_DURATION_MAX_SECONDS * 1000)
#define XDS_DURATION_MAX_NANOS 999999999

#endif

/*
 * duration.c - google.protobuf.Duration as nanoseconds, cut to the range of int64.
 *
 * Source: gRFC A75, spec G21, G22, G23, G24.
 */
#include "base/number.h"
#include "rules/readers.h"

#define NANOS_PER_SECOND INT64_C(1000000000)
#define MOST_SECONDS_IN_NANOS (INT64_MAX / NANOS_PER_SECOND)

/* The last second fits only in part. */
bool xds_duration_fits_nanos(const pb_duration *pb)
{
    if (pb->seconds < -MOST_SECONDS_IN_NANOS || pb->seconds > MOST_SECONDS_IN_NANOS)
        return false;

    const int64_t whole = pb->seconds * NANOS_PER_SECOND;
    return pb->nanos < 0 ? whole >= INT64_MIN - pb->nanos
                         : whole <= INT64_MAX - pb->nanos;
}

static int64_t nanoseconds(const pb_duration *pb)
{
    if (!xds_duration_fits_nanos(pb))
        return pb->seconds < 0 ? INT64_MIN : INT64_MAX;
    return pb->seconds * NANOS_PER_SECOND + pb->nanos;
}

/* Why grpc-java's conversion throws, or NULL; a negative duration does not. *is_long: it
 * is valid, but does not fit. */
static const char *conversion_fault(const pb_duration *pb, bool *is_long)
{
    *is_long = false;
    if (pb->nanos < -XDS_DURATION_MAX_NANOS || pb->nanos > XDS_DURATION_MAX_NANOS)
        return "nanos must be in the range [-999999999, 999999999]";
    if ((pb->seconds > 0 && pb->nanos < 0) || (pb->seconds < 0 && pb->nanos > 0))
        return "seconds and nanos must have the same sign";
    const bool is_valid = pb->seconds >= -XDS_DURATION_MAX_SECONDS &&
                          pb->seconds <= XDS_DURATION_MAX_SECONDS;

    *is_long = is_valid && !xds_duration_fits_nanos(pb);
    return xds_duration_fits_nanos(pb)
               ? NULL
               : "duration does not fit into 64 bits of nanoseconds";
}

bool xds_duration_is_valid(const pb_duration *pb)
{
    bool is_long;

    return !conversion_fault(pb, &is_long) || is_long;
}

bool xds_duration_read(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_duration *pb, xds_readers who, int64_t *ns)
{
    return xds_duration_read_cut(ctx, at, pb, who, 0, ns);
}

/* cutting: who cuts what does not fit. */
bool xds_duration_read_cut(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_duration *pb, xds_readers who, xds_readers cutting,
                           int64_t *ns)
{
    bool is_long;

    if (!pb)
        return false;
    const char *fault = conversion_fault(pb, &is_long);

    if (pb->seconds < 0 || pb->seconds > XDS_DURATION_MAX_SECONDS)
        xds_fire_for(ctx, at, who, XDS_R_DUR_SECONDS,
                     XDS_WITH(xds_number(ctx, pb->seconds)));
    if (pb->nanos < 0 || pb->nanos > XDS_DURATION_MAX_NANOS)
        xds_fire_for(ctx, at, who, XDS_R_DUR_NANOS, XDS_WITH(xds_number(ctx, pb->nanos)));
    if (fault)
        xds_fire_for(ctx, at, is_long ? who & ~cutting : who, XDS_R_DUR_OVERFLOW,
                     XDS_WITH(xds_slice_of(fault)));
    *ns = nanoseconds(pb);
    return true;
}

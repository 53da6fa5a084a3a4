/*
 * fault.c - turn HTTPFault, as config and as override, into the fault to inject.
 *
 * Source: gRFC A33, spec listener 8.2.
 */
#include "rules/filter/filter.h"

#define TYPE "envoy.extensions.filters.http.fault.v3.HTTPFault"
#define PB_ABORT(arm)                                                                    \
    ENVOY__EXTENSIONS__FILTERS__HTTP__FAULT__V3__FAULT_ABORT__ERROR_TYPE_##arm
#define PB_DELAY(arm)                                                                    \
    ENVOY__EXTENSIONS__FILTERS__COMMON__FAULT__V3__FAULT_DELAY__FAULT_DELAY_SECIFIER_##arm

#define MAX_GRPC_STATUS 16 /* UNAUTHENTICATED */

/* Absent is never. */
static struct xds_fraction read_percentage(struct xds_ctx *ctx, const struct xds_path *at,
                                           const pb_fractional_percent *pb)
{
    if (!pb) {
        xds_fire(ctx, at, XDS_R_FAULT_PERCENTAGE_ABSENT);
        return (struct xds_fraction){.numerator = 0, .denominator = 100};
    }

    const uint32_t denominator = xds_denominator(pb);

    if (!denominator)
        xds_fire_with(ctx, at, XDS_R_FAULT_DENOMINATOR,
                      XDS_WITH(xds_number(ctx, (int32_t)pb->denominator)));
    return (struct xds_fraction){
        .numerator = pb->numerator,
        .denominator = denominator ? denominator : 100, /* as if HUNDRED */
    };
}

static void read_abort(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_fault_abort *pb, struct xds_fault *out)
{
    if (!pb)
        return;
    if (pb->error_type_case == PB_ABORT(GRPC_STATUS)) {
        out->abort = XDS_FAULT_ABORT_GRPC;
        out->abort_code = pb->grpc_status;
        if (pb->grpc_status == MAX_GRPC_STATUS + 1)
            xds_fire(ctx, at, XDS_R_FAULT_GRPC_STATUS_NEXT);
        if (pb->grpc_status > MAX_GRPC_STATUS)
            xds_fire_with(ctx, at, XDS_R_FAULT_GRPC_STATUS,
                          XDS_WITH(xds_number(ctx, pb->grpc_status)));
    } else if (pb->error_type_case == PB_ABORT(HTTP_STATUS)) {
        out->abort = XDS_FAULT_ABORT_HTTP;
        out->abort_code = pb->http_status;
    } else if (pb->error_type_case == PB_ABORT(HEADER_ABORT)) {
        out->abort = XDS_FAULT_ABORT_HEADER;
    } else {
        xds_fire(ctx, at, XDS_R_FAULT_ABORT_TYPE);
    }
    out->abort_fraction = read_percentage(ctx, XDS_AT(at, "percentage"), pb->percentage);
}

static void read_delay(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_fault_delay *pb, struct xds_fault *out)
{
    if (!pb)
        return;
    if (pb->fault_delay_secifier_case == PB_DELAY(FIXED_DELAY)) {
        out->delay = XDS_FAULT_DELAY_FIXED;
        xds_duration_read(ctx, XDS_AT(at, "fixed_delay"), pb->fixed_delay, XDS_EVERYONE,
                          &out->delay_ns);
    } else if (pb->fault_delay_secifier_case == PB_DELAY(HEADER_DELAY)) {
        out->delay = XDS_FAULT_DELAY_HEADER;
    } else {
        xds_fire(ctx, at, XDS_R_FAULT_DELAY_TYPE);
    }
    out->delay_fraction = read_percentage(ctx, XDS_AT(at, "percentage"), pb->percentage);
}

static const struct xds_fault *read_fault(struct xds_ctx *ctx,
                                          const struct xds_extension *ext)
{
    const pb_http_fault *pb = (const void *)ext->message;
    struct xds_fault *out = XDS_NEW(ctx->arena, struct xds_fault);

    read_abort(ctx, XDS_AT(ext->at, "abort"), pb->abort, out);
    read_delay(ctx, XDS_AT(ext->at, "delay"), pb->delay, out);
    out->has_max_active_faults = pb->max_active_faults != NULL;
    if (pb->max_active_faults)
        out->max_active_faults = pb->max_active_faults->value;
    return out;
}

static bool read_config(struct xds_ctx *ctx, const struct xds_extension *ext,
                        struct xds_filter *out)
{
    out->fault = read_fault(ctx, ext);
    return true;
}

static bool read_override(struct xds_ctx *ctx, const struct xds_extension *ext,
                          struct xds_filter_override *out)
{
    out->fault = read_fault(ctx, ext);
    return true;
}

const struct xds_filter_type xds_filter_fault = {
    .kind = XDS_FILTER_FAULT,
    .type = TYPE,
    .override_type = TYPE,
    .known_to = XDS_ALL_CLIENTS,
    .override_for = XDS_ALL_CLIENTS,
    .on_clients = true,
    .config_words = "fault injection filter config",
    .override_words = "fault injection filter config",
    .read = read_config,
    .read_override = read_override,
};

/*
 * ext_proc.c - the external processing filter: another service sees and changes RPCs.
 *
 * Source: gRFC draft A93, spec listener 9.5.
 */
#include "rules/filter/filter.h"
#include "rules/inner.h"

#define PACKAGE "envoy.extensions.filters.http.ext_proc.v3."
#define PB_MODE(value)                                                                   \
    ENVOY__EXTENSIONS__FILTERS__HTTP__EXT_PROC__V3__PROCESSING_MODE__##value
#define BODY_MODES                                                                       \
    envoy__extensions__filters__http__ext_proc__v3__processing_mode__body_send_mode__descriptor
#define PB_OVERRIDE(arm)                                                                 \
    ENVOY__EXTENSIONS__FILTERS__HTTP__EXT_PROC__V3__EXT_PROC_PER_ROUTE__OVERRIDE_##arm

static xds_readers header_mode_refused_by(const struct xds_ctx *ctx, int mode)
{
    if (mode == PB_MODE(HEADER_SEND_MODE__DEFAULT))
        return xds_who(ctx, XDS_DIFF_EXT_PROC_MODE_DEFAULT_REFUSED);
    return mode == PB_MODE(HEADER_SEND_MODE__SEND) ||
                   mode == PB_MODE(HEADER_SEND_MODE__SKIP)
               ? 0
               : XDS_EVERYONE;
}

static void read_mode(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_processing_mode *pb)
{
    const struct {
        const char *field;
        int value;
    } headers[] =
        {
            {"request_header_mode", (int)pb->request_header_mode},
            {"response_header_mode", (int)pb->response_header_mode},
            {"response_trailer_mode", (int)pb->response_trailer_mode},
        },
      bodies[] = {
          {"request_body_mode", (int)pb->request_body_mode},
          {"response_body_mode", (int)pb->response_body_mode},
      };

    for (size_t i = 0; i < XDS_ARRAY_LEN(headers); i++)
        xds_fire_for(ctx, XDS_AT(at, headers[i].field),
                     header_mode_refused_by(ctx, headers[i].value),
                     XDS_R_EXTPROC_HEADER_MODE,
                     XDS_WITH(xds_number(ctx, headers[i].value)));
    for (size_t i = 0; i < XDS_ARRAY_LEN(bodies); i++)
        if (bodies[i].value != PB_MODE(BODY_SEND_MODE__NONE) &&
            bodies[i].value != PB_MODE(BODY_SEND_MODE__GRPC))
            xds_fire_with(ctx, XDS_AT(at, bodies[i].field), XDS_R_EXTPROC_BODY_MODE,
                          XDS_WITH(xds_enum_name(ctx, &BODY_MODES, bodies[i].value),
                                   xds_number(ctx, bodies[i].value)));
    if (pb->response_body_mode == PB_MODE(BODY_SEND_MODE__GRPC) &&
        pb->response_trailer_mode != PB_MODE(HEADER_SEND_MODE__SEND))
        xds_fire(ctx, at, XDS_R_EXTPROC_TRAILER_MODE);
}

/* C-core has another name for the field. */
static void read_forward_rules(struct xds_ctx *ctx, const struct xds_path *config,
                               const pb_header_forwarding_rules *pb)
{
    const struct xds_path *at =
        XDS_AT_UNSAID(XDS_AT_SAID(config, "forwarding_rules"), "forward_rules");

    if (!pb)
        return;
    xds_list_string_matcher_read(ctx, XDS_AT(at, "allowed_headers"), pb->allowed_headers);
    xds_list_string_matcher_read(ctx, XDS_AT(at, "disallowed_headers"),
                                 pb->disallowed_headers);
}

/* Whatever is wrong inside, the filter keeps its place in the chain. */
static bool read_config(struct xds_ctx *ctx, const struct xds_extension *ext,
                        struct xds_filter *out)
{
    const pb_external_processor *pb = (const void *)ext->message;
    const struct xds_path *timeout = XDS_AT(ext->at, "deferred_close_timeout");
    int64_t ns;

    (void)out;
    xds_grpc_service_read(ctx, XDS_AT(ext->at, "grpc_service"), pb->grpc_service);
    if (pb->processing_mode)
        read_mode(ctx, XDS_AT(ext->at, "processing_mode"), pb->processing_mode);
    else
        xds_fire(ctx, ext->at, XDS_R_EXTPROC_MODE_ABSENT);
    xds_header_mutation_rules_read(ctx, XDS_AT(ext->at, "mutation_rules"),
                                   pb->mutation_rules);
    read_forward_rules(ctx, ext->at, pb->forward_rules);
    if (xds_duration_read(ctx, timeout, pb->deferred_close_timeout, XDS_EVERYONE, &ns))
        xds_fire_for(ctx, timeout, xds_duration_not_positive_to(ctx, ns),
                     XDS_R_EXTPROC_CLOSE_TIMEOUT, NULL);
    return true;
}

/* What an override does not set stays as the filter has it. */
static bool read_override(struct xds_ctx *ctx, const struct xds_extension *ext,
                          struct xds_filter_override *out)
{
    const pb_ext_proc_per_route *pb = (const void *)ext->message;
    const struct xds_path *at = XDS_AT(ext->at, "overrides");

    (void)out;
    if (pb->override_case != PB_OVERRIDE(OVERRIDES))
        return true;
    if (pb->overrides->processing_mode)
        read_mode(ctx, XDS_AT(at, "processing_mode"), pb->overrides->processing_mode);
    if (pb->overrides->grpc_service)
        xds_grpc_service_read(ctx, XDS_AT(at, "grpc_service"),
                              pb->overrides->grpc_service);
    return true;
}

const struct xds_filter_type xds_filter_ext_proc = {
    .kind = XDS_FILTER_EXT_PROC,
    .type = PACKAGE "ExternalProcessor",
    .override_type = PACKAGE "ExtProcPerRoute",
    .guarded = XDS_GRFC | XDS_CORE | XDS_GO | XDS_JAVA,
    .guard = XDS_ENV_EXT_PROC_ON_CLIENT,
    .server_guard = XDS_ENV_EXT_PROC_ON_SERVER,
    .dated = true,
    .before = XDS_DIFF_EXT_PROC_LACKING,
    .override_for = XDS_ALL_CLIENTS & ~XDS_JAVA, /* EP20 */
    .on_clients = true,
    .on_servers = true,
    .never_on_servers = XDS_CORE | XDS_GO | XDS_JAVA,
    .config_words = "ext_proc filter config",
    .override_words = "ext_proc filter override config",
    .read = read_config,
    .read_override = read_override,
};

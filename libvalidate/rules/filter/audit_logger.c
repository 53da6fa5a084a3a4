/*
 * audit_logger.c - check RBAC.AuditLoggingOptions.
 *
 * Source: gRFC A59, spec listener 8.3.1.
 */
#include "rules/filter/rbac.h"

#define STDOUT                                                                           \
    envoy__extensions__rbac__audit_loggers__stream__v3__stdout_audit_log__descriptor

#define LAST_CONDITION                                                                   \
    ENVOY__CONFIG__RBAC__V3__RBAC__AUDIT_LOGGING_OPTIONS__AUDIT_CONDITION__ON_DENY_AND_ALLOW

/* A TypedStruct names a logger of the registry, where an application may add its own:
 * only the one that is built in is known here. */
static bool is_registered(const struct xds_extension *ext)
{
    return xds_slice_is(ext->type, ext->typed_struct ? "stdout_logger" : STDOUT.name);
}

static void check_type(struct xds_ctx *ctx, const struct xds_extension *ext,
                       bool optional)
{
    xds_readers dropped_by = optional ? XDS_EVERYONE : 0;
    const xds_readers refusing =
        is_registered(ext) && !ext->typed_struct && !ext->message ? XDS_EVERYONE
        : ext->struct_fault ? xds_who(ctx, XDS_DIFF_AUDIT_LOGGER_CONVERTED)
                            : 0;

    if (!ext->typed_struct || xds_slice_ends(ext->type, XDS_S("/")))
        dropped_by &= ~xds_who(ctx, XDS_DIFF_AUDIT_LOGGER_NEVER_OPTIONAL);
    if (refusing)
        xds_fire_for(ctx, ext->at, refusing, XDS_R_AUDIT_LOGGER_UNPARSABLE, NULL);
    if (is_registered(ext))
        return;
    xds_fire_for(ctx, ext->at, ~dropped_by, XDS_R_AUDIT_LOGGER_UNKNOWN,
                 XDS_WITH(ext->type));
    xds_fire_for(ctx, ext->at, dropped_by, XDS_R_AUDIT_LOGGER_OPTIONAL,
                 XDS_WITH(ext->type));
}

static void read_logger(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_rbac_audit_logging_options_audit_logger_config *pb)
{
    const struct xds_path *logger = XDS_AT(at, "audit_logger");
    const struct xds_path *config = XDS_AT(logger, "typed_config");
    struct xds_extension ext;

    if (!pb->audit_logger || !pb->audit_logger->typed_config)
        xds_fire(ctx, pb->audit_logger ? config : logger, XDS_R_AUDIT_LOGGER_ABSENT);
    else if (xds_extension_read(ctx, config, pb->audit_logger->typed_config, false, &ext))
        check_type(ctx, &ext, pb->is_optional);
}

void xds_audit_logging_read(struct xds_ctx *ctx, const struct xds_path *at,
                            const pb_rbac_audit_logging_options *pb)
{
    const xds_readers live = ctx->live;

    if (!pb)
        return;
    ctx->live &= xds_guarded_by(ctx, XDS_ENV_RBAC_AUDIT_LOGGING);
    if ((uint32_t)pb->audit_condition > LAST_CONDITION)
        xds_fire_with(ctx, at, XDS_R_AUDIT_CONDITION,
                      XDS_WITH(xds_number(ctx, (int32_t)pb->audit_condition)));
    for (size_t i = 0; i < pb->n_logger_configs; i++)
        read_logger(ctx, XDS_AT_I(at, "logger_configs", i), pb->logger_configs[i]);
    ctx->live = live;
}

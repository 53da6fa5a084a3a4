/*
 * audit_logger.c - check RBAC.AuditLoggingOptions.
 *
 * Takes:  a decoded message, borrowed, NULL when the field was not set.
 * Gives:  findings only.
 * Fires:  the rows of audit_logger.def, and those of any.def.
 * Source: gRFC A59, spec section 8.3.1.
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

/* go cannot even ask whether it has a logger when the message is of another type. */
static unsigned who_may_drop(const struct xds_extension *ext)
{
    return ext->typed_struct ? XDS_ALL_CLIENTS : XDS_ALL_CLIENTS & ~XDS_GO;
}

static void judge_type(struct xds_ctx *ctx, const struct xds_extension *ext,
                       bool optional)
{
    const unsigned dropped_by = optional ? who_may_drop(ext) : 0;

    if (is_registered(ext))
        return;
    xds_fire_for(ctx, ext->at, ~dropped_by, XDS_R_AUDIT_LOGGER_UNKNOWN,
                 "unsupported audit logger type");
    xds_fire_for(ctx, ext->at, dropped_by, XDS_R_AUDIT_LOGGER_OPTIONAL,
                 "optional audit logger of an unsupported type is dropped");
}

static void read_logger(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_rbac_audit_logging_options_audit_logger_config *pb)
{
    const struct xds_path *logger = XDS_AT(at, "audit_logger");
    const struct xds_path *config = XDS_AT(logger, "typed_config");
    struct xds_extension ext;

    if (!pb->audit_logger || !pb->audit_logger->typed_config)
        xds_fire(ctx, pb->audit_logger ? config : logger, XDS_R_AUDIT_LOGGER_ABSENT,
                 "field not present");
    else if (xds_extension_read(ctx, config, pb->audit_logger->typed_config, false, &ext))
        judge_type(ctx, &ext, pb->is_optional);
}

void xds_audit_logging_read(struct xds_ctx *ctx, const struct xds_path *at,
                            const pb_rbac_audit_logging_options *pb)
{
    const unsigned live = ctx->live;

    if (!pb)
        return;
    ctx->live &= xds_env_mask(ctx->options, XDS_ENV_RBAC_AUDIT_LOGGING);
    if ((uint32_t)pb->audit_condition > LAST_CONDITION)
        xds_fire(ctx, XDS_AT(at, "audit_condition"), XDS_R_AUDIT_CONDITION,
                 "invalid audit condition");
    for (size_t i = 0; i < pb->n_logger_configs; i++)
        read_logger(ctx, XDS_AT_I(at, "logger_configs", i), pb->logger_configs[i]);
    ctx->live = live;
}

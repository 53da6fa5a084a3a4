/*
 * stateful_session.c - turn StatefulSession and its override into the session config.
 *
 * Source: gRFC A55, spec listener 9.1.
 */
#include "rules/filter/filter.h"

#define PACKAGE "envoy.extensions.filters.http.stateful_session.v3."
#define PB_OVERRIDE(arm)                                                                 \
    ENVOY__EXTENSIONS__FILTERS__HTTP__STATEFUL_SESSION__V3__STATEFUL_SESSION_PER_ROUTE__OVERRIDE_##arm
#define COOKIE_STATE                                                                     \
    envoy__extensions__http__stateful_session__cookie__v3__cookie_based_session_state__descriptor

/* Without a ttl it is a session cookie; Max-Age counts whole seconds, also those that
 * nanoseconds cannot hold. */
static void read_ttl(struct xds_ctx *ctx, const struct xds_path *at,
                     const pb_duration *pb, struct xds_session_config *out)
{
    int64_t ns;

    if (!xds_duration_read(ctx, at, pb, XDS_EVERYONE, &ns))
        return;
    if (ns < 0)
        xds_fire_with(
            ctx, at, XDS_R_SESS_TTL_NEGATIVE,
            XDS_WITH(xds_tree_duration(ctx->arena, pb->seconds, pb->nanos).text));
    out->has_ttl = true;
    out->ttl_seconds = pb->seconds;
    out->ttl_positive = ns > 0;
}

static bool read_cookie(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_cookie *pb, struct xds_session_config *out)
{
    if (!pb)
        return xds_fire(ctx, at, XDS_R_SESS_COOKIE_ABSENT);
    out->cookie_name = xds_text(ctx, pb->name);
    out->cookie_path = xds_text(ctx, pb->path);
    read_ttl(ctx, XDS_AT(at, "ttl"), pb->ttl, out);
    return out->cookie_name.len > 0 || xds_fire(ctx, at, XDS_R_SESS_COOKIE_NAME);
}

static bool read_state(struct xds_ctx *ctx, const struct xds_path *at, const pb_any *any,
                       struct xds_session_config *out)
{
    struct xds_extension ext;

    if (!xds_extension_read(ctx, at, any, false, &ext))
        return false;
    if (!xds_slice_is(ext.type, COOKIE_STATE.name))
        return xds_fire_with(ctx, ext.at, XDS_R_SESS_STATE_TYPE, XDS_WITH(ext.type));
    if (!ext.message)
        return xds_fire(ctx, ext.at, XDS_R_SESS_STATE_UNPARSABLE);

    const pb_cookie_based_session_state *state = (const void *)ext.message;
    return read_cookie(ctx, XDS_AT(ext.at, "cookie"), state->cookie, out);
}

static void want_field(struct xds_ctx *ctx, const struct xds_path *at)
{
    xds_fire(ctx, at, XDS_R_SESS_STATE_ABSENT);
}

static bool read_session(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_stateful_session *pb,
                         const struct xds_session_config **out)
{
    struct xds_session_config *session = XDS_NEW(ctx->arena, struct xds_session_config);

    *out = session;
    if (pb && !pb->session_state)
        want_field(ctx, XDS_AT(at, "session_state"));
    if (!pb || !pb->session_state)
        return true;
    session->enabled = read_state(ctx, XDS_AT(at, "session_state.typed_config"),
                                  pb->session_state->typed_config, session);
    return session->enabled;
}

static bool read_config(struct xds_ctx *ctx, const struct xds_extension *ext,
                        struct xds_filter *out)
{
    return read_session(ctx, ext->at, (const void *)ext->message, &out->session);
}

/* "disabled: false" says no more than an override that holds nothing (SS15). */
static bool read_override(struct xds_ctx *ctx, const struct xds_extension *ext,
                          struct xds_filter_override *out)
{
    const pb_stateful_session_per_route *pb = (const void *)ext->message;
    const bool replaces = pb->override_case == PB_OVERRIDE(STATEFUL_SESSION);

    if (!replaces && !(pb->override_case == PB_OVERRIDE(DISABLED) && pb->disabled))
        want_field(ctx, XDS_AT(ext->at, "stateful_session"));
    return read_session(ctx, XDS_AT(ext->at, "stateful_session"),
                        replaces ? pb->stateful_session : NULL, &out->session);
}

const struct xds_filter_type xds_filter_stateful_session = {
    .kind = XDS_FILTER_STATEFUL_SESSION,
    .type = PACKAGE "StatefulSession",
    .override_type = PACKAGE "StatefulSessionPerRoute",
    .guarded = XDS_GRFC | XDS_CORE,
    .guard = XDS_ENV_OVERRIDE_HOST,
    .server_guard = XDS_ENV_OVERRIDE_HOST,
    .override_for = XDS_ALL_CLIENTS,
    .on_clients = true,
    .config_words = "stateful session filter config",
    .override_words = "stateful session filter override config",
    .read = read_config,
    .read_override = read_override,
};

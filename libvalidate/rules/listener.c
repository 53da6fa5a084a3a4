/*
 * listener.c - turn envoy.config.listener.v3.Listener into the model of a client, and
 * check what servers read of it.
 *
 * Source: gRFC A27, A31, A36, A41, spec listener 2, 3, L1 to L9.
 */
#include "rules/inner.h"
#include "rules/filter/filter.h"

/* ---- HttpConnectionManager ---- */

#define HCM                                                                              \
    envoy__extensions__filters__network__http_connection_manager__v3__http_connection_manager__descriptor
#define PB_ROUTES(arm)                                                                   \
    ENVOY__EXTENSIONS__FILTERS__NETWORK__HTTP_CONNECTION_MANAGER__V3__HTTP_CONNECTION_MANAGER__ROUTE_SPECIFIER_##arm
#define PB_SOURCE(arm)                                                                   \
    ENVOY__CONFIG__CORE__V3__CONFIG_SOURCE__CONFIG_SOURCE_SPECIFIER_##arm

static void read_settings(struct xds_ctx *ctx, const struct xds_path *at,
                          const pb_http_connection_manager *pb, struct xds_listener *out)
{
    const struct xds_path *options = XDS_AT(at, "common_http_protocol_options");

    const xds_readers of_origin =
        xds_guarded_by(ctx, XDS_ENV_RBAC) | ~xds_who(ctx, XDS_DIFF_XFF_BY_RBAC);

    if (pb->xff_num_trusted_hops != 0)
        xds_fire_for(ctx, at, of_origin, XDS_R_HCM_XFF_HOPS,
                     XDS_WITH(xds_number(ctx, pb->xff_num_trusted_hops)));
    if (pb->n_original_ip_detection_extensions > 0)
        xds_fire_for(ctx, at, of_origin, XDS_R_HCM_IP_DETECTION, NULL);
    if (!pb->common_http_protocol_options)
        return;
    out->has_max_stream_duration =
        xds_duration_read(ctx, XDS_AT(options, "max_stream_duration"),
                          pb->common_http_protocol_options->max_stream_duration,
                          XDS_EVERYONE, &out->max_stream_duration_ns);
    /* Only node reads the other one, and does not check it (H-4). */
    out->has_idle_timeout = xds_duration_read(
        ctx, XDS_AT(options, "idle_timeout"),
        pb->common_http_protocol_options->idle_timeout, 0, &out->idle_timeout_ns);
}

static void read_rds(struct xds_ctx *ctx, const struct xds_path *at, const pb_rds *pb,
                     struct xds_listener *out)
{
    const Envoy__Config__Core__V3__ConfigSource *source = pb->config_source;
    const int arm = source ? (int)source->config_source_specifier_case : 0;
    xds_readers refused_by = XDS_EVERYONE;

    if (arm == PB_SOURCE(ADS))
        refused_by = 0;
    else if (arm == PB_SOURCE(SELF))
        refused_by = ctx->server ? xds_who(ctx, XDS_DIFF_RDS_SELF_ON_SERVERS) : 0;
    if (!source)
        xds_fire(ctx, at, XDS_R_HCM_RDS_NO_SOURCE);
    else
        xds_fire_for(ctx, at, refused_by, XDS_R_HCM_RDS_SOURCE, NULL);
    out->rds_name = xds_text(ctx, pb->route_config_name);
    if (out->rds_name.len == 0)
        xds_fire(ctx, at, XDS_R_HCM_RDS_NAME);
    ctx->in_use = &out->killing;
    xds_reference_read(ctx, XDS_AT(at, "route_config_name"), XDS_TYPE_ROUTE,
                       out->rds_name);
    ctx->in_use = NULL;
}

static bool read_message(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_http_connection_manager *pb, xds_readers filters_only,
                         struct xds_listener *out)
{
    read_settings(XDS_AMONG(ctx, ~filters_only), at, pb, out);
    xds_http_filters_read(ctx, at, pb->n_http_filters, pb->http_filters, out);
    ctx = XDS_AMONG(ctx, ~filters_only);
    if (pb->route_specifier_case == PB_ROUTES(ROUTE_CONFIG)) {
        struct xds_route_config *config = XDS_NEW(ctx->arena, struct xds_route_config);

        out->route_config = config;
        return xds_route_config_read(ctx, XDS_AT(at, "route_config"), pb->route_config,
                                     config);
    }
    if (pb->route_specifier_case != PB_ROUTES(RDS))
        return xds_fire(ctx, at, XDS_R_HCM_NO_ROUTES);
    read_rds(ctx, XDS_AT(at, "rds"), pb->rds, out);
    return true;
}

/* Fills the parts of a client's listener that an HttpConnectionManager holds. Fires
 * other_type where the Any holds something else, and unparsable where nothing can be
 * read. filters_only: the readers that look at http_filters and at nothing else. False
 * when it names no routes. */
static bool read_connection_manager(struct xds_ctx *ctx, const struct xds_extension *ext,
                                    enum xds_rule_id other_type,
                                    enum xds_rule_id unparsable, xds_readers filters_only,
                                    struct xds_listener *out)
{
    xds_readers others = XDS_EVERYONE;

    if (xds_slice_is(ext->type, HCM.name))
        others =
            ext->url_is_canonical
                ? 0
                : xds_who(ctx, XDS_DIFF_TYPE_URL_WHOLE) &
                      ~(ctx->server ? 0 : xds_who(ctx, XDS_DIFF_API_LISTENER_LAST_PART));
    xds_fire_for(ctx, ext->at, others, other_type, XDS_WITH(ext->type));
    ctx = XDS_AMONG(ctx, ~others);
    if (!ext->message)
        xds_fire(ctx, ext->at, unparsable);
    return ext->message && ext->message->descriptor == &HCM &&
           read_message(ctx, ext->at, (const void *)ext->message, filters_only, out);
}

/* ---- filter chains ---- */

#define PB_CONFIG(arm) ENVOY__CONFIG__LISTENER__V3__FILTER__CONFIG_TYPE_##arm

static void check_filter_name(struct xds_ctx *ctx, const struct xds_path *at,
                              struct xds_strmap *names, struct xds_slice name)
{
    if (name.len == 0) {
        xds_fire(ctx, at, XDS_R_FCH_FILTER_NAME);
        return;
    }

    void **slot = xds_strmap_at(names, name);

    if (*slot)
        xds_fire_with(ctx, at, XDS_R_FCH_FILTER_DUPLICATE, XDS_WITH(name));
    *slot = names;
}

/* The filter chains of a listener, and what is kept of them. */
struct chain_reader {
    struct xds_slice listener;
    uint32_t in_chain, in_filter;
    struct xds_listener *chains;
    size_t n;
    struct xds_filter_chain *models;
};

/* filters_only: who has its HttpConnectionManager from an earlier filter. */
static void read_filter(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_filter *pb, xds_readers filters_only,
                        struct chain_reader *reader)
{
    const struct xds_path *field = XDS_AT(at, "typed_config");
    const bool has_config = pb->config_type_case == PB_CONFIG(TYPED_CONFIG);
    struct xds_listener chain = {.name = reader->listener,
                                 .is_api_listener = true,
                                 .in_chain = reader->in_chain,
                                 .in_filter = reader->in_filter};
    struct xds_extension ext;

    if (xds_extension_read(ctx, field, has_config ? pb->typed_config : NULL, false,
                           &ext) &&
        read_connection_manager(ctx, &ext, XDS_R_FCH_FILTER_TYPE,
                                XDS_R_FCH_FILTER_UNPARSABLE, filters_only, &chain))
        reader->chains[reader->n++] = chain;
}

/* The filters and the transport socket of one entry of filter_chains, or of the default
 * one, at its own path. spec listener 2.2. */
static void read_filter_chain(struct xds_ctx *ctx, const struct xds_path *at,
                              const pb_filter_chain *pb, struct chain_reader *reader,
                              struct xds_filter_chain *out)
{
    const xds_readers several = xds_who(ctx, XDS_DIFF_NETWORK_FILTERS_SEVERAL);
    struct xds_strmap names;

    out->name = xds_text(ctx, pb->name);
    out->has_socket = pb->transport_socket != NULL;
    out->managers = &reader->chains[reader->n];
    xds_strmap_init(&names, ctx->arena);
    if (pb->n_filters != 1)
        xds_fire_for(ctx, at, pb->n_filters > 0 ? ~several : XDS_EVERYONE,
                     XDS_R_FCH_FILTER_COUNT,
                     XDS_WITH(xds_number(ctx, (int64_t)pb->n_filters)));
    for (size_t i = 0; i < pb->n_filters; i++) {
        const struct xds_path *entry = XDS_AT_I(at, "filters", i);

        reader->in_filter = (uint32_t)i;
        check_filter_name(ctx, entry, &names, xds_slice_of(pb->filters[i]->name));
        read_filter(ctx, entry, pb->filters[i], i > 0 ? several : 0, reader);
    }
    out->n_managers = (size_t)(&reader->chains[reader->n] - out->managers);
    if (pb->transport_socket)
        out->tls = xds_downstream_socket_read(ctx, XDS_AT(at, "transport_socket"),
                                              pb->transport_socket);
}

/* ---- servers ---- */

#define PORT(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PORT_SPECIFIER_##arm
#define PROTOCOL(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PROTOCOL__##arm
#define DIRECTION(arm) ENVOY__CONFIG__CORE__V3__TRAFFIC_DIRECTION__##arm

static void check_socket_address(struct xds_ctx *ctx, const struct xds_path *at,
                                 const pb_socket_address *pb)
{
    if (!pb) {
        xds_fire(ctx, at, XDS_R_SLIS_SOCKET_ADDRESS);
        return;
    }
    if (pb->protocol != PROTOCOL(TCP))
        xds_fire_with(
            ctx, at, XDS_R_SLIS_PROTOCOL,
            XDS_WITH(xds_enum_name(
                ctx, &envoy__config__core__v3__socket_address__protocol__descriptor,
                (int)pb->protocol)));
    if (*pb->address == '\0')
        xds_fire(ctx, at, XDS_R_SLIS_ADDRESS_EMPTY);
    if (xds_port_value(pb) > XDS_MAX_PORT)
        xds_fire_with(ctx, at, XDS_R_SLIS_PORT,
                      XDS_WITH(xds_number(ctx, pb->port_value)));
    if (pb->port_specifier_case == PORT(NAMED_PORT))
        xds_fire_with(ctx, at, XDS_R_SLIS_NAMED_PORT,
                      XDS_WITH(xds_slice_of(pb->named_port)));
}

static void read_chain(struct xds_ctx *ctx, const struct xds_path *at,
                       struct xds_chain_set *chains, const pb_filter_chain *pb,
                       struct chain_reader *reader)
{
    const size_t findings = ctx->report->n_findings;
    struct xds_chain_match match;
    const xds_readers readers = xds_chain_match_read(
        ctx, XDS_AT(at, "filter_chain_match"), pb->filter_chain_match, chains, &match);

    struct xds_filter_chain *model = &reader->models[reader->in_chain];

    read_filter_chain(XDS_AMONG(ctx, readers), at, pb, reader, model);
    model->match = xds_chain_criteria_of(ctx, &match);
    xds_chain_set_add(ctx, chains, &match, xds_report_rejecting(ctx->report, findings));
}

static size_t count_filters(const pb_listener *pb)
{
    size_t n = pb->default_filter_chain ? pb->default_filter_chain->n_filters : 0;

    for (size_t i = 0; i < pb->n_filter_chains; i++)
        n += pb->filter_chains[i]->n_filters;
    return n;
}

/* java names a chain without a name by its place in the list. */
static void check_chain_name(struct xds_ctx *ctx, const struct xds_path *at,
                             struct xds_strmap *names, const char *given, size_t i)
{
    const struct xds_slice name =
        *given ? xds_slice_of(given) : xds_arena_printf(ctx->arena, "chain_%zu", i);
    void **slot = xds_strmap_at(names, name);

    if (*slot)
        xds_fire_with(ctx, at, XDS_R_SLIS_CHAIN_NAME, XDS_WITH(name));
    *slot = names;
}

static void refuse_fields(struct xds_ctx *ctx, const pb_listener *pb)
{
    if (pb->n_listener_filters > 0)
        xds_fire(ctx, NULL, XDS_R_SLIS_LISTENER_FILTERS);
    xds_fire_for(
        ctx, NULL,
        xds_flag_rejected_by(pb->use_original_dst, xds_who(ctx, XDS_DIFF_FALSE_IS_SET)),
        XDS_R_SLIS_ORIGINAL_DST, NULL);
}

/* The parts of a Listener that servers read. gRFC A36, spec listener 2.1. */
static void read_server_listener(struct xds_ctx *ctx, const pb_listener *pb,
                                 struct xds_listener *out)
{
    struct chain_reader reader = {
        .listener = out->name,
        .chains = XDS_NEW_ARRAY(ctx->arena, struct xds_listener, count_filters(pb)),
        .models =
            XDS_NEW_ARRAY(ctx->arena, struct xds_filter_chain, pb->n_filter_chains + 1),
    };
    struct xds_filter_chain *default_chain = &reader.models[pb->n_filter_chains];
    struct xds_chain_set chains;
    struct xds_strmap names;

    xds_chain_set_init(&chains, ctx);
    xds_strmap_init(&names, ctx->arena);
    ctx->server = true;
    if (pb->address)
        check_socket_address(ctx, XDS_AT(NULL, "address.socket_address"),
                             xds_socket_address(pb->address));
    refuse_fields(ctx, pb);
    if (pb->traffic_direction != DIRECTION(UNSPECIFIED) &&
        pb->traffic_direction != DIRECTION(INBOUND))
        xds_fire_with(ctx, NULL, XDS_R_SLIS_DIRECTION,
                      XDS_WITH(xds_enum_name(
                          ctx, &envoy__config__core__v3__traffic_direction__descriptor,
                          (int)pb->traffic_direction)));
    for (size_t i = 0; i < pb->n_filter_chains; i++) {
        const struct xds_path *at = XDS_AT_I(NULL, "filter_chains", i);

        check_chain_name(ctx, at, &names, pb->filter_chains[i]->name, i);
        reader.in_chain = (uint32_t)i;
        read_chain(ctx, at, &chains, pb->filter_chains[i], &reader);
    }
    if (pb->default_filter_chain) {
        const struct xds_path *at = XDS_AT(NULL, "default_filter_chain");

        reader.in_chain = XDS_DEFAULT_CHAIN;
        xds_chain_match_check(ctx, XDS_AT(at, "filter_chain_match"),
                              pb->default_filter_chain->filter_chain_match, &chains);
        read_filter_chain(ctx, at, pb->default_filter_chain, &reader, default_chain);
        out->default_chain = default_chain;
    } else if (pb->n_filter_chains > 0 && chains.n_in_use == 0 && !chains.has_unusable)
        xds_fire(ctx, NULL, XDS_R_SLIS_ALL_PRUNED);
    else if (pb->n_filter_chains == 0 && !pb->api_listener)
        xds_fire(ctx, NULL, XDS_R_SLIS_NO_CHAIN); /* node asks an API listener for none */
    ctx->server = false;
    out->chains = reader.chains;
    out->n_chains = reader.n;
    out->filter_chains = reader.models;
    out->n_filter_chains = pb->n_filter_chains;
}

/* ---- the resource ---- */

static bool read_api_listener(struct xds_ctx *ctx, const pb_any *any,
                              struct xds_listener *out)
{
    const struct xds_path *at = XDS_AT(NULL, "api_listener.api_listener");
    struct xds_extension ext;

    if (!any) /* not the general row: node accepts it here */
        return xds_fire(ctx, at, XDS_R_LIS_API_ABSENT);
    return xds_extension_read(ctx, at, any, false, &ext) &&
           read_connection_manager(ctx, &ext, XDS_R_LIS_API_TYPE,
                                   XDS_R_LIS_HCM_UNPARSABLE, 0, out);
}

bool xds_listener_read(struct xds_ctx *ctx, const pb_listener *pb,
                       struct xds_listener *out)
{
    const pb_socket_address *socket =
        pb->address ? xds_socket_address(pb->address) : NULL;
    xds_readers as_server;
    bool ok = true;

    *out = (struct xds_listener){
        .name = xds_text(ctx, pb->name),
        .is_api_listener = pb->api_listener != NULL,
        .has_filter_chains = pb->n_filter_chains > 0 || pb->default_filter_chain,
    };
    out->is_not_tcp = socket && socket->protocol != PROTOCOL(TCP);
    if (socket)
        out->address = xds_arena_printf(
            ctx->arena, strchr(socket->address, ':') ? "[%s]:%u" : "%s:%u",
            socket->address, xds_port_value(socket));
    if (pb->api_listener) {
        ok = read_api_listener(ctx, pb->api_listener->api_listener, out);
        as_server = xds_who(ctx, XDS_DIFF_API_LISTENER_AS_SERVER);
    } else {
        /* To whom a Listener without api_listener has what one of a server needs. */
        xds_readers content = XDS_EVERYONE;

        if (!pb->address) {
            content = xds_who(ctx, XDS_DIFF_LISTENER_ADDRESS_LATE);
            if (pb->n_filter_chains > 0 || pb->default_filter_chain)
                content |= xds_who(ctx, XDS_DIFF_LISTENER_BY_CHAIN);
        }
        as_server = content & ~xds_who(ctx, XDS_DIFF_SERVER_LISTENER_UNKNOWN);
        xds_fire_for(ctx, NULL, ~as_server, XDS_R_LIS_NO_FORM, NULL);
        refuse_fields(
            XDS_AMONG(ctx, ~as_server & xds_who(ctx, XDS_DIFF_LISTENER_FIELDS_FIRST)),
            pb);
    }
    read_server_listener(XDS_AMONG(ctx, as_server), pb, out);
    return ok;
}

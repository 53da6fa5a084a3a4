/* stateful_session_test.c - the session config, and who has the filter at all. */
#include <criterion/criterion.h>

#include "rules/filter/filter.h"
#include "rules/kit_test.h"

#define PACKAGE "envoy.extensions.filters.http.stateful_session.v3."
#define STATE "envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState"
#define IN_STATE "e.session_state.typed_config.value[" STATE "]"

/* All messages of one filter config, linked by link(). */
struct config {
    pb_cookie cookie;
    pb_duration ttl;
    pb_cookie_based_session_state state;
    pb_typed_extension_config extension;
    pb_stateful_session session;
    pb_stateful_session_per_route per_route;
};

static char cookie_name[] = "sid", cookie_path[] = "/pkg.Service";

static struct config *config_new(struct kit *kit)
{
    struct config *c = XDS_NEW(&kit->arena, struct config);

    envoy__type__http__v3__cookie__init(&c->cookie);
    google__protobuf__duration__init(&c->ttl);
    envoy__extensions__http__stateful_session__cookie__v3__cookie_based_session_state__init(
        &c->state);
    envoy__config__core__v3__typed_extension_config__init(&c->extension);
    envoy__extensions__filters__http__stateful_session__v3__stateful_session__init(
        &c->session);
    envoy__extensions__filters__http__stateful_session__v3__stateful_session_per_route__init(
        &c->per_route);
    c->cookie.name = cookie_name;
    c->cookie.path = cookie_path;
    c->state.cookie = &c->cookie;
    c->extension.typed_config = kit_any(kit, &c->state.base);
    c->session.session_state = &c->extension;
    return c;
}

static const struct xds_session_config *read_session(struct kit *kit, struct config *c,
                                                     bool *valid)
{
    const struct xds_extension ext = {.at = XDS_AT(NULL, "e"),
                                      .message = &c->session.base};
    struct xds_filter out = {0};

    *valid = xds_filter_stateful_session.read(&kit->ctx, &ext, &out);
    return out.session;
}

Test(stateful_session, a_cookie_is_kept_with_its_path_and_ttl)
{
    static const struct row {
        int64_t seconds;
        int32_t nanos;
        int64_t kept;
        bool positive;
    } rows[] = {
        {0, 0, 0, false},
        {0, 500000000, 0, true},
        {90, 999999999, 90, true},
        {315576000000, 0, 315576000000, true},
    };

    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        struct kit *kit = kit_new();
        struct config *c = config_new(kit);
        bool valid;

        kit->ctx.live = XDS_GRFC | XDS_CORE; /* who has the filter */
        c->cookie.ttl = &c->ttl;
        c->ttl.seconds = r->seconds;
        c->ttl.nanos = r->nanos;
        const struct xds_session_config *session = read_session(kit, c, &valid);
        cr_expect(valid && session->enabled && session->has_ttl);
        cr_expect(xds_slice_is(session->cookie_name, cookie_name));
        cr_expect(xds_slice_is(session->cookie_path, cookie_path));
        cr_expect_eq(session->ttl_seconds, r->kept);
        cr_expect_eq(session->ttl_positive, r->positive);
        cr_expect_str_eq(kit_findings(kit), "");
        kit_free(kit);
    }
}

Test(stateful_session, without_a_state_the_filter_is_off)
{
    struct kit *kit = kit_new();
    struct config *c = config_new(kit);
    bool valid;

    c->session.session_state = NULL;
    const struct xds_session_config *session = read_session(kit, c, &valid);
    cr_expect(valid);
    cr_expect_not(session->enabled);
    cr_expect_str_eq(kit_findings(kit), "");
    kit_free(kit);
}

static void no_config(struct kit *kit, struct config *c)
{
    (void)kit;
    c->extension.typed_config = NULL;
}

static void other_state(struct kit *kit, struct config *c)
{
    c->extension.typed_config = kit_any(kit, &c->session.base);
}

static void broken_state(struct kit *kit, struct config *c)
{
    c->extension.typed_config =
        kit_opaque(kit, "type.googleapis.com/" STATE, XDS_ANY_UNDECODABLE);
}

static void no_cookie(struct kit *kit, struct config *c)
{
    (void)kit;
    c->state.cookie = NULL;
}

static void no_name(struct kit *kit, struct config *c)
{
    static char empty[] = "";

    (void)kit;
    c->cookie.name = empty;
}

static const struct fault_row {
    void (*spoil)(struct kit *kit, struct config *c);
    const char *findings;
} faults[] = {
    {no_config, "e.session_state.typed_config any-absent NNNNN"},
    {other_state, "e.session_state.typed_config.value[" PACKAGE
                  "StatefulSession] session-state-type NNAAA"},
    {broken_state, IN_STATE " session-state-unparsable NNAAA"},
    {no_cookie, IN_STATE ".cookie session-cookie-absent NNAAA"},
    {no_name, IN_STATE ".cookie.name session-cookie-name-empty NNAAA"},
};

Test(stateful_session, each_fault_stands_at_its_place_and_turns_the_filter_off)
{
    for (const struct fault_row *r = faults; r < faults + XDS_ARRAY_LEN(faults); r++) {
        struct kit *kit = kit_new();
        struct config *c = config_new(kit);
        bool valid;

        r->spoil(kit, c);
        const struct xds_session_config *session = read_session(kit, c, &valid);
        cr_expect_not(valid);
        cr_expect_not(session->enabled);
        cr_expect_str_eq(kit_findings(kit), r->findings);
        kit_free(kit);
    }
}

/* One override under the name "f" of the owner at "vh". */
static struct xds_filter_override read_override(struct kit *kit, const pb_any *any)
{
    const struct xds_filter_config_entry entry = {XDS_S("f"), any};
    struct xds_overrides out;

    xds_overrides_read(&kit->ctx, XDS_AT(NULL, "vh"), 1, &entry, &out);
    cr_assert_eq(out.n, 1u);
    return out.entries[0];
}

#define OVERRIDE "vh.typed_per_filter_config[f]"

Test(stateful_session, an_override_replaces_the_config_for_core_alone)
{
    struct kit *kit = kit_new();
    struct config *c = config_new(kit);

    c->per_route.override_case =
        ENVOY__EXTENSIONS__FILTERS__HTTP__STATEFUL_SESSION__V3__STATEFUL_SESSION_PER_ROUTE__OVERRIDE_STATEFUL_SESSION;
    c->per_route.stateful_session = &c->session;
    const struct xds_filter_override out =
        read_override(kit, kit_any(kit, &c->per_route.base));
    cr_expect_eq(out.kind, XDS_FILTER_STATEFUL_SESSION);
    cr_expect(out.session->enabled);
    cr_expect_str_eq(kit_findings(kit),
                     OVERRIDE ".value[" PACKAGE "StatefulSessionPerRoute] "
                              "filter-override-unknown AANNN");
    kit_free(kit);
}

Test(stateful_session, an_override_that_says_nothing_turns_it_off)
{
    struct kit *kit = kit_new();
    struct config *c = config_new(kit);

    c->per_route.override_case =
        ENVOY__EXTENSIONS__FILTERS__HTTP__STATEFUL_SESSION__V3__STATEFUL_SESSION_PER_ROUTE__OVERRIDE_DISABLED;
    c->per_route.disabled = false;
    cr_expect_not(read_override(kit, kit_any(kit, &c->per_route.base)).session->enabled);
    kit_free(kit);
}

Test(stateful_session, the_config_itself_is_no_override)
{
    struct kit *kit = kit_new();
    struct config *c = config_new(kit);

    read_override(kit, kit_any(kit, &c->session.base));
    cr_expect_str_eq(kit_findings(kit), OVERRIDE ".value[" PACKAGE "StatefulSession] "
                                                 "filter-override-unknown NNNNN");
    kit_free(kit);
}

Test(stateful_session, a_filter_config_hands_the_override_on_with_its_flag)
{
    struct kit *kit = kit_new();
    struct config *c = config_new(kit);
    pb_filter_config wrapper;

    envoy__config__route__v3__filter_config__init(&wrapper);
    wrapper.config = kit_any(kit, &c->per_route.base);
    wrapper.is_optional = true;
    wrapper.disabled = true;
    const struct xds_filter_override out =
        read_override(kit, kit_any(kit, &wrapper.base));
    cr_expect(out.disabled);
    cr_expect_eq(out.dropped_by, XDS_GO | XDS_JAVA | XDS_NODE);
    cr_expect_str_eq(kit_findings(kit), OVERRIDE
                     ".value[envoy.config.route.v3.FilterConfig].config.value[" PACKAGE
                     "StatefulSessionPerRoute] filter-override-optional-unknown "
                     "AASSS");
    kit_free(kit);
}

static pb_http_filter *http_filter(struct kit *kit, const char *name,
                                   const ProtobufCMessage *config)
{
    pb_http_filter *pb = XDS_NEW(&kit->arena, pb_http_filter);

    envoy__extensions__filters__network__http_connection_manager__v3__http_filter__init(
        pb);
    pb->name = (char *)(uintptr_t)xds_arena_strdup(&kit->arena, name);
    pb->config_type_case =
        ENVOY__EXTENSIONS__FILTERS__NETWORK__HTTP_CONNECTION_MANAGER__V3__HTTP_FILTER__CONFIG_TYPE_TYPED_CONFIG;
    pb->typed_config = kit_any(kit, config);
    return pb;
}

static struct xds_listener read_chain(struct kit *kit, bool optional)
{
    struct config *c = config_new(kit);
    pb_router router;
    struct xds_listener out = {0};

    envoy__extensions__filters__http__router__v3__router__init(&router);
    pb_http_filter *const chain[] = {http_filter(kit, "session", &c->session.base),
                                     http_filter(kit, "router", &router.base)};
    chain[0]->is_optional = optional;
    xds_http_filters_read(&kit->ctx, XDS_AT(NULL, "hcm"), XDS_ARRAY_LEN(chain), chain,
                          &out);
    return out;
}

#define FILTER "hcm.http_filters[0].typed_config.value[" PACKAGE "StatefulSession] "

Test(stateful_session, clients_without_the_filter_reject_it_or_drop_it)
{
    struct kit *kit = kit_new();

    const struct xds_listener required = read_chain(kit, false);
    const struct xds_listener optional = read_chain(kit, true);
    cr_expect_eq(required.filters[0].dropped_by, 0u);
    cr_expect_eq(optional.filters[0].dropped_by, XDS_GO | XDS_JAVA | XDS_NODE);
    cr_expect(optional.filters[0].session->enabled);
    cr_expect_str_eq(kit_findings(kit), FILTER "http-filter-unknown AANNN\n" FILTER
                                               "http-filter-optional-unknown AASSS");
    cr_expect_eq(kit->ctx.live, XDS_ALL_CLIENTS);
    kit_free(kit);
}

Test(stateful_session, the_guard_of_the_grfc_takes_the_filter_away_from_it)
{
    struct kit *kit = kit_new();

    kit_set_env(kit, "GRPC_EXPERIMENTAL_XDS_ENABLE_OVERRIDE_HOST=false");
    read_chain(kit, false);
    cr_expect_str_eq(kit_findings(kit), FILTER "http-filter-unknown NANNN");
    kit_free(kit);
}

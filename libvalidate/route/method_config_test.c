/* method_config_test.c - where timeout and retries come from, per client. */
#include <criterion/criterion.h>

#include "route/route.h"
#include "route/rpc_test.h"

#define MS INT64_C(1000000)

struct stage {
    struct test_rpc t;
    struct xds_listener listener;
    struct xds_virtual_host host;
    struct xds_route route;
    struct xds_retry_policy of_host, of_route;
    struct xds_method_config config;
    bool exists;
};

static void stage_init(struct stage *s, enum xds_client client)
{
    *s = (struct stage){.listener = {.has_max_stream_duration = true,
                                     .max_stream_duration_ns = 5 * MS,
                                     .has_idle_timeout = true,
                                     .idle_timeout_ns = 7 * MS}};
    test_rpc_init(&s->t, client);
    s->of_host = (struct xds_retry_policy){.codes = XDS_RETRY_INTERNAL,
                                           .go_codes = XDS_RETRY_INTERNAL,
                                           .java_codes = XDS_RETRY_INTERNAL,
                                           .num_retries = 1};
    s->of_route = s->of_host;
}

static void stage_run(struct stage *s)
{
    s->exists =
        xds_method_config_of(&s->listener, &s->host, &s->route, &s->t.rpc, &s->config);
    test_rpc_release(&s->t);
}

Test(method_config, the_listener_s_limit_is_another_field_for_node)
{
    for (unsigned client = 0; client < XDS_CLIENTS; client++) {
        const bool node = client == XDS_CLIENT_NODE;
        struct stage s;

        stage_init(&s, (enum xds_client)client);
        stage_run(&s);
        cr_expect_eq(s.config.timeout_ns, (node ? 7 : 5) * MS);
        cr_expect(s.exists && s.config.has_timeout);
        cr_expect_not(s.config.timeout_of_route);
    }
}

Test(method_config, core_keeps_whole_milliseconds)
{
    for (unsigned client = 0; client < XDS_CLIENTS; client++) {
        const bool core = client == XDS_CLIENT_CORE;
        struct stage s;

        stage_init(&s, (enum xds_client)client);
        s.route.has_timeout = true;
        s.route.timeout_ns = MS - 1;
        stage_run(&s);
        cr_expect_eq(s.config.has_timeout, !core);
        cr_expect_eq(s.config.timeout_ns, core ? 0 : MS - 1);
    }
}

Test(method_config, a_zero_of_the_route_hides_the_listener)
{
    struct stage s;

    stage_init(&s, XDS_CLIENT_CORE);
    s.route.has_timeout = true;
    s.route.timeout_field = "max_stream_duration";
    stage_run(&s);
    cr_expect_not(s.exists);
    cr_expect_not(s.config.has_timeout);
    cr_expect_str_eq(s.config.timeout_from, "max_stream_duration");
}

Test(method_config, only_java_does_without_the_virtual_host_s_retries)
{
    for (unsigned client = 0; client < XDS_CLIENTS; client++) {
        struct stage s;

        stage_init(&s, (enum xds_client)client);
        s.host.retry_policy = &s.of_host;
        stage_run(&s);
        cr_expect_eq(s.config.retry != NULL, client != XDS_CLIENT_JAVA);
        cr_expect_not(s.config.retry_of_route);
    }
}

Test(method_config, a_route_policy_without_codes_hides_the_other)
{
    struct stage s;

    stage_init(&s, XDS_CLIENT_GO);
    s.host.retry_policy = &s.of_host;
    s.route.retry_policy = &s.of_route;
    s.of_route.go_codes = 0;
    stage_run(&s);
    cr_expect_null(s.config.retry);
    cr_expect(s.config.retry_hides_host);
}

static const struct retries_row {
    enum xds_client client;
    uint32_t num_retries;
    int64_t base_ns;
    uint32_t attempts;
    int64_t backoff_ns;
} retries[] = {
    {XDS_CLIENT_CORE, 1, 25000000, 2, 25000000},
    {XDS_CLIENT_CORE, 4, 1500000, 5, 1000000},
    {XDS_CLIENT_GRFC, 5, 500000, 5, 1000000},
    {XDS_CLIENT_JAVA, UINT32_MAX, 999999, 5, 1000000},
    {XDS_CLIENT_GO, 2, 500000, 3, 500000},
    {XDS_CLIENT_NODE, 2, 1500000, 3, 1500000},
    {XDS_CLIENT_NODE, 1, 1000000000, 2, 10000000000},
    {XDS_CLIENT_NODE, 1, 1025000000, 2, 10025000000},
    {XDS_CLIENT_NODE, 1, 2000000100, 2, 2100}, /* "21e-7s" */
    {XDS_CLIENT_NODE, 1, 1000000123, 2, 1123}, /* "11.23e-7s" */
    {XDS_CLIENT_NODE, 1, 1000000009, 2, 19},
};

Test(method_config, attempts_end_at_five_and_short_waits_are_raised)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(retries); i++) {
        const struct retries_row *r = &retries[i];
        const struct xds_retry_policy policy = {.num_retries = r->num_retries,
                                                .base_interval_ns = r->base_ns};
        struct xds_options options;

        xds_options_init(&options);
        const struct xds_retries got = xds_retries_of(&options, r->client, &policy);

        cr_expect_eq(got.attempts, r->attempts, "row %zu", i);
        cr_expect_eq(got.capped, r->num_retries > 4, "row %zu", i);
        cr_expect_eq(got.initial_backoff_ns, r->backoff_ns, "row %zu", i);
    }
}

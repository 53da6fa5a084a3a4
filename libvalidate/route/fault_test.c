/* fault_test.c - who aborts with which status, and how probable it is. */
#include <criterion/criterion.h>

#include "clients/clients.h"
#include "route/route.h"
#include "route/rpc_test.h"

/* One fault filter in the listener, and nothing that overrides it. */
struct stage {
    struct test_rpc t;
    struct xds_fault config;
    struct xds_filter filters[2];
    struct xds_listener listener;
    struct xds_faults faults;
};

static void stage_init(struct stage *s, enum xds_client client)
{
    *s = (struct stage){
        .config = {.abort_fraction = {100, 100}, .delay_fraction = {100, 100}}};
    test_rpc_init(&s->t, client);
    for (size_t i = 0; i < XDS_ARRAY_LEN(s->filters); i++)
        s->filters[i] = (struct xds_filter){
            .name = XDS_S("f"), .kind = XDS_FILTER_FAULT, .fault = &s->config};
    s->listener = (struct xds_listener){.filters = s->filters, .n_filters = 1};
}

static void stage_run(struct stage *s)
{
    const struct xds_override_scope nothing = {NULL, NULL, NULL};

    s->faults = xds_faults_of(&s->t.rpc, &s->listener, &nothing);
}

enum { NONE = 1000 }; /* no abort */

static const struct code_row {
    enum xds_fault_abort kind;
    uint32_t code, expected[XDS_CLIENTS]; /* of grfc, core, go, java, node */
} codes[] = {
    {XDS_FAULT_ABORT_GRPC, 14, {14, 14, 14, 14, 14}},
    {XDS_FAULT_ABORT_GRPC, 0, {0, NONE, 0, 0, 0}},
    {XDS_FAULT_ABORT_GRPC, 17, {2, 2, 2, 2, 17}},
    {XDS_FAULT_ABORT_HTTP, 400, {13, 13, 13, 13, 13}},
    {XDS_FAULT_ABORT_HTTP, 401, {16, 16, 16, 16, 16}},
    {XDS_FAULT_ABORT_HTTP, 403, {7, 7, 7, 7, 7}},
    {XDS_FAULT_ABORT_HTTP, 404, {12, 12, 12, 12, 12}},
    {XDS_FAULT_ABORT_HTTP, 429, {14, 14, 14, 14, 14}},
    {XDS_FAULT_ABORT_HTTP, 502, {14, 14, 14, 14, 14}},
    {XDS_FAULT_ABORT_HTTP, 503, {14, 14, 14, 14, 14}},
    {XDS_FAULT_ABORT_HTTP, 504, {14, 14, 14, 14, 14}},
    {XDS_FAULT_ABORT_HTTP, 599, {2, 2, 2, 2, 2}},
    {XDS_FAULT_ABORT_HTTP, 200, {2, NONE, 2, 2, 2}},
    {XDS_FAULT_ABORT_HTTP, 0, {2, NONE, NONE, 2, 2}},
    {XDS_FAULT_ABORT_HTTP, 199, {2, 2, NONE, 13, 2}},
    {XDS_FAULT_ABORT_HTTP, 600, {2, 2, NONE, 2, 2}},
    {XDS_FAULT_ABORT_NONE, 14, {NONE, NONE, NONE, NONE, NONE}},
};

Test(route_fault, each_client_makes_its_own_status_of_a_code)
{
    for (const struct code_row *r = codes; r < codes + XDS_ARRAY_LEN(codes); r++)
        for (unsigned client = 0; client < XDS_CLIENTS; client++) {
            struct stage s;

            stage_init(&s, (enum xds_client)client);
            s.config.abort = r->kind;
            s.config.abort_code = r->code;
            stage_run(&s);
            cr_expect_eq(s.faults.n ? s.faults.list[0].code : NONE,
                         r->expected[xds_client_as((enum xds_client)client)], "%u as %s",
                         r->code, xds_client_name((enum xds_client)client));
            cr_expect_eq(s.faults.aborts, s.faults.n > 0);
            test_rpc_release(&s.t);
        }
}

static const struct header_row {
    const char *name, *value;
    uint32_t expected[XDS_CLIENTS];
} headers[] = {
    {"x-envoy-fault-abort-grpc-request", "5", {5, 5, 5, 5, 5}},
    {"x-envoy-fault-abort-grpc-request", "0", {0, NONE, 0, 0, 0}},
    {"x-envoy-fault-abort-grpc-request", "-1", {2, 2, 2, 2, 1}},
    {"x-envoy-fault-abort-grpc-request", "77", {2, 2, 2, 2, 77}},
    {"x-envoy-fault-abort-grpc-request", "", {NONE, 2, NONE, NONE, NONE}},
    {"x-envoy-fault-abort-grpc-request", " 5 ", {NONE, 5, NONE, NONE, 5}},
    {"x-envoy-fault-abort-grpc-request", "99999999999", {NONE, 2, NONE, NONE, NONE}},
    {"x-envoy-fault-abort-request", "404", {12, NONE, 12, 12, 12}},
    {"x-envoy-fault-abort-request", "-404", {NONE, NONE, NONE, NONE, 12}},
    {"x-other", "5", {NONE, NONE, NONE, NONE, NONE}},
};

Test(route_fault, headers_are_read_as_each_client_reads_them)
{
    for (const struct header_row *r = headers; r < headers + XDS_ARRAY_LEN(headers); r++)
        for (unsigned client = 0; client < XDS_CLIENTS; client++) {
            struct stage s;

            stage_init(&s, (enum xds_client)client);
            s.config.abort = XDS_FAULT_ABORT_HEADER;
            test_rpc_header(&s.t, r->name, r->value);
            stage_run(&s);
            cr_expect_eq(s.faults.n ? s.faults.list[0].code : NONE,
                         r->expected[xds_client_as((enum xds_client)client)],
                         "%s: %s as %s", r->name, r->value,
                         xds_client_name((enum xds_client)client));
            test_rpc_release(&s.t);
        }
}

Test(route_fault, of_several_values_each_client_takes_another)
{
    static const uint32_t expected[XDS_CLIENTS] = {NONE, 2, 7, 7, 5};

    for (unsigned client = 0; client < XDS_CLIENTS; client++) {
        struct stage s;

        stage_init(&s, (enum xds_client)client);
        s.config.abort = XDS_FAULT_ABORT_HEADER;
        test_rpc_header(&s.t, "x-envoy-fault-abort-grpc-request", "5");
        test_rpc_header(&s.t, "x-envoy-fault-abort-grpc-request", "7");
        stage_run(&s);
        cr_expect_eq(s.faults.n ? s.faults.list[0].code : NONE,
                     expected[xds_client_as((enum xds_client)client)]);
        test_rpc_release(&s.t);
    }
}

static const struct percentage_row {
    const char *header;
    struct xds_fraction config;
    double expected;
} percentages[] = {
    {NULL, {25, 100}, 0.25},      {NULL, {200, 100}, 1},  {NULL, {0, 100}, 0},
    {NULL, {UINT32_MAX, 100}, 1}, {"10", {25, 100}, 0.1}, {"30", {25, 100}, 0.25},
    {"10", {25, 10000}, 0.001},   {"-1", {25, 100}, 0},   {"x", {25, 100}, 0},
    {"0", {100, 100}, 0},         {"100", {200, 100}, 1},
};

Test(route_fault, a_header_lowers_the_percentage_and_never_raises_it)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(percentages); i++) {
        struct stage s;

        stage_init(&s, XDS_CLIENT_GRFC);
        s.config.abort = XDS_FAULT_ABORT_HEADER;
        s.config.abort_fraction = percentages[i].config;
        test_rpc_header(&s.t, "x-envoy-fault-abort-grpc-request", "5");
        if (percentages[i].header)
            test_rpc_header(&s.t, "x-envoy-fault-abort-request-percentage",
                            percentages[i].header);
        stage_run(&s);
        const double got = s.faults.n ? s.faults.list[0].abort : 0;
        cr_expect(got > percentages[i].expected - 1e-12 &&
                      got < percentages[i].expected + 1e-12,
                  "row %zu: %g", i, got);
        test_rpc_release(&s.t);
    }
}

static const struct delay_row {
    const char *header;
    int64_t expected; /* 0: none */
} delays[] = {
    {"15", 15000000}, {"0", 0}, {"-3", 0},
    {"1.5", 0},       {"", 0},  {"9223372036854775807", INT64_MAX},
};

Test(route_fault, the_header_of_a_delay_holds_milliseconds)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(delays); i++) {
        struct stage s;

        stage_init(&s, XDS_CLIENT_CORE);
        s.config.delay = XDS_FAULT_DELAY_HEADER;
        test_rpc_header(&s.t, "x-envoy-fault-delay-request", delays[i].header);
        stage_run(&s);
        cr_expect_eq(s.faults.n ? s.faults.list[0].delay_ns : 0, delays[i].expected);
        cr_expect_not(s.faults.aborts);
        test_rpc_release(&s.t);
    }
}

Test(route_fault, no_filter_behind_a_certain_abort_is_asked)
{
    struct stage s;

    stage_init(&s, XDS_CLIENT_CORE);
    s.config.abort = XDS_FAULT_ABORT_GRPC;
    s.config.abort_code = 14;
    s.listener.n_filters = 2;
    stage_run(&s);
    cr_expect_eq(s.faults.n, 1);
    cr_expect_eq(s.faults.ends_at, 0);

    s.config.abort_fraction.numerator = 50;
    stage_run(&s);
    cr_expect_eq(s.faults.n, 2);
    cr_expect_not(s.faults.aborts);
    test_rpc_release(&s.t);
}

Test(route_fault, a_filter_without_config_does_nothing)
{
    struct stage s;

    stage_init(&s, XDS_CLIENT_CORE);
    s.filters[0].fault = NULL;
    stage_run(&s);
    cr_expect_eq(s.faults.n, 0);
    cr_expect_null(s.faults.list);
    test_rpc_release(&s.t);
}

Test(route_fault, codes_have_names_and_unknown_ones_digits)
{
    struct stage s;

    stage_init(&s, XDS_CLIENT_CORE);
    cr_expect(xds_slice_is(xds_status_code_text(&s.t.arena, 0), "OK"));
    cr_expect(xds_slice_is(xds_status_code_text(&s.t.arena, 16), "UNAUTHENTICATED"));
    cr_expect(xds_slice_is(xds_status_code_text(&s.t.arena, 17), "17"));
    cr_expect(xds_slice_is(xds_status_code_text(&s.t.arena, UINT32_MAX), "4294967295"));
    test_rpc_release(&s.t);
}

/* fault_test.c - what of an HTTPFault reaches the model, and who minds what. */
#include <criterion/criterion.h>

#include "rules/filter/filter.h"
#include "rules/kit_test.h"

#define TYPE "envoy.extensions.filters.http.fault.v3.HTTPFault"
#define AT "f.value[" TYPE "]."
#define PB_ABORT(arm)                                                                    \
    ENVOY__EXTENSIONS__FILTERS__HTTP__FAULT__V3__FAULT_ABORT__ERROR_TYPE_##arm
#define PB_DELAY(arm)                                                                    \
    ENVOY__EXTENSIONS__FILTERS__COMMON__FAULT__V3__FAULT_DELAY__FAULT_DELAY_SECIFIER_##arm

struct config {
    pb_http_fault fault;
    pb_fault_abort abort;
    pb_fault_delay delay;
    pb_fractional_percent percentage;
    pb_duration fixed;
    pb_u_int32_value active;
};

/* 5 of 100 for both; nothing is linked to `fault` yet. */
static struct config *config_new(struct kit *kit)
{
    struct config *c = XDS_NEW(&kit->arena, struct config);

    envoy__extensions__filters__http__fault__v3__httpfault__init(&c->fault);
    envoy__extensions__filters__http__fault__v3__fault_abort__init(&c->abort);
    envoy__extensions__filters__common__fault__v3__fault_delay__init(&c->delay);
    envoy__type__v3__fractional_percent__init(&c->percentage);
    google__protobuf__duration__init(&c->fixed);
    google__protobuf__uint32_value__init(&c->active);
    c->percentage.numerator = 5;
    c->abort.percentage = &c->percentage;
    c->delay.percentage = &c->percentage;
    c->delay.fixed_delay = &c->fixed;
    return c;
}

static struct xds_fault read_fault(struct kit *kit, const struct config *c)
{
    struct xds_extension ext;
    struct xds_filter filter = {0};
    struct xds_filter_override override = {0};

    xds_extension_read(&kit->ctx, XDS_AT(NULL, "f"), kit_any(kit, &c->fault.base), false,
                       &ext);
    cr_expect(xds_filter_fault.read(&kit->ctx, &ext, &filter));
    kit->ctx.live = 0; /* the same faults need not be told twice */
    cr_expect(xds_filter_fault.read_override(&kit->ctx, &ext, &override));
    cr_expect_eq(memcmp(filter.fault, override.fault, sizeof *filter.fault), 0);
    return *filter.fault;
}

Test(fault, nothing_set_is_no_fault)
{
    struct kit *kit = kit_new();
    const struct xds_fault fault = read_fault(kit, config_new(kit));

    cr_expect_eq(fault.abort, XDS_FAULT_ABORT_NONE);
    cr_expect_eq(fault.delay, XDS_FAULT_DELAY_NONE);
    cr_expect_not(fault.has_max_active_faults);
    cr_expect_str_eq(kit_findings(kit), "");
    kit_free(kit);
}

static const struct abort_row {
    unsigned arm;
    uint32_t code;
    enum xds_fault_abort kind;
    const char *findings;
} aborts[] = {
    {PB_ABORT(GRPC_STATUS), 0, XDS_FAULT_ABORT_GRPC, ""},
    {PB_ABORT(GRPC_STATUS), 16, XDS_FAULT_ABORT_GRPC, ""},
    {PB_ABORT(GRPC_STATUS), UINT32_MAX, XDS_FAULT_ABORT_GRPC,
     AT "abort.grpc_status fault-grpc-status NNAAA"},
    {PB_ABORT(HTTP_STATUS), 0, XDS_FAULT_ABORT_HTTP, ""},
    {PB_ABORT(HTTP_STATUS), 999, XDS_FAULT_ABORT_HTTP, ""},
    {PB_ABORT(HEADER_ABORT), 0, XDS_FAULT_ABORT_HEADER, ""},
    {PB_ABORT(_NOT_SET), 0, XDS_FAULT_ABORT_NONE,
     AT "abort fault-abort-error-type AAANN"},
};

Test(fault, each_way_to_abort_keeps_its_code)
{
    for (const struct abort_row *r = aborts; r < aborts + XDS_ARRAY_LEN(aborts); r++) {
        struct kit *kit = kit_new();
        struct config *c = config_new(kit);

        c->fault.abort = &c->abort;
        c->abort.error_type_case = r->arm;
        c->abort.grpc_status = r->code; /* http_status shares the slot */
        const struct xds_fault fault = read_fault(kit, c);
        cr_expect_eq(fault.abort, r->kind);
        cr_expect_eq(fault.abort_code, r->code);
        cr_expect_eq(fault.abort_fraction.numerator, 5u);
        cr_expect_eq(fault.abort_fraction.denominator, 100u);
        cr_expect_str_eq(kit_findings(kit), r->findings);
        kit_free(kit);
    }
}

static const struct delay_row {
    unsigned arm;
    int64_t seconds;
    enum xds_fault_delay kind;
    int64_t ns;
    const char *findings;
} delays[] = {
    {PB_DELAY(FIXED_DELAY), 0, XDS_FAULT_DELAY_FIXED, 0, ""},
    {PB_DELAY(FIXED_DELAY), 2, XDS_FAULT_DELAY_FIXED, 2000000000, ""},
    {PB_DELAY(FIXED_DELAY), INT64_MAX, XDS_FAULT_DELAY_FIXED, INT64_MAX,
     AT "delay.fixed_delay.seconds duration-seconds-range NNAAA\n" AT
        "delay.fixed_delay duration-overflow AAANA"},
    {PB_DELAY(HEADER_DELAY), 2, XDS_FAULT_DELAY_HEADER, 0, ""},
    {PB_DELAY(_NOT_SET), 2, XDS_FAULT_DELAY_NONE, 0,
     AT "delay fault-delay-specifier AAAAN"},
};

Test(fault, each_way_to_delay_keeps_its_time)
{
    for (const struct delay_row *r = delays; r < delays + XDS_ARRAY_LEN(delays); r++) {
        struct kit *kit = kit_new();
        struct config *c = config_new(kit);

        c->fault.delay = &c->delay;
        c->delay.fault_delay_secifier_case = r->arm;
        c->fixed.seconds = r->seconds;
        const struct xds_fault fault = read_fault(kit, c);
        cr_expect_eq(fault.delay, r->kind);
        cr_expect_eq(fault.delay_ns, r->ns);
        cr_expect_str_eq(kit_findings(kit), r->findings);
        kit_free(kit);
    }
}

static const struct percentage_row {
    int denominator;
    uint32_t of;
    const char *findings;
} percentages[] = {
    {0, 100, ""},
    {1, 10000, ""},
    {2, 1000000, ""},
    {3, 100, AT "abort.percentage.denominator fault-percentage-denominator AAANA"},
    {-1, 100, AT "abort.percentage.denominator fault-percentage-denominator AAANA"},
};

Test(fault, a_denominator_that_is_not_defined_is_a_hundred)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(percentages); i++) {
        struct kit *kit = kit_new();
        struct config *c = config_new(kit);

        c->fault.abort = &c->abort;
        c->abort.error_type_case = PB_ABORT(HEADER_ABORT);
        /* As binary input brings it: any int. */
        memcpy(&c->percentage.denominator, &percentages[i].denominator, sizeof(int));
        cr_expect_eq(read_fault(kit, c).abort_fraction.denominator, percentages[i].of);
        cr_expect_str_eq(kit_findings(kit), percentages[i].findings);
        kit_free(kit);
    }
}

Test(fault, no_percentage_is_never)
{
    struct kit *kit = kit_new();
    struct config *c = config_new(kit);

    c->fault.delay = &c->delay;
    c->delay.fault_delay_secifier_case = PB_DELAY(FIXED_DELAY);
    c->delay.percentage = NULL;
    cr_expect_eq(read_fault(kit, c).delay_fraction.numerator, 0u);
    cr_expect_str_eq(kit_findings(kit),
                     AT "delay.percentage fault-percentage-absent AAAAN");
    kit_free(kit);
}

Test(fault, a_limit_of_zero_is_a_limit)
{
    struct kit *kit = kit_new();
    struct config *c = config_new(kit);

    c->fault.max_active_faults = &c->active;
    const struct xds_fault none = read_fault(kit, c);
    c->active.value = 7;
    const struct xds_fault seven = read_fault(kit, c);
    cr_expect(none.has_max_active_faults && seven.has_max_active_faults);
    cr_expect_eq(none.max_active_faults, 0u);
    cr_expect_eq(seven.max_active_faults, 7u);
    kit_free(kit);
}

/* retry_policy_test.c - five clients and their ways to check, and gRFC A44's defaults. */
#include <criterion/criterion.h>

#include <stdio.h>

#include "rules/kit_test.h"
#include "rules/inner.h"

#define BASE "retry_back_off.base_interval"
#define MAX "retry_back_off.max_interval"
#define SECONDS ".seconds duration-seconds-range NNAAA\n"
#define NANOS ".nanos duration-nanos-range NNAAA\n"
#define OVERFLOWS " duration-overflow AAANA"
#define NOT_POSITIVE " retry-base-interval-not-positive "
#define TOO_SMALL " retry-max-interval-too-small "

static const struct intervals {
    int64_t base_s;
    int32_t base_ns;
    bool has_max;
    int64_t max_s;
    int32_t max_ns;
    const char *findings;
    int64_t model_base, model_max;
} intervals[] = {
    {1, 0, false, 0, 0, "", 1000000000, 10000000000},
    {0, 0, false, 0, 0, BASE NOT_POSITIVE "NANNN", 0, 250000000},
    /* 100 ns: java raises it to 1 ms, node cuts it down to 0. */
    {0, 100, true, 0, 200, BASE NOT_POSITIVE "AAAAN", 100, 200},
    {2, 0, true, 1, 0, MAX TOO_SMALL "NAANN", 2000000000, 1000000000},
    {1, 0, true, 0, 0, MAX TOO_SMALL "NANNN", 1000000000, 0},
    {-1, 0, false, 0, 0, BASE SECONDS BASE NOT_POSITIVE "NANNN", -1000000000, 250000000},
    /* 25 days do not fit into node's int32 milliseconds and come out negative. */
    {2160000, 0, false, 0, 0, BASE NOT_POSITIVE "AAAAN", 2160000000000000,
     21600000000000000},
    {INT64_MAX, INT32_MAX, false, 0, 0,
     BASE SECONDS BASE NANOS BASE OVERFLOWS "\n" BASE NOT_POSITIVE "AAAAN", INT64_MAX,
     INT64_MAX},
    {INT64_MIN, INT32_MIN, true, INT64_MIN, INT32_MIN,
     BASE SECONDS BASE NANOS BASE OVERFLOWS "\n" BASE NOT_POSITIVE
                                            "NANNN\n" MAX SECONDS MAX NANOS MAX OVERFLOWS
                                            "\n" MAX TOO_SMALL "NANAA",
     INT64_MIN, INT64_MIN},
};

struct sample {
    pb_retry_policy pb;
    pb_retry_policy_retry_back_off back_off;
    pb_duration base, max;
};

static void sample_init(struct sample *s, const struct intervals *row)
{
    envoy__config__route__v3__retry_policy__init(&s->pb);
    envoy__config__route__v3__retry_policy__retry_back_off__init(&s->back_off);
    google__protobuf__duration__init(&s->base);
    google__protobuf__duration__init(&s->max);
    s->base.seconds = row->base_s;
    s->base.nanos = row->base_ns;
    s->max.seconds = row->max_s;
    s->max.nanos = row->max_ns;
    s->back_off.base_interval = &s->base;
    s->back_off.max_interval = row->has_max ? &s->max : NULL;
    s->pb.retry_back_off = &s->back_off;
}

Test(retry_policy, each_client_checks_intervals_its_own_way)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(intervals); i++) {
        struct kit *kit = kit_new();
        struct sample s;

        sample_init(&s, &intervals[i]);
        const struct xds_retry_policy *policy =
            xds_retry_policy_read(&kit->ctx, NULL, &s.pb);
        cr_expect_str_eq(kit_findings(kit), intervals[i].findings, "row %zu", i);
        cr_expect_eq(policy->base_interval_ns, intervals[i].model_base, "row %zu", i);
        cr_expect_eq(policy->max_interval_ns, intervals[i].model_max, "row %zu", i);
        kit_free(kit);
    }
}

static const struct spelling {
    const char *retry_on;
    unsigned codes;
} spellings[] = {
    {"", 0},
    {"unavailable", XDS_RETRY_UNAVAILABLE},
    {"cancelled,deadline-exceeded,internal,resource-exhausted",
     XDS_RETRY_CANCELLED | XDS_RETRY_DEADLINE_EXCEEDED | XDS_RETRY_INTERNAL |
         XDS_RETRY_RESOURCE_EXHAUSTED},
    {"5xx,internal,,connect-failure,", XDS_RETRY_INTERNAL},
    {" unavailable,Internal,resource_exhausted", 0},
};

Test(retry_policy, go_and_java_take_other_spellings_too)
{
    static char text[] = " unavailable,Internal\t,resource_exhausted,deadline--exceeded";
    struct kit *kit = kit_new();
    pb_retry_policy pb = ENVOY__CONFIG__ROUTE__V3__RETRY_POLICY__INIT;
    const unsigned trimmed = XDS_RETRY_UNAVAILABLE | XDS_RETRY_INTERNAL;

    pb.retry_on = text;
    const struct xds_retry_policy *policy = xds_retry_policy_read(&kit->ctx, NULL, &pb);
    cr_expect_eq(policy->codes, 0);
    cr_expect_eq(policy->go_codes, trimmed);
    cr_expect_eq(policy->java_codes, trimmed | XDS_RETRY_RESOURCE_EXHAUSTED);
    kit_free(kit);
}

Test(retry_policy, only_the_exact_spelling_of_a_code_counts)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(spellings); i++) {
        struct kit *kit = kit_new();
        pb_retry_policy pb = ENVOY__CONFIG__ROUTE__V3__RETRY_POLICY__INIT;
        char copy[64];

        snprintf(copy, sizeof copy, "%s", spellings[i].retry_on);
        pb.retry_on = copy;
        cr_expect_eq(xds_retry_policy_read(&kit->ctx, NULL, &pb)->codes,
                     spellings[i].codes, "%s", copy);
        cr_expect_str_eq(kit_findings(kit), "");
        kit_free(kit);
    }
}

Test(retry_policy, without_back_off_the_defaults_of_a44_hold)
{
    struct kit *kit = kit_new();
    const pb_retry_policy pb = ENVOY__CONFIG__ROUTE__V3__RETRY_POLICY__INIT;
    const struct xds_retry_policy *policy = xds_retry_policy_read(&kit->ctx, NULL, &pb);

    cr_expect_eq(policy->num_retries, 1);
    cr_expect_eq(policy->base_interval_ns, 25000000);
    cr_expect_eq(policy->max_interval_ns, 250000000);
    kit_free(kit);
}

Test(retry_policy, a_policy_that_is_not_set_is_none)
{
    struct kit *kit = kit_new();

    cr_expect_null(xds_retry_policy_read(&kit->ctx, NULL, NULL));
    kit_free(kit);
}

/* span_test.c - durations as people write them, and as a scenario writes them back. */
#include <criterion/criterion.h>

#include "base/number.h"
#include "scenario/scenario.h"

static const struct row {
    const char *text;
    int64_t ms; /* -1: it is no duration */
} rows[] = {
    {"0s", 0},
    {"10s", 10000},
    {"1500ms", 1500},
    {"15m", 900000},
    {"1h", 3600000},
    {"1m30s", 90000},
    {"1h1m1s1ms", 3661001},
    {"2.5s", 2500},
    {"0.001s", 1},
    {"0.1m", 6000},
    {"0.25h", 900000},
    {"1.000ms", 1},
    {"00001s", 1000},
    {"315576000000s", XDS_DURATION_MAX_MS},
    {"", -1},
    {"10", -1},
    {"s", -1},
    {"-1s", -1},
    {"+1s", -1},
    {"1 s", -1},
    {"1s ", -1},
    {"1d", -1},
    {"1S", -1},
    {".5s", -1},
    {"1.s", -1},
    {"0.0001s", -1},
    {"0.5ms", -1},
    {"0.00001m", -1},
    {"1.5.5s", -1},
    {"1e3s", -1},
    {"315576000001s", -1},
    {"315576000000s1ms", -1},
    {"9223372036854775807ms", -1},
    {"9223372036854775808ms", -1},
    {"99999999999999999999999h", -1},
};

Test(span, each_row_is_as_long_as_it_says)
{
    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        int64_t ms = -1;

        cr_expect_eq(xds_span_read(xds_slice_of(r->text), &ms), r->ms >= 0, "%s",
                     r->text);
        if (r->ms >= 0)
            cr_expect_eq(ms, r->ms, "%s: %lld", r->text, (long long)ms);
    }
}

static void write_back(void *arg)
{
    cr_expect(xds_slice_is(xds_span_text(arg, 0), "0s"));
    cr_expect(xds_slice_is(xds_span_text(arg, 90000), "90s"));
    cr_expect(xds_slice_is(xds_span_text(arg, 1001), "1001ms"));
    for (int64_t ms = 0; ms < 5000; ms += 7) {
        int64_t back = -1;

        cr_expect(xds_span_read(xds_span_text(arg, ms), &back));
        cr_expect_eq(back, ms);
    }
}

Test(span, what_is_written_reads_back)
{
    struct xds_arena arena;
    struct xds_arena *const list[] = {&arena};

    xds_arena_init(&arena, 0);
    cr_expect_eq(xds_arena_guard(list, 1, write_back, &arena), XDS_OK);
    xds_arena_release(&arena);
}

/*
 * threads.c - programs that link the library use it in several threads at once, each with
 * a report of its own: all of them get what one alone gets.
 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "include/xdscope.h"

enum { THREADS = 6, ROUNDS = 4, SNAPSHOTS = 3 };

static const char *const snapshots[SNAPSHOTS] = {
    "testdata/snapshots/shop",
    "testdata/snapshots/gateway",
    "testdata/snapshots/shop-next",
};

/* What is printed, by its length and a sum of its bytes. */
struct sum {
    size_t len;
    uint64_t bytes;
};

static bool add_up(void *user, const char *data, size_t len)
{
    struct sum *sum = user;

    for (size_t i = 0; i < len; i++)
        sum->bytes = sum->bytes * 31 + (unsigned char)data[i];
    sum->len += len;
    return true;
}

static void explain(const struct xds_printer *to, struct xds_check *check,
                    enum xds_client client)
{
    const struct xds_request request = {.path = {"/shop.Cart/Checkout", 19}};
    struct xds_explainer *explainer = xds_explainer_new(check, client);
    const struct xds_decision *decision;

    cr_assert_not_null(explainer);
    if (xds_explain(explainer, &request, &decision) == XDS_OK) {
        cr_assert_eq(xds_print_decision_text(to, decision), XDS_OK);
        cr_assert_eq(xds_print_decision_json(to, decision), XDS_OK);
    }
    xds_explainer_free(explainer);
}

static struct sum lint_and_explain(const char *snapshot, unsigned jobs)
{
    struct sum sum = {0, 0};
    const struct xds_printer to = {.write = add_up, .user = &sum, .verbose = true};
    struct xds_options options;

    xds_options_init(&options);
    struct xds_report *report = xds_report_new(&options);
    struct xds_check *check = xds_check_new(report, true);
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);

    cr_assert_eq(xds_source_add(source, snapshot), XDS_OK);
    cr_assert_eq(xds_check_all(check, source, jobs, NULL, NULL), XDS_OK);
    cr_assert_eq(xds_check_finish(check, source), XDS_OK);
    xds_report_sort(report);
    cr_assert_eq(xds_print_findings_text(&to, report), XDS_OK);
    cr_assert_eq(xds_print_findings_json(&to, report), XDS_OK);
    for (unsigned client = 0; client < XDS_CLIENTS; client++)
        explain(&to, check, (enum xds_client)client);
    xds_source_free(source);
    xds_check_free(check);
    xds_report_free(report);
    return sum;
}

struct worker {
    pthread_t thread;
    unsigned number;
    struct sum sums[ROUNDS];
};

static size_t snapshot_of(unsigned number, unsigned round)
{
    return (number + round) % SNAPSHOTS;
}

static void *work(void *arg)
{
    struct worker *w = arg;

    for (unsigned round = 0; round < ROUNDS; round++)
        w->sums[round] =
            lint_and_explain(snapshots[snapshot_of(w->number, round)], w->number % 3);
    return NULL;
}

/* The threads go first: they race for what is made once in a process. */
Test(threads, each_with_a_report_of_its_own_gets_what_one_alone_gets)
{
    static struct worker workers[THREADS];
    struct sum alone[SNAPSHOTS];

    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].number = i;
        cr_assert_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_join(workers[i].thread, NULL), 0);
    for (size_t i = 0; i < SNAPSHOTS; i++)
        alone[i] = lint_and_explain(snapshots[i], 1);
    for (unsigned i = 0; i < THREADS; i++)
        for (unsigned round = 0; round < ROUNDS; round++)
            cr_assert(memcmp(&workers[i].sums[round], &alone[snapshot_of(i, round)],
                             sizeof alone[0]) == 0,
                      "thread %u, round %u", i, round);
}

/*
 * library.c - judging clusters through the library one by one, as the test of a control
 * plane does: serialized resources that are at hand, and the verdict on each.
 *
 *   bench-library FILE [ROUNDS]
 *
 * FILE is a DiscoveryResponse in binary whose clusters all clients accept. Prints
 * "cluster", with one report for all of a round, and "cluster-alone", with one for each:
 * the median of the rounds in microseconds of wall and of processor time for a cluster.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "include/xdscope.h"

enum { USUAL_ROUNDS = 101, MOST_ROUNDS = 10001 };

/* Serialized clusters, each as it would be in a response. */
struct clusters {
    struct xds_resource *each;
    size_t n;
};

static void stop(const char *what)
{
    (void)fprintf(stderr, "bench-library: %s\n", what);
    exit(3);
}

static void *must(void *made)
{
    if (!made)
        stop("out of memory");
    return made;
}

static struct xds_report *new_report(void)
{
    const struct xds_slice provider = {"default", sizeof "default" - 1};
    struct xds_options options;

    xds_options_init(&options);
    options.bootstrap.is_set = true;
    options.bootstrap.provider_instances = &provider;
    options.bootstrap.n_provider_instances = 1;
    return must(xds_report_new(&options));
}

/* What the source gives lasts until it is asked for the next one. */
static struct xds_slice copied(struct xds_slice text)
{
    char *copy = must(malloc(text.len + 1));

    if (text.len > 0)
        memcpy(copy, text.data, text.len);
    return (struct xds_slice){copy, text.len};
}

static void add(struct clusters *clusters, const struct xds_resource *read)
{
    clusters->each =
        must(realloc(clusters->each, (clusters->n + 1) * sizeof *clusters->each));
    clusters->each[clusters->n++] = (struct xds_resource){
        .format = XDS_FORMAT_BINARY,
        .type = read->type,
        .type_url = copied(read->type_url),
        .bytes = copied(read->bytes),
    };
}

static void read_clusters(struct clusters *clusters, const char *path)
{
    struct xds_report *report = new_report();
    struct xds_source *source = must(xds_source_new(report, XDS_TYPE_UNKNOWN));
    struct xds_resource read;

    if (xds_source_add(source, path) != XDS_OK)
        stop("the file cannot be read");
    while (xds_source_next(source, &read) == XDS_OK)
        if (xds_resource_type_from_name(read.type_url) == XDS_TYPE_CLUSTER)
            add(clusters, &read);
    if (clusters->n == 0)
        stop("the file has no cluster");
    xds_source_free(source);
    xds_report_free(report);
}

static void judge(const struct xds_resource *clusters, size_t n)
{
    struct xds_report *report = new_report();
    struct xds_check *check = must(xds_check_new(report, false));

    for (size_t i = 0; i < n; i++) {
        if (xds_check_resource(check, &clusters[i]) != XDS_OK)
            stop("a cluster cannot be judged");
        if (xds_report_resource(report, i)->nacked_by != 0)
            stop("a cluster is rejected");
    }
    xds_check_free(check);
    xds_report_free(report);
}

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median_us(double *times, size_t rounds, size_t clusters)
{
    qsort(times, rounds, sizeof *times, by_size);
    return times[rounds / 2] * 1e6 / (double)clusters;
}

/* at_once: so many with one report. */
static void measure(const char *name, const struct clusters *clusters, size_t at_once,
                    size_t rounds)
{
    static double wall[MOST_ROUNDS], cpu[MOST_ROUNDS];

    for (size_t round = 0; round < rounds; round++) {
        const double wall_start = seconds(CLOCK_MONOTONIC);
        const double cpu_start = seconds(CLOCK_PROCESS_CPUTIME_ID);

        for (size_t i = 0; i < clusters->n; i += at_once)
            judge(&clusters->each[i], at_once);
        wall[round] = seconds(CLOCK_MONOTONIC) - wall_start;
        cpu[round] = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
    }
    printf("%s %.3f us %.3f cpu\n", name, median_us(wall, rounds, clusters->n),
           median_us(cpu, rounds, clusters->n));
}

int main(int argc, char **argv)
{
    const size_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : USUAL_ROUNDS;
    struct clusters clusters = {0};

    if (argc < 2 || argc > 3 || rounds == 0 || rounds > MOST_ROUNDS) {
        (void)fputs("usage: bench-library FILE [ROUNDS]\n", stderr);
        return 2;
    }
    read_clusters(&clusters, argv[1]);
    measure("cluster", &clusters, clusters.n, rounds);
    measure("cluster-alone", &clusters, 1, rounds);
    return 0;
}

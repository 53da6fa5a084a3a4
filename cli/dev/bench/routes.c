/*
 * routes.c - how long it takes to find the route of an RPC, by the number of routes.
 *
 *   bench-routes                measure everything; a line "NAME VALUE UNIT" for each
 *   bench-routes --dump FOLDER  write the routes and RPCs of each size to files
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "cli/dev/bench/route_table.h"
#include "route/route.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 21, WARM_UP = 40 };

/* ---- time ---- */

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_size);
    return values[n / 2];
}

/* ---- looking up ---- */

/* The route of one RPC, its virtual host included. */
static size_t look_up(struct table *t, const struct xds_route_index *index,
                      const struct call *call)
{
    struct xds_random random = {NULL, 0, 0};
    const struct xds_rpc rpc = {.client = XDS_CLIENT_CORE,
                                .options = &t->options,
                                .request = &call->rpc,
                                .random = &random,
                                .arena = &t->moment};

    xds_arena_reset(&t->moment);
    const struct xds_virtual_host_choice host = xds_virtual_host_find(
        t->config, rpc.options, rpc.client, XDS_S("shop.example.com:443"));
    const struct xds_route_walk walk = xds_route_select(&rpc, host.host, index);

    return walk.n_tries ? walk.tries[walk.n_tries - 1].index : t->n;
}

/* What all rounds find must be used, lest the search be left out. */
static size_t look_all_up(struct table *t, const struct xds_route_index *index, size_t n)
{
    size_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += look_up(t, index, &t->calls[i]);
    return sum;
}

struct search {
    struct table *table;
    const struct xds_route_index *index; /* NULL: the plain scan */
    size_t calls, warm_up, rounds;
    double ns;  /* of one RPC */
    size_t sum; /* of what is found */
};

static void measure_search(void *arg)
{
    struct search *s = arg;
    double rounds[ROUNDS];

    for (size_t i = 0; i < s->warm_up; i++)
        s->sum = look_all_up(s->table, s->index, s->calls);
    for (size_t i = 0; i < s->rounds; i++) {
        const double start = now_ns();
        const size_t sum = look_all_up(s->table, s->index, s->calls);

        rounds[i] = (now_ns() - start) / (double)s->calls;
        if (sum != s->sum)
            give_up("two rounds found different routes");
    }
    s->ns = median(rounds, s->rounds);
}

static void guarded(struct table *t, void (*body)(void *), void *arg)
{
    struct xds_arena *const arenas[] = {&t->lasting, &t->moment};

    if (xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), body, arg) != XDS_OK)
        give_up("out of memory");
}

struct build {
    struct table *table;
    struct xds_route_index *index;
};

static void build_index(void *arg)
{
    struct build *b = arg;

    b->index = xds_route_index_build(&b->table->lasting, &b->table->options,
                                     XDS_CLIENT_CORE, b->table->config->virtual_hosts);
}

static double measure_size(size_t n)
{
    struct table t;

    make_table(&t, n);
    struct build b = {&t, NULL};

    guarded(&t, build_index, &b);
    struct search fast = {&t, b.index, REQUESTS, WARM_UP, ROUNDS, 0, 0};
    /* The plain scan is slow: fewer RPCs tell as much. */
    const size_t few = n <= 10 ? REQUESTS : (size_t)REQUESTS * 10 / n + 1;
    struct search plain = {&t, NULL, few, 2, 5, 0, 0};

    guarded(&t, measure_search, &fast);
    guarded(&t, measure_search, &plain);
    (void)printf("lookup-%zu %.1f ns\nscan-%zu %.1f ns\n", n, fast.ns, n, plain.ns);
    free_table(&t);
    return fast.ns;
}

/* ---- building ---- */

/* From the model and the texts of the regexes to a table that can answer: every pattern
 * read, compiled and tried once, and the index. */
static size_t prepare_regexes(const struct table *t, struct xds_regex_cache *cache)
{
    const struct xds_virtual_host *host = t->config->virtual_hosts;
    struct xds_slice error;
    size_t n = 0;

    for (size_t i = 0; i < host->n_routes; i++) {
        const struct xds_path_matcher *path = &host->routes[i].match.path;

        if (path->kind != XDS_MATCH_REGEX)
            continue;
        const struct xds_regex *regex = xds_regex_get(cache, path->text, &error);

        if (!regex || xds_regex_full_match(regex, path_of(t, i)) != XDS_MATCH)
            give_up("a regex does not match its path");
        n++;
    }
    return n;
}

static void measure_build(void)
{
    double index_ms[ROUNDS], regexes_ms[ROUNDS], both_ms[ROUNDS];
    size_t regexes = 0;
    struct table t;

    make_table(&t, 10000);
    for (size_t i = 0; i < ROUNDS; i++) {
        struct xds_regex_cache *cache = must(xds_regex_cache_new());
        struct build b = {&t, NULL};
        const double start = now_ns();

        regexes = prepare_regexes(&t, cache);
        const double middle = now_ns();

        xds_arena_reset(&t.lasting);
        guarded(&t, build_index, &b);
        const double end = now_ns();

        regexes_ms[i] = (middle - start) / 1e6;
        index_ms[i] = (end - middle) / 1e6;
        both_ms[i] = (end - start) / 1e6;
        xds_regex_cache_free(cache);
    }
    (void)printf("table-10000 %.3f ms\ntable-10000-index %.3f ms\n"
                 "table-10000-regexes %.3f ms\ntable-10000-patterns %zu regexes\n",
                 median(both_ms, ROUNDS), median(index_ms, ROUNDS),
                 median(regexes_ms, ROUNDS), regexes);
    free_table(&t);
}

/* ---- hostile regexes ---- */

static const char *const hostile[] = {
    "([a-z]+/?)+[0-9]",
    "(a|aa)+[0-9]",
    "(.*)*[0-9]",
    "(.*.*.*)*x0",
    "([a-z]*)*([a-z]*)*0",
    "(a?){40}a{40}0",
    "((((a+)+)+)+)+0",
    "(x+x+)+y|(a|a|aa?)+0",
    "([ab]+[a-c]+[a-d]+)+[0-9]",
    "(?:a*a*a*a*a*a*a*a*a*)*0",
};

/* One path of 40 letters. The first match compiles the pattern; later ones may be faster,
 * and they may be slower. */
static double measure_hostile_one(const char *pattern, enum xds_match *outcome)
{
    enum { MATCHES = 80 };
    const struct xds_slice path = XDS_S("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    double firsts[ROUNDS], others[MATCHES];

    for (size_t round = 0; round < ROUNDS; round++) {
        struct xds_regex_cache *cache = must(xds_regex_cache_new());
        struct xds_slice error;
        const double start = now_ns();
        const struct xds_regex *regex =
            xds_regex_get(cache, xds_slice_of(pattern), &error);

        *outcome = regex ? xds_regex_full_match(regex, path) : XDS_MATCH;
        firsts[round] = (now_ns() - start) / 1e6;
        for (size_t i = 0; round == 0 && i < MATCHES; i++) {
            const double again = now_ns();

            *outcome = xds_regex_full_match(regex, path);
            others[i] = (now_ns() - again) / 1e6;
        }
        xds_regex_cache_free(cache);
    }
    const double first = median(firsts, ROUNDS), other = median(others, MATCHES);

    return first > other ? first : other;
}

static void measure_hostile(void)
{
    size_t undecided = 0;
    double worst = 0;

    for (size_t i = 0; i < XDS_ARRAY_LEN(hostile); i++) {
        enum xds_match outcome;
        const double ms = measure_hostile_one(hostile[i], &outcome);

        worst = ms > worst ? ms : worst;
        undecided += outcome == XDS_MATCH_UNDECIDED;
        if (i == 0)
            (void)printf("hostile-first %.3f ms\n", ms);
        if (outcome == XDS_MATCH)
            give_up("a hostile regex matches");
    }
    (void)printf("hostile-worst %.3f ms\nhostile-undecided %zu of-%zu\n", worst,
                 undecided, XDS_ARRAY_LEN(hostile));
}

/* ---- all ---- */

int main(int argc, char **argv)
{
    static const size_t sizes[] = {10, 100, 1000, 10000};
    double ns[XDS_ARRAY_LEN(sizes)];

    if (argc == 3 && strcmp(argv[1], "--dump") == 0) {
        for (size_t i = 0; i < XDS_ARRAY_LEN(sizes); i++)
            dump_table(argv[2], sizes[i]);
        return 0;
    }
    if (argc != 1) {
        (void)fputs("usage: bench-routes [--dump FOLDER]\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < XDS_ARRAY_LEN(sizes); i++)
        ns[i] = measure_size(sizes[i]);
    (void)printf("growth-100-to-10000 %.2f x\n", ns[3] / ns[1]);
    measure_build();
    measure_hostile();
    return 0;
}

/*
 * routes.c - how long it takes to find the route of an RPC, by the number of routes.
 *
 *   bench-routes                measure everything; a line "NAME VALUE UNIT" for each
 *   bench-routes --dump FOLDER  write the routes and RPCs of each size to files, for
 * others
 *
 * Takes:  routes as gen_snapshot.py makes them: 45 % prefixes, 48 % exact paths, 7 %
 *         regexes; 4 % without case, 18 % with headers, 6 % with a fraction.
 * Gives:  processor time of this thread, so that a busy machine disturbs it little: the
 *         median of rounds, reading of JSON excluded. The same routes at every run.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "base/regex.h"
#include "check/check.h"
#include "route/select.h"
#include "route/virtual_host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REQUESTS = 4096, HEADERS = 5, ROUNDS = 21, WARM_UP = 40, PIECE = 512 };

/* ---- help ------------------------------------------------------------------------- */

_Noreturn static void give_up(const char *why)
{
    (void)fprintf(stderr, "bench-routes: %s\n", why);
    exit(3);
}

static void *must(void *memory)
{
    if (!memory)
        give_up("out of memory");
    return memory;
}

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

/* ---- chance, the same at every run --------------------------------------------------
 */

static uint64_t chance_state;

static unsigned below(unsigned n)
{
    chance_state = chance_state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(chance_state >> 33) % n;
}

static bool percent(unsigned n)
{
    return below(100) < n;
}

/* ---- text ---------------------------------------------------------------------------
 */

struct text {
    char *data;
    size_t n, cap;
};

static void add(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Every piece is short. */
static void add(struct text *text, const char *format, ...)
{
    va_list args;

    if (text->cap - text->n < PIECE) {
        text->cap = 2 * text->cap + PIECE;
        text->data = must(realloc(text->data, text->cap));
    }
    va_start(args, format);
    const int len = vsnprintf(text->data + text->n, PIECE, format, args);
    va_end(args);
    if (len < 0 || len >= PIECE)
        give_up("a piece of text is too long");
    text->n += (size_t)len;
}

/* ---- routes -------------------------------------------------------------------------
 */

static const char *const orgs[] = {"acme",  "globex", "initech", "umbrella",
                                   "hooli", "stark",  "wayne",   "cyberdyne"};
static const char *const domains[] = {
    "billing", "catalog",   "orders", "search",  "identity", "inventory", "shipping",
    "pricing", "payments",  "ledger", "profile", "notify",   "media",     "risk",
    "audit",   "recommend", "quota",  "session", "workflow", "telemetry"};
static const char *const nouns[] = {
    "Invoice", "Product", "Order", "Query",   "Account", "Stock",  "Parcel", "Quote",
    "Charge",  "Entry",   "User",  "Message", "Asset",   "Score",  "Event",  "Feed",
    "Limit",   "Token",   "Job",   "Metric",  "Address", "Basket", "Coupon", "Device",
    "Export",  "Filter",  "Grant", "Holiday", "Import",  "Journal"};
static const char *const verbs[] = {
    "Get",    "List",  "Create",  "Update", "Delete",  "Watch",   "Search",  "BatchGet",
    "Stream", "Count", "Resolve", "Cancel", "Approve", "Archive", "Restore", "Validate"};

#define PICK(list) list[below(XDS_ARRAY_LEN(list))]

/* What a header matcher is written as, and a value that it takes. */
static const struct header_kind {
    const char *name, *matcher, *value;
} header_kinds[] = {
    {"x-tenant", "\"stringMatch\":{\"exact\":\"tenant-%u\"}", "tenant-%u"},
    {"x-env", "\"stringMatch\":{\"prefix\":\"prod\",\"ignoreCase\":true}", "PROD-1"},
    {"x-shard", "\"rangeMatch\":{\"start\":\"%u\",\"end\":\"99\"}", "98"},
    {"x-debug", "\"presentMatch\":true", "true"},
    {"x-client", "\"exactMatch\":\"web\"", "web"},
    {"x-request-source", "\"stringMatch\":{\"suffix\":\".acme.com\"}", "api.acme.com"},
    {"x-region", "\"safeRegexMatch\":{\"regex\":\"(us|europe)-[a-z]+[0-9]\"}",
     "us-east1"},
};

/* A route, and how an RPC gets there. */
struct made {
    char path[160];
    const struct header_kind *header; /* NULL: none */
    unsigned number;                  /* in its matcher */
};

static void service_name(char name[static 96], size_t i)
{
    const size_t n = XDS_ARRAY_LEN(nouns), d = XDS_ARRAY_LEN(domains);

    (void)snprintf(name, 96, "%s.%s.v%zu.%sService",
                   orgs[i / (n * d) % XDS_ARRAY_LEN(orgs)], domains[i / n % d], 1 + i % 3,
                   nouns[i % n]);
}

static void add_prefix(struct text *json, struct made *made, const char *service)
{
    const char *verb = percent(50) ? PICK(verbs) : "";

    add(json, "\"prefix\":\"/%s/%s\"", service, verb);
    (void)snprintf(made->path, sizeof made->path, "/%s/%s%s", service,
                   *verb ? verb : PICK(verbs), PICK(nouns));
}

static void add_exact(struct text *json, struct made *made, const char *service, size_t i)
{
    (void)snprintf(made->path, sizeof made->path, "/%s/%s%s", service,
                   verbs[i % XDS_ARRAY_LEN(verbs)], nouns[i / 2 % XDS_ARRAY_LEN(nouns)]);
    add(json, "\"path\":\"%s\"", made->path);
}

/* "/acme\\.billing\\.v[0-9]+\\.InvoiceService/(Get|List)[A-Za-z0-9]*" */
static void add_regex(struct text *json, struct made *made, const char *service)
{
    const char *verb = PICK(verbs), *part = service;

    add(json, "\"safeRegex\":{\"regex\":\"/");
    for (; *part; part++) {
        if (part[0] == '.' && part[1] == 'v') {
            add(json, "\\\\.v[0-9]+");
            part += 2;
        } else {
            add(json, *part == '.' ? "\\\\." : "%c", *part);
        }
    }
    add(json, "/(%s|%s)[A-Za-z0-9]*\"}", verb, PICK(verbs));
    (void)snprintf(made->path, sizeof made->path, "/%s/%s%s", service, verb, PICK(nouns));
}

static void add_header(struct text *json, struct made *made)
{
    made->header = &PICK(header_kinds);
    made->number = below(50);
    add(json, ",\"headers\":[{\"name\":\"%s\",", made->header->name);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* the table above */
    add(json, made->header->matcher, made->number);
#pragma GCC diagnostic pop
    add(json, "}]");
}

static void add_route(struct text *json, struct made *made, size_t i)
{
    const unsigned kind = below(100);
    char service[96];

    service_name(service, i / 4);
    add(json, "{\"name\":\"r-%zu\",\"match\":{", i);
    if (kind < 45)
        add_prefix(json, made, service);
    else if (kind < 93)
        add_exact(json, made, service, i);
    else
        add_regex(json, made, service);
    if (kind < 93 && percent(4))
        add(json, ",\"caseSensitive\":false");
    if (percent(18))
        add_header(json, made);
    if (percent(6))
        add(json, ",\"runtimeFraction\":{\"defaultValue\":{\"numerator\":%u}}",
            1 + below(99));
    add(json, "},\"route\":{\"cluster\":\"c%u\"}},", below(32));
}

static void add_table(struct text *json, struct made *made, size_t n)
{
    chance_state = n;
    add(json,
        "{\"@type\":\"type.googleapis.com/envoy.config.route.v3.RouteConfiguration\","
        "\"name\":\"routes\",\"virtualHosts\":[{\"name\":\"all\",\"domains\":"
        "[\"shop.example.com\",\"shop.example.com:443\",\"*\"],\"routes\":[");
    for (size_t i = 0; i + 1 < n; i++)
        add_route(json, &made[i], i);
    (void)snprintf(made[n - 1].path, sizeof made->path, "/unknown.Service/Method");
    add(json, "{\"name\":\"rest\",\"match\":{\"prefix\":\"/\"},"
              "\"route\":{\"cluster\":\"c0\"}}]}]}\n");
}

/* ---- RPCs ---------------------------------------------------------------------------
 */

struct call {
    struct xds_request rpc;
    struct xds_header headers[HEADERS];
    char path[2100], tenant[24], user[24], value[64];
};

static void add_call_header(struct call *call, const char *name, const char *value)
{
    call->headers[call->rpc.n_headers++] =
        (struct xds_header){xds_slice_of(name), xds_slice_of(value)};
}

static void aim_at(struct call *call, const struct made *made)
{
    (void)snprintf(call->path, sizeof call->path, "%s", made->path);
    if (!made->header)
        return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* the table above */
    (void)snprintf(call->value, sizeof call->value, made->header->value, made->number);
#pragma GCC diagnostic pop
    add_call_header(call, made->header->name, call->value);
}

/* Most are aimed at a route, some at none, and a few have a long path. */
static void make_call(struct call *call, const struct made *made, size_t n)
{
    const unsigned kind = below(100);

    (void)snprintf(call->tenant, sizeof call->tenant, "tenant-%u", below(50));
    (void)snprintf(call->user, sizeof call->user, "user-%u", below(100000));
    call->rpc.headers = call->headers;
    add_call_header(call, "user-agent", "grpc-java/1.60.1");
    add_call_header(call, "x-user-id", call->user);
    add_call_header(call, "x-tenant", call->tenant);
    if (kind < 85)
        aim_at(call, &made[below((unsigned)n)]);
    else if (kind < 97)
        (void)snprintf(call->path, sizeof call->path, "/nobody.here.v9.%sService/%s%s",
                       PICK(nouns), PICK(verbs), PICK(nouns));
    else
        (void)snprintf(call->path, sizeof call->path, "/%0*d/Get",
                       (int)(200 + below(1800)), 0);
    call->rpc.path = xds_slice_of(call->path);
}

/* ---- one size -----------------------------------------------------------------------
 */

/* A table of routes that was read, and RPCs for it. */
struct table {
    size_t n;
    struct text json;
    struct made *made;
    struct call *calls;
    struct xds_report *report;
    struct xds_check *check;
    const struct xds_route_config *config;
    struct xds_arena lasting, moment; /* of the index, of one RPC */
    struct xds_options options;
};

static void read_model(struct table *t)
{
    struct xds_resource resource;

    xds_options_init(&t->options);
    t->report = must(xds_report_new(&t->options));
    t->check = must(xds_check_new(t->report, true));
    struct xds_source *source = must(xds_source_new(t->report, XDS_TYPE_ROUTE));

    if (xds_source_add_bytes(source, "routes", xds_slice_make(t->json.data, t->json.n)) !=
            XDS_OK ||
        xds_source_next(source, &resource) != XDS_OK ||
        xds_check_resource(t->check, &resource) != XDS_OK ||
        !t->check->snapshot.first[XDS_TYPE_ROUTE])
        give_up("the routes cannot be read");
    t->config = t->check->snapshot.first[XDS_TYPE_ROUTE]->model;
    if (!t->config)
        give_up("the routes are rejected");
    xds_source_free(source);
}

static void make_table(struct table *t, size_t n)
{
    *t = (struct table){.n = n};
    t->made = must(calloc(n, sizeof *t->made));
    t->calls = must(calloc(REQUESTS, sizeof *t->calls));
    add_table(&t->json, t->made, n);
    for (size_t i = 0; i < REQUESTS; i++)
        make_call(&t->calls[i], t->made, n);
    read_model(t);
    xds_arena_init(&t->lasting, 0);
    xds_arena_init(&t->moment, 0);
}

static void free_table(struct table *t)
{
    xds_arena_release(&t->moment);
    xds_arena_release(&t->lasting);
    xds_check_free(t->check);
    xds_report_free(t->report);
    free(t->calls);
    free(t->made);
    free(t->json.data);
}

/* ---- looking up ---------------------------------------------------------------------
 */

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
    const struct xds_virtual_host_choice host =
        xds_virtual_host_find(t->config, rpc.client, XDS_S("shop.example.com:443"));
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

    b->index = xds_route_index_build(&b->table->lasting, XDS_CLIENT_CORE,
                                     b->table->config->virtual_hosts);
}

static double measure_size(size_t n)
{
    struct table t;

    make_table(&t, n);
    struct build b = {&t, NULL};

    guarded(&t, build_index, &b);
    struct search fast = {&t, b.index, REQUESTS, WARM_UP, ROUNDS, 0, 0};
    /* The plain scan is slow: fewer RPCs tell as much. */
    const size_t few = REQUESTS * 10 / n < REQUESTS ? REQUESTS * 10 / n + 1 : REQUESTS;
    struct search plain = {&t, NULL, few, 2, 5, 0, 0};

    guarded(&t, measure_search, &fast);
    guarded(&t, measure_search, &plain);
    (void)printf("lookup-%zu %.1f ns\nscan-%zu %.1f ns\n", n, fast.ns, n, plain.ns);
    free_table(&t);
    return fast.ns;
}

/* ---- building -----------------------------------------------------------------------
 */

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

        if (!regex ||
            xds_regex_full_match(regex, xds_slice_of(t->made[i].path)) != XDS_MATCH)
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

/* ---- hostile regexes ----------------------------------------------------------------
 */

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

/* ---- files --------------------------------------------------------------------------
 */

static FILE *open_file(const char *folder, const char *name, size_t n)
{
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/%s-%zu.json%s", folder, name, n,
                   *name == 'c' ? "l" : "");
    FILE *file = fopen(path, "wb");

    if (!file)
        give_up("a file cannot be written");
    return file;
}

/* routes-N.json and calls-N.jsonl, whose lines are requests of explain --requests. */
static void dump(const char *folder, size_t n)
{
    struct table t;

    make_table(&t, n);
    FILE *routes = open_file(folder, "routes", n);
    FILE *calls = open_file(folder, "calls", n);

    (void)fwrite(t.json.data, 1, t.json.n, routes);
    for (size_t i = 0; i < REQUESTS; i++) {
        const struct call *call = &t.calls[i];

        (void)fprintf(calls, "{\"path\":\"%s\",\"headers\":[", call->path);
        for (size_t h = 0; h < call->rpc.n_headers; h++)
            (void)fprintf(calls, "%s[\"%.*s\",\"%.*s\"]", h ? "," : "",
                          XDS_FMT(call->headers[h].name),
                          XDS_FMT(call->headers[h].value));
        (void)fprintf(calls, "]}\n");
    }
    if (fclose(routes) != 0 || fclose(calls) != 0)
        give_up("a file cannot be written");
    free_table(&t);
}

/* ---- all ----------------------------------------------------------------------------
 */

int main(int argc, char **argv)
{
    static const size_t sizes[] = {10, 100, 1000, 10000};
    double ns[XDS_ARRAY_LEN(sizes)];

    if (argc == 3 && strcmp(argv[1], "--dump") == 0) {
        for (size_t i = 0; i < XDS_ARRAY_LEN(sizes); i++)
            dump(argv[2], sizes[i]);
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

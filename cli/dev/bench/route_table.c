/*
 * route_table.c - routes for a measure, as JSON and as the model that is read from it.
 *
 * Fails:  by leaving the program.
 */
#include "cli/dev/bench/route_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 512 };

/* ---- help ---- */

_Noreturn void give_up(const char *why)
{
    (void)fprintf(stderr, "bench-routes: %s\n", why);
    exit(3);
}

void *must(void *memory)
{
    if (!memory)
        give_up("out of memory");
    return memory;
}

/* ---- chance, the same at every run ---- */

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

/* ---- text ---- */

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

/* ---- routes ---- */

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

/* ---- RPCs ---- */

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

/* ---- one size ---- */

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

void make_table(struct table *t, size_t n)
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

void free_table(struct table *t)
{
    xds_arena_release(&t->moment);
    xds_arena_release(&t->lasting);
    xds_check_free(t->check);
    xds_report_free(t->report);
    free(t->calls);
    free(t->made);
    free(t->json.data);
}

struct xds_slice path_of(const struct table *t, size_t position)
{
    return xds_slice_of(t->made[position].path);
}

/* ---- files ---- */

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

void dump_table(const char *folder, size_t n)
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

/* routes_harness.c - the index of routes beside the plain walk. */
#include "fuzz/routes_harness.h"

#include "clients/environment.h"
#include "check/check.h"
#include "explain/derive.h"
#include "fuzz/harness.h"
#include "fuzz/memory.h"
#include "route/route.h"
#include "source/wire/wire_field.h"

enum { MOST_HEADERS = 16, MOST_DERIVED = 64, MOST_ROUTES = 500 };

/* ---- shared with the tests of the index ---- */

static const char *tries_differ(const struct xds_route_try *want,
                                const struct xds_route_try *got)
{
    const double gap = want->probability - got->probability;

    if (got->matched != want->matched)
        return "a route matches otherwise";
    if (gap > 1e-12 || gap < -1e-12 || got->takes != want->takes || got->of != want->of)
        return "a route is as likely no more";
    return xds_slice_eq(got->reason, want->reason) ? NULL : "a reason is another";
}

const char *xds_walks_differ(const struct xds_route_walk *plain,
                             const struct xds_route_walk *fast)
{
    const double gap = plain->unmatched - fast->unmatched;
    const char *fault = gap > 1e-12 || gap < -1e-12 ? "the rest is not as likely" : NULL;
    size_t k = 0;

    for (size_t i = 0; i < plain->n_tries && !fault; i++) {
        const struct xds_route_try *want = &plain->tries[i];

        if (k < fast->n_tries && fast->tries[k].index == want->index)
            fault = tries_differ(want, &fast->tries[k++]);
        else if (want->matched != XDS_CHANCE_NO)
            fault = "a route is missing";
    }
    return fault || k == fast->n_tries ? fault : "the index tries what the walk does not";
}

/* ---- the input ---- */

struct input {
    struct xds_slice config, authority;
    struct xds_header headers[MOST_HEADERS];
    struct xds_request request;
};

static void add_header(struct input *in, struct xds_slice text)
{
    struct xds_slice name;
    const struct xds_slice value = xds_slice_cut(text, ':', &name);

    if (in->request.n_headers < MOST_HEADERS && name.len > 0)
        in->headers[in->request.n_headers++] = (struct xds_header){name, value};
}

static bool read_input(struct xds_slice message, struct input *in)
{
    struct xds_wire_field field;
    struct xds_slice value;

    *in = (struct input){.config = XDS_S(""), .request = {.path = XDS_S("/s/M")}};
    in->request.headers = in->headers;
    while (message.len > 0) {
        if (!xds_wire_next(&message, &field, &value))
            return false;
        if (field.type != XDS_WIRE_BYTES)
            continue;
        if (field.number == 1)
            in->config = value;
        else if (field.number == 2)
            in->request.path = value;
        else if (field.number == 3)
            add_header(in, value);
        else if (field.number == 4)
            in->request.authority = value;
    }
    return true;
}

/* ---- both walks ---- */

struct work {
    struct xds_check *check;
    enum xds_client client;
    const struct xds_request *request;
    struct xds_arena arena;              /* of what is derived */
    struct xds_arena walks;              /* of one pair of walks */
    const struct xds_virtual_host *host; /* the one with this index: */
    const struct xds_route_index *index;
    struct xds_arena indexes;
    unsigned derived;
};

static struct xds_route_walk walk(struct work *w, const struct xds_request *request,
                                  const struct xds_virtual_host *host,
                                  const struct xds_route_index *index, bool drawn)
{
    static const double numbers[] = {0.2, 0.7, 0.5};
    struct xds_random random = {numbers, drawn ? XDS_ARRAY_LEN(numbers) : 0, 0};
    struct xds_slice undecided = {NULL, 0};
    const struct xds_rpc rpc = {.client = w->client,
                                .options = &w->check->report->options,
                                .request = request,
                                .random = &random,
                                .arena = &w->walks,
                                .undecided = &undecided};

    return xds_route_select(&rpc, host, index);
}

static void compare(struct work *w, const struct xds_request *request,
                    const struct xds_virtual_host *host)
{
    if (host->n_routes > MOST_ROUTES)
        return;
    if (w->host != host) {
        xds_arena_reset(&w->indexes);
        w->index = xds_route_index_build(&w->indexes, &w->check->report->options,
                                         w->client, host);
        w->host = host;
    }
    for (int drawn = 0; drawn <= 1; drawn++) {
        const struct xds_route_walk plain = walk(w, request, host, NULL, drawn);
        const struct xds_route_walk fast = walk(w, request, host, w->index, drawn);
        const char *fault = xds_walks_differ(&plain, &fast);

        if (fault)
            xds_fuzz_fail("%s, client %s, path %.*s", fault, xds_client_name(w->client),
                          XDS_FMT(request->path));
        xds_arena_reset(&w->walks);
    }
}

static void compare_derived(void *user, const struct xds_derived *derived)
{
    struct work *w = user;

    if (w->derived++ < MOST_DERIVED)
        compare(w, &derived->request, derived->host);
}

static void compare_all(void *arg)
{
    struct work *w = arg;
    const struct xds_snapshot *snapshot = &w->check->snapshot;
    const struct xds_snapshot_entry *entry = snapshot->first[XDS_TYPE_ROUTE];
    const struct xds_route_config *config = entry ? entry->model : NULL;
    struct xds_derive_counts counts = {.made = 0};

    for (size_t i = 0; config && i < config->n_virtual_hosts; i++)
        compare(w, w->request, &config->virtual_hosts[i]);
    xds_derive_requests(snapshot, w->client, &w->check->report->options,
                        (struct xds_slice){NULL, 0}, &w->arena, compare_derived, w,
                        &counts);
}

static void compare_as(enum xds_client client, struct xds_check *check,
                       const struct xds_request *request)
{
    struct work w = {.check = check, .client = client, .request = request};
    struct xds_arena *const arenas[] = {&w.arena, &w.walks, &w.indexes};

    for (size_t i = 0; i < XDS_ARRAY_LEN(arenas); i++)
        xds_arena_init(arenas[i], 0);
    (void)!xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), compare_all, &w);
    for (size_t i = 0; i < XDS_ARRAY_LEN(arenas); i++)
        xds_arena_release(arenas[i]);
}

void xds_fuzz_routes(const uint8_t *data, size_t size)
{
    struct xds_options options;
    struct input in;

    if (!read_input(xds_slice_make((const char *)data, size), &in))
        return;
    const struct xds_resource resource = {
        .format = XDS_FORMAT_BINARY, .type = XDS_TYPE_ROUTE, .bytes = in.config};
    xds_options_init(&options);
    options.clients = XDS_ALL_CLIENTS;
    struct xds_report *report = xds_report_new(&options);
    struct xds_check *check = report ? xds_check_new(report, true) : NULL;

    if (check && xds_check_resource(check, &resource) == XDS_OK) {
        xds_fuzz_add_companions(check, report, XDS_TYPE_ROUTE);
        for (unsigned client = 0; client < XDS_CLIENTS; client++)
            compare_as((enum xds_client)client, check, &in.request);
    }
    xds_check_free(check);
    xds_report_free(report);
}

/* harness.c - one hostile input through everything a user can reach with it. */
#include "fuzz/harness.h"
#include "fuzz/memory.h"
#include "fuzz/sections.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "clients/environment.h"
#include "base/slice.h"
#include "explain/decision.h"

static bool nowhere(void *user, const char *data, size_t len)
{
    (void)user;
    (void)data;
    (void)len;
    return true;
}

static const struct xds_printer printer = {.write = nowhere, .verbose = true};

static const char *disagreement(const struct xds_decision *d)
{
    const struct xds_priority_try *chosen = NULL;

    for (size_t i = 0; i < d->pick.n_priorities; i++) {
        if (d->pick.priorities[i].chosen && chosen)
            return "two priorities are chosen";
        chosen = d->pick.priorities[i].chosen ? &d->pick.priorities[i] : chosen;
    }
    if (!d->pick.has_priority || !d->cluster)
        return NULL;
    if (!d->session_applies && chosen && chosen->priority != d->pick.priority)
        return "the priority is not the chosen one";
    if (!d->session_applies && chosen && d->leaf.data &&
        !xds_slice_eq(chosen->leaf, d->leaf))
        return "the leaf is not the chosen one";
    for (size_t i = 0; i < d->pick.n_hosts; i++)
        if (d->pick.hosts[i].host->locality->priority != d->pick.priority)
            return "a host is of another priority";
    return d->pick.host && d->pick.host->locality->priority != d->pick.priority
               ? "the host is of another priority"
               : NULL;
}

void xds_fuzz_agree(const struct xds_decision *d)
{
    const char *fault = disagreement(d);

    if (fault)
        xds_fuzz_fail("%s: client %s, path %.*s, leaf %.*s, priority %u", fault,
                      d->as.text, XDS_FMT(d->request.path), XDS_FMT(d->leaf),
                      (unsigned)d->pick.priority);
}

static void explain(struct xds_check *check, enum xds_client client)
{
    static const struct xds_header headers[] = {
        {{"cookie", 6}, {"session=MTAuMC4wLjE6ODA7Y0E=", 28}},
        {{"x-env", 5}, {"prod", 4}},
    };
    const struct xds_request request = {
        .path = XDS_S("/pkg.Svc/Get"),
        .headers = headers,
        .n_headers = XDS_ARRAY_LEN(headers),
    };
    struct xds_explainer *explainer = xds_explainer_new(check, client);
    const struct xds_decision *decision;

    if (explainer && xds_explain(explainer, &request, &decision) == XDS_OK) {
        xds_fuzz_agree(decision);
        (void)!xds_print_decision_text(&printer, decision);
        (void)!xds_print_decision_json(&printer, decision);
    }
    xds_explainer_free(explainer);
}

static void print_config(const struct xds_config *config)
{
    (void)!xds_print_config_json(&printer, config);
    (void)!xds_print_config_text(&printer, config);
    (void)!xds_print_config_dot(&printer, config);
}

/* The input itself is the update before. */
static void generate(struct xds_check *check, enum xds_client client,
                     struct xds_slice previous)
{
    struct xds_generator *generator = xds_generator_new(check, client);
    struct xds_config_request request = {.previous = previous};
    const struct xds_config *config;

    for (unsigned form = 0; generator && form <= XDS_CONFIG_LEGACY; form++) {
        request.form = (enum xds_config_form)form;
        if (xds_generate_service_config(generator, &request, &config) == XDS_OK)
            print_config(config);
        for (size_t i = 0; i < 3; i++) {
            request.cluster = xds_generator_cluster(generator, i);
            if (request.cluster.data &&
                xds_generate_lb_config(generator, &request, &config) == XDS_OK)
                print_config(config);
        }
    }
    xds_generator_free(generator);
}

static void print(struct xds_report *report)
{
    xds_report_sort(report);
    if (xds_print_findings_text(&printer, report) != XDS_OK ||
        xds_print_findings_gcc(&printer, report) != XDS_OK ||
        xds_print_findings_json(&printer, report) != XDS_OK)
        return;
}

static void explain_all(struct xds_check *check)
{
    for (unsigned client = 0; client < XDS_CLIENTS; client++)
        explain(check, (enum xds_client)client);
}

/* The input is also the config to be checked. */
static void generate_all(struct xds_report *report, struct xds_check *check,
                         const char *name, struct xds_slice text)
{
    for (unsigned client = 0; client < XDS_CLIENTS; client++) {
        generate(check, (enum xds_client)client, text);
        (void)!xds_check_config(report, (enum xds_client)client, name, text);
    }
}

static void read_all(struct xds_source *source, struct xds_check *check)
{
    struct xds_resource resource;

    while (xds_source_next(source, &resource) == XDS_OK)
        if (xds_check_resource(check, &resource) != XDS_OK)
            return;
}

/* ---- other formats ---- */

static void convert(struct xds_source *source, struct xds_convert *convert)
{
    struct xds_resource resource;

    while (xds_source_next(source, &resource) == XDS_OK)
        (void)!xds_convert_resource(convert, &resource);
    (void)!xds_convert_finish(convert);
}

static void convert_to(enum xds_format format, const char *name, struct xds_slice text)
{
    const struct xds_convert_options to = {.format = format};
    struct xds_options options;

    xds_options_init(&options);
    options.allow_unknown_fields = true;
    struct xds_report *report = xds_report_new(&options);
    struct xds_source *source = report ? xds_source_new(report, XDS_TYPE_UNKNOWN) : NULL;
    struct xds_convert *converter =
        report ? xds_convert_new(report, &to, &printer) : NULL;

    if (source && converter && xds_source_add_bytes(source, name, text) == XDS_OK)
        convert(source, converter);
    xds_convert_free(converter);
    xds_source_free(source);
    xds_report_free(report);
}

/* ---- a file ---- */

void xds_fuzz_file(const char *name, const uint8_t *data, size_t size)
{
    const struct xds_slice text = {(const char *)data, size};
    struct xds_options options;

    xds_options_init(&options);
    options.clients = XDS_ALL_CLIENTS;
    struct xds_report *report = xds_report_new(&options);
    struct xds_check *check = report ? xds_check_new(report, true) : NULL;
    struct xds_source *source = report ? xds_source_new(report, XDS_TYPE_UNKNOWN) : NULL;

    if (check && source && xds_source_add_bytes(source, name, text) == XDS_OK) {
        read_all(source, check);
        explain_all(check);
        generate_all(report, check, name, text);
        print(report);
    }
    xds_source_free(source);
    xds_check_free(check);
    xds_report_free(report);
    for (unsigned format = XDS_FORMAT_JSON; format <= XDS_FORMAT_TEXT_PROTO; format++)
        convert_to((enum xds_format)format, name, text);
}

/* ---- scenarios ---- */

typedef enum xds_status (*print_simulation_fn)(const struct xds_printer *to,
                                               struct xds_simulation *simulation);

static void play(struct xds_slice text, const enum xds_client *client,
                 print_simulation_fn print_all)
{
    struct xds_options options;
    struct xds_simulation *simulation;

    xds_options_init(&options);
    simulation = xds_simulation_new(&options, client);
    if (simulation && xds_simulation_add_bytes(simulation, "input", text) == XDS_OK)
        (void)!print_all(&printer, simulation);
    xds_simulation_free(simulation);
}

void xds_fuzz_scenario(const uint8_t *data, size_t size)
{
    const struct xds_slice text = {(const char *)data, size};

    play(text, NULL, xds_print_simulation_dot);
    play(text, NULL, xds_print_simulation_json);
    for (unsigned client = 0; client < XDS_CLIENTS; client++)
        play(text, &(enum xds_client){(enum xds_client)client},
             xds_print_simulation_text);
}

/* ---- cases ---- */

void xds_fuzz_case(const uint8_t *data, size_t size)
{
    struct xds_sections parts;
    char file[64];

    xds_sections_read(&parts, xds_slice_make((const char *)data, size));
    for (size_t i = 0; i < parts.n; i++) {
        const struct xds_section *part = &parts.items[i];

        if (!xds_section_is_file(part) || part->name.len >= sizeof file)
            continue;
        memcpy(file, part->name.data, part->name.len);
        file[part->name.len] = '\0';
        xds_fuzz_file(file, (const uint8_t *)part->text.data, part->text.len);
    }
}

/* ---- one resource ---- */

/* What is printed, up to what there is room for. */
struct page {
    size_t len;
    char text[1 << 16];
};

static bool onto_page(void *user, const char *data, size_t len)
{
    struct page *page = user;
    const size_t room = sizeof page->text - page->len;
    const size_t n = len < room ? len : room;

    memcpy(page->text + page->len, data, n);
    page->len += n;
    return true;
}

/* The text of C-core's NACK alone: a log of all lines takes ten times as long. */
static struct xds_slice find_nack(const struct page *page)
{
    struct xds_slice rest = xds_slice_make(page->text, page->len), line;

    while (rest.data) {
        rest = xds_slice_cut(rest, '\n', &line);
        if (xds_slice_starts(line, XDS_S("    C-core's log: ")))
            return line;
    }
    return XDS_S("");
}

static void read_back(const struct xds_report *report)
{
    struct page page;
    const struct xds_printer to = {.write = onto_page, .user = &page, .verbose = true};
    struct xds_log *log;

    page.len = 0;
    if (xds_print_findings_text(&to, report) != XDS_OK ||
        xds_log_read(find_nack(&page), &log) != XDS_OK)
        return;
    (void)!xds_print_log_text(&printer, log);
    (void)!xds_print_log_json(&printer, log);
    xds_log_free(log);
}

static void set_options(struct xds_options *options, uint64_t hash)
{
    static const struct xds_slice instances[] = {{"p", 1}};
    static const struct xds_slice services[] = {{"dns:///svc", 10}};
    const bool guards_on = hash & 1, has_bootstrap = hash & 2;

    xds_options_init(options);
    options->clients = XDS_ALL_CLIENTS;
    for (size_t i = 0; guards_on && i < XDS_ENVS; i++)
        options->env_set[i] = XDS_ENV_TRUE;
    if (!has_bootstrap)
        return;
    options->bootstrap.is_set = true;
    options->bootstrap.trusted_xds_server = true;
    options->bootstrap.n_provider_instances = XDS_ARRAY_LEN(instances);
    options->bootstrap.provider_instances = instances;
    options->bootstrap.n_allowed_grpc_services = XDS_ARRAY_LEN(services);
    options->bootstrap.allowed_grpc_services = services;
}

#define HTTP_FILTERS                                                                     \
    "\"http_filters\":[{\"name\":\"router\",\"typed_config\":{\"@type\":\""              \
    "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router\"}}]"
#define LISTENER                                                                         \
    "{\"name\":\"l\",\"api_listener\":{\"api_listener\":{\"@type\":\"type.googleapis."   \
    "com/"                                                                               \
    "envoy.extensions.filters.network.http_connection_manager.v3."                       \
    "HttpConnectionManager\"," HTTP_FILTERS ","

/* What an RPC needs besides a resource of some type, to get there: two texts between
 * which the resource's name goes. */
static const struct companion {
    enum xds_resource_type of, type;
    const char *before, *after;
} companions[] = {
    {XDS_TYPE_ROUTE, XDS_TYPE_LISTENER,
     LISTENER "\"rds\":{\"config_source\":{\"ads\":{}},\"route_config_name\":\"",
     "\"}}}}"},
    {XDS_TYPE_CLUSTER, XDS_TYPE_LISTENER,
     LISTENER "\"route_config\":{\"virtual_hosts\":[{\"domains\":[\"*\"],\"routes\":["
              "{\"match\":{\"prefix\":\"\"},\"route\":{\"cluster\":\"",
     "\"}}]}]}}}}"},
    {XDS_TYPE_CLUSTER, XDS_TYPE_ENDPOINT, "{\"cluster_name\":\"",
     "\",\"endpoints\":[{\"locality\":{\"region\":\"a\"},\"load_balancing_weight\":1,"
     "\"lb_endpoints\":[{\"endpoint\":{\"address\":{\"socket_address\":"
     "{\"address\":\"10.0.0.1\",\"port_value\":80}}}}]}]}"},
    {XDS_TYPE_ENDPOINT, XDS_TYPE_LISTENER,
     LISTENER "\"route_config\":{\"virtual_hosts\":[{\"domains\":[\"*\"],\"routes\":["
              "{\"match\":{\"prefix\":\"\"},\"route\":{\"cluster\":\"",
     "\"}}]}]}}}}"},
    {XDS_TYPE_ENDPOINT, XDS_TYPE_CLUSTER, "{\"name\":\"",
     "\",\"type\":\"EDS\",\"eds_cluster_config\":{\"eds_config\":{\"ads\":{}}}}"},
};

static bool needs_no_escape(struct xds_slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.data[i] < ' ' || (unsigned char)name.data[i] > '~' ||
            name.data[i] == '"' || name.data[i] == '\\')
            return false;
    return name.len > 0 && name.len < 64;
}

void xds_fuzz_add_companions(struct xds_check *check, const struct xds_report *report,
                             enum xds_resource_type of)
{
    const struct xds_slice name = xds_report_resource(report, 0)->name;
    char text[1024];

    for (size_t i = 0; i < XDS_ARRAY_LEN(companions) && needs_no_escape(name); i++) {
        const struct companion *c = &companions[i];

        if (c->of != of)
            continue;
        const int len =
            snprintf(text, sizeof text, "%s%.*s%s", c->before, XDS_FMT(name), c->after);
        const struct xds_resource resource = {
            .format = XDS_FORMAT_JSON,
            .type = c->type,
            .bytes = xds_slice_make(text, (size_t)len),
        };
        (void)!xds_check_resource(check, &resource);
    }
}

void xds_fuzz_resource(enum xds_resource_type type, const uint8_t *data, size_t size)
{
    const struct xds_resource resource = {
        .format = XDS_FORMAT_BINARY,
        .type = type,
        .bytes = xds_slice_make((const char *)data, size),
    };
    struct xds_options options;

    set_options(&options, XXH64(data, size, 0));
    struct xds_report *report = xds_report_new(&options);
    struct xds_check *check = report ? xds_check_new(report, true) : NULL;

    if (check && xds_check_resource(check, &resource) == XDS_OK) {
        xds_fuzz_add_companions(check, report, type);
        explain_all(check);
        print(report);
        read_back(report);
    }
    xds_check_free(check);
    xds_report_free(report);
}

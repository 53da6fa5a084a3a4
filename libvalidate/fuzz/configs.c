/*
 * configs.c - a hostile config through --check, and as the update before through the
 *             generators.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "clients/environment.h"
#include "base/slice.h"
#include "fuzz/harness.h"
#include "fuzz/memory.h"

/* Two routes over two clusters, one of them weighted; EDS with two priorities, an
 * aggregate. */
static const char snapshot[] =
    "{\"listeners\":[{\"name\":\"l\",\"api_listener\":{\"api_listener\":{\"@type\":"
    "\"type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3."
    "HttpConnectionManager\",\"http_filters\":[{\"name\":\"router\",\"typed_config\":{"
    "\"@type\":\"type.googleapis.com/envoy.extensions.filters.http.router.v3.Router\"}}],"
    "\"route_config\":{\"virtual_hosts\":[{\"domains\":[\"*\"],\"routes\":["
    "{\"match\":{\"prefix\":\"/a/\",\"case_sensitive\":true},\"route\":{"
    "\"weighted_clusters\":{\"clusters\":["
    "{\"name\":\"A\",\"weight\":1},{\"name\":\"B\",\"weight\":2}]}}},"
    "{\"match\":{\"prefix\":\"/b/\",\"case_sensitive\":true},\"route\":{"
    "\"weighted_clusters\":{\"clusters\":["
    "{\"name\":\"A\",\"weight\":2},{\"name\":\"B\",\"weight\":1}]}}},"
    "{\"match\":{\"prefix\":\"\",\"case_sensitive\":true},\"route\":{\"cluster\":"
    "\"A\"}}]}]}}}}],"
    "\"clusters\":[{\"name\":\"A\",\"type\":\"EDS\",\"eds_cluster_config\":{"
    "\"eds_config\":{\"ads\":{}}}},{\"name\":\"G\",\"cluster_type\":{\"name\":\"x\","
    "\"typed_config\":{\"@type\":\"type.googleapis.com/envoy.extensions.clusters."
    "aggregate.v3.ClusterConfig\",\"clusters\":[\"A\"]}}}],"
    "\"endpoints\":[{\"cluster_name\":\"A\",\"endpoints\":["
    "{\"locality\":{\"sub_zone\":\"x\"},\"load_balancing_weight\":1,"
    "\"lb_endpoints\":[{\"endpoint\":{\"address\":{\"socket_address\":"
    "{\"address\":\"10.0.0.1\",\"port_value\":80}}}}]},"
    "{\"locality\":{\"sub_zone\":\"y\"},\"priority\":1,\"load_balancing_weight\":1,"
    "\"lb_endpoints\":[{\"endpoint\":{\"address\":{\"socket_address\":"
    "{\"address\":\"10.0.0.2\",\"port_value\":80}}}}]}]}]}";

/* ---- --check ---- */

static bool nowhere(void *user, const char *data, size_t len)
{
    (void)user;
    (void)data;
    (void)len;
    return true;
}

static size_t count_faults(enum xds_client client, struct xds_slice text)
{
    const struct xds_printer to = {.write = nowhere, .verbose = true};
    struct xds_options options;
    size_t n = 0;

    xds_options_init(&options);
    struct xds_report *report = xds_report_new(&options);

    if (report && xds_check_config(report, client, "c.json", text) == XDS_OK) {
        xds_report_sort(report);
        n = xds_report_findings(report);
        (void)!xds_print_findings_text(&to, report);
        (void)!xds_print_findings_gcc(&to, report);
        (void)!xds_print_findings_json(&to, report);
    }
    xds_report_free(report);
    return n;
}

/* ---- --previous ---- */

/* Whatever the update before was, what comes of it is valid. */
static void judge(enum xds_client client, const struct xds_config *config)
{
    struct xds_memory page = {NULL, 0, 0};
    const struct xds_printer to = {.write = xds_memory_write, .user = &page};
    const struct xds_printer away = {.write = nowhere, .verbose = true};

    if (xds_print_config_json(&to, config) == XDS_OK && !xds_config_error(config).data &&
        count_faults(client, xds_memory_text(&page)) > 0)
        xds_fuzz_fail("a config that was generated is not valid: %.*s",
                      XDS_FMT(xds_memory_text(&page)));
    (void)!xds_print_config_text(&away, config);
    (void)!xds_print_config_dot(&away, config);
    free(page.data);
}

static void generate(struct xds_check *check, enum xds_client client,
                     struct xds_slice previous)
{
    static const enum xds_config_form forms[] = {XDS_CONFIG_CURRENT, XDS_CONFIG_LEGACY};
    struct xds_generator *generator = xds_generator_new(check, client);
    struct xds_config_request request = {.form = XDS_CONFIG_A28, .previous = previous};
    const struct xds_config *config;

    if (generator && xds_generate_service_config(generator, &request, &config) == XDS_OK)
        judge(client, config);
    for (size_t i = 0; generator && i < 2 * XDS_ARRAY_LEN(forms); i++) {
        request.form = forms[i / 2];
        request.cluster = xds_generator_cluster(generator, i % 2);
        if (xds_generate_lb_config(generator, &request, &config) == XDS_OK)
            judge(client, config);
    }
    xds_generator_free(generator);
}

static void read_snapshot(struct xds_source *source, struct xds_check *check)
{
    struct xds_resource resource;

    if (xds_source_add_bytes(source, "snapshot.json", xds_slice_of(snapshot)) != XDS_OK)
        return;
    while (xds_source_next(source, &resource) == XDS_OK)
        (void)!xds_check_resource(check, &resource);
}

void xds_fuzz_config(const uint8_t *data, size_t size)
{
    const struct xds_slice text = {(const char *)data, size};
    const enum xds_client client = (enum xds_client)(XXH64(data, size, 0) % XDS_CLIENTS);
    struct xds_options options;

    xds_options_init(&options);
    options.clients = XDS_CLIENT_BIT(client);
    struct xds_report *report = xds_report_new(&options);
    struct xds_check *check = report ? xds_check_new(report, true) : NULL;
    struct xds_source *source = report ? xds_source_new(report, XDS_TYPE_UNKNOWN) : NULL;

    (void)count_faults(client, text);
    if (check && source) {
        read_snapshot(source, check);
        generate(check, client, text);
    }
    xds_source_free(source);
    xds_check_free(check);
    xds_report_free(report);
}

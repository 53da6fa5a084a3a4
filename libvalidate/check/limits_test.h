/*
 * limits_test.h - snapshots of any size, and what is said of them, for the tests of the
 *                 limits.
 */
#ifndef XDS_CHECK_LIMITS_TEST_H
#define XDS_CHECK_LIMITS_TEST_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "fuzz/memory.h"
#include "include/xdscope.h"

/* ---- snapshots ---- */

static inline void print(struct xds_memory *to, const char *text)
{
    (void)xds_memory_write(to, text, strlen(text));
}

#define SESSION_FILTER                                                                   \
    "{\"name\":\"session\",\"typed_config\":{\"@type\":\"type.googleapis.com/envoy."     \
    "extensions.filters.http.stateful_session.v3.StatefulSession\",\"session_state\":{"  \
    "\"name\":\"cookie\",\"typed_config\":{\"@type\":\"type.googleapis.com/envoy."       \
    "extensions.http.stateful_session.cookie.v3.CookieBasedSessionState\",\"cookie\":{"  \
    "\"name\":\"sid\"}}}}},"

/* A listener with these filters in front of its last one; a virtual host follows. */
static inline void begin_listener(struct xds_memory *to, const char *filters)
{
    print(to,
          "{\"listeners\":[{\"name\":\"l\",\"api_listener\":{\"api_listener\":{\"@type\":"
          "\"type.googleapis.com/envoy.extensions.filters.network."
          "http_connection_manager.v3.HttpConnectionManager\",\"http_filters\":[");
    print(to, filters);
    print(to, "{\"name\":\"router\",\"typed_config\":{\"@type\":\"type.googleapis.com/"
              "envoy.extensions.filters.http.router.v3.Router\"}}],\"route_config\":{"
              "\"name\":\"r\",\"virtual_hosts\":[");
}

/* A listener and a virtual host; routes follow. */
static inline void begin(struct xds_memory *to)
{
    begin_listener(to, "");
    print(to, "{\"name\":\"v\",\"domains\":[\"*\"],\"routes\":[");
}

/* Clusters follow. */
static inline void end_routes(struct xds_memory *to)
{
    print(to, "]}]}}}}],\"clusters\":[");
}

/* Endpoints follow. */
static inline void end_clusters(struct xds_memory *to)
{
    print(to, "],\"endpoints\":[");
}

static inline void end(struct xds_memory *to)
{
    print(to, "]}");
}

static inline const char *comma(unsigned i)
{
    return i > 0 ? "," : "";
}

/* One that gets its endpoints from "e". */
static inline void add_cluster(struct xds_memory *to, unsigned i)
{
    xds_memory_print(to,
                     "%s{\"name\":\"c%u\",\"type\":\"EDS\",\"eds_cluster_config\":{"
                     "\"eds_config\":{\"ads\":{}},\"service_name\":\"e\"}}",
                     comma(i), i);
}

static inline void add_hosts(struct xds_memory *to, unsigned first, unsigned n)
{
    for (unsigned i = first; i < first + n; i++)
        xds_memory_print(to,
                         "%s{\"endpoint\":{\"address\":{\"socket_address\":{\"address\":"
                         "\"10.%u.%u.%u\",\"port_value\":80}}}}",
                         comma(i - first), i >> 16, i >> 8 & 255, i & 255);
}

static inline void add_locality(struct xds_memory *to, unsigned priority, unsigned first,
                                unsigned n)
{
    xds_memory_print(to,
                     "%s{\"locality\":{\"region\":\"r\"},\"load_balancing_weight\":1,"
                     "\"priority\":%u,\"lb_endpoints\":[",
                     comma(priority), priority);
    add_hosts(to, first, n);
    print(to, "]}");
}

/* "e" with so many priorities of so many hosts. */
static inline void add_endpoints(struct xds_memory *to, unsigned priorities,
                                 unsigned hosts)
{
    print(to, "{\"cluster_name\":\"e\",\"endpoints\":[");
    for (unsigned p = 0; p < priorities; p++)
        add_locality(to, p, p * hosts, hosts);
    print(to, "]}");
}

/* One route over n clusters. */
static inline struct xds_memory spread(unsigned clusters, unsigned priorities,
                                       unsigned hosts)
{
    struct xds_memory m = {NULL, 0, 0};

    begin(&m);
    print(
        &m,
        "{\"match\":{\"prefix\":\"\"},\"route\":{\"weighted_clusters\":{\"clusters\":[");
    for (unsigned i = 0; i < clusters; i++)
        xds_memory_print(&m, "%s{\"name\":\"c%u\",\"weight\":1}", comma(i), i);
    print(&m, "]}}}");
    end_routes(&m);
    for (unsigned i = 0; i < clusters; i++)
        add_cluster(&m, i);
    end_clusters(&m);
    add_endpoints(&m, priorities, hosts);
    end(&m);
    return m;
}

/* ---- what is said of them ---- */

struct run {
    struct xds_report *report;
    struct xds_check *check;
    struct xds_source *source;
};

/* The text of the snapshot must outlive the run. */
static inline void run_begin(struct run *run, const struct xds_memory *snapshot,
                             bool keep)
{
    struct xds_options options;
    struct xds_resource resource;

    xds_options_init(&options);
    options.clients = XDS_CLIENT_BIT(XDS_CLIENT_CORE);
    run->report = xds_report_new(&options);
    run->check = xds_check_new(run->report, keep);
    run->source = xds_source_new(run->report, XDS_TYPE_UNKNOWN);
    cr_assert(run->check && run->source);
    cr_assert_eq(xds_source_add_bytes(run->source, "s.json", xds_memory_text(snapshot)),
                 XDS_OK);
    while (xds_source_next(run->source, &resource) == XDS_OK)
        cr_assert_eq(xds_check_resource(run->check, &resource), XDS_OK);
    cr_assert_eq(xds_check_finish(run->check, run->source), XDS_OK);
    xds_report_sort(run->report);
}

static inline void run_end(struct run *run)
{
    xds_source_free(run->source);
    xds_check_free(run->check);
    xds_report_free(run->report);
}

static inline size_t count(struct xds_slice text, const char *needle)
{
    const struct xds_slice wanted = xds_slice_of(needle);
    size_t n = 0;

    for (size_t at; (at = xds_slice_search(text, wanted)) <= text.len; n++)
        text = xds_slice_from(text, at + wanted.len);
    return n;
}

/* Frees what was said. */
static inline void expect_said(struct xds_memory said, const char *text)
{
    cr_expect_gt(count(xds_memory_text(&said), text), 0, "no \"%s\" in:\n%.*s", text,
                 (int)(said.len < 4000 ? said.len : 4000), said.data);
    free(said.data);
}

#endif

/* cookie_harness.c - a hostile session cookie, decoded, read and taken by an RPC. */
#include <stdlib.h>
#include <string.h>

#include "clients/environment.h"
#include "fuzz/harness.h"
#include "fuzz/memory.h"
#include "route/route.h"
#include "session/session.h"

/* A session cookie "sid" on a route of two clusters. */
static const char snapshot[] =
    "{\"listeners\":[{\"name\":\"l\",\"api_listener\":{\"api_listener\":{\"@type\":"
    "\"type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3."
    "HttpConnectionManager\",\"http_filters\":[{\"name\":\"session\",\"typed_config\":{"
    "\"@type\":\"type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3."
    "StatefulSession\",\"session_state\":{\"name\":\"cookie\",\"typed_config\":{\"@"
    "type\":"
    "\"type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3."
    "CookieBasedSessionState\",\"cookie\":{\"name\":\"sid\"}}}}},"
    "{\"name\":\"router\",\"typed_config\":{\"@type\":"
    "\"type.googleapis.com/envoy.extensions.filters.http.router.v3.Router\"}}],"
    "\"route_config\":{\"virtual_hosts\":[{\"domains\":[\"*\"],\"routes\":[{\"match\":{"
    "\"prefix\":\"\"},\"route\":{\"weighted_clusters\":{\"clusters\":["
    "{\"name\":\"a\",\"weight\":1},{\"name\":\"b\",\"weight\":2}]}}}]}]}}}}],"
    "\"clusters\":[{\"name\":\"a\",\"type\":\"EDS\",\"eds_cluster_config\":{"
    "\"eds_config\":{\"ads\":{}}}},{\"name\":\"b\",\"type\":\"EDS\","
    "\"eds_cluster_config\":{\"eds_config\":{\"ads\":{}}}}],"
    "\"endpoints\":[{\"cluster_name\":\"a\",\"endpoints\":[{\"locality\":{\"region\":"
    "\"r\"},\"load_balancing_weight\":1,\"lb_endpoints\":[{\"endpoint\":{\"address\":{"
    "\"socket_address\":{\"address\":\"10.0.0.1\",\"port_value\":80}}}},"
    "{\"endpoint\":{\"address\":{\"socket_address\":{\"address\":\"::1\","
    "\"port_value\":80}}}}]}]}]}";

static void *must(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

/* ---- encode and decode ---- */

/* In a buffer of the very size. */
static struct xds_memory encode(struct xds_slice addresses, struct xds_slice cluster)
{
    const size_t len = xds_cookie_encode(addresses, cluster, NULL, 0);
    char *text = must(malloc(len + 1));

    if (xds_cookie_encode(addresses, cluster, text, len / 2) != len ||
        xds_cookie_encode(addresses, cluster, text, len) != len)
        xds_fuzz_fail("the length of a cookie depends on the buffer");
    return (struct xds_memory){text, len, len};
}

/* In a buffer that is as large as it has to be; no data: it cannot be decoded. */
static struct xds_memory decode(struct xds_slice value)
{
    const size_t size = value.len / 4 * 3 + value.len % 4 * 3 / 4;
    struct xds_memory text = {must(malloc(size + 1)), 0, size};
    struct xds_memory wide = {must(malloc(value.len + 4)), 0, value.len + 4};
    const bool good = xds_cookie_decode(value, text.data, text.cap, &text.len);

    if (good != xds_cookie_decode(value, wide.data, wide.cap, &wide.len))
        xds_fuzz_fail("3/4 of a value's length is not enough to decode it");
    if (good && !xds_slice_eq(xds_memory_text(&text), xds_memory_text(&wide)))
        xds_fuzz_fail("what a cookie says depends on the buffer");
    free(wide.data);
    if (good)
        return text;
    free(text.data);
    return (struct xds_memory){NULL, 0, 0};
}

/* clear: "ADDRESSES;CLUSTER" or "ADDRESSES". */
static void go_there_and_back(struct xds_slice clear)
{
    struct xds_slice addresses;
    const struct xds_slice cluster = xds_slice_cut(clear, ';', &addresses);
    struct xds_memory value = encode(addresses, cluster);
    struct xds_memory back = decode(xds_memory_text(&value));

    if (!xds_slice_eq(xds_memory_text(&back), clear))
        xds_fuzz_fail("a cookie decodes to \"%.*s\", not to \"%.*s\"",
                      XDS_FMT(xds_memory_text(&back)), XDS_FMT(clear));
    free(back.data);
    free(value.data);
}

/* ---- reading ---- */

static bool is_inside(struct xds_slice part, struct xds_slice whole)
{
    return part.len == 0 ||
           (part.data >= whole.data && part.data + part.len <= whole.data + whole.len);
}

struct reading {
    struct xds_rpc rpc;
    struct xds_slice clear, header;
};

static void parse(void *arg)
{
    struct reading *r = arg;
    const struct xds_cookie cookie = xds_cookie_parse(&r->rpc, r->clear);
    struct xds_slice value;
    bool tolerant;

    if (!is_inside(cookie.cluster, r->clear) || !is_inside(cookie.list, r->clear))
        xds_fuzz_fail("a part of a cookie is none of its text");
    for (size_t i = 0; i < cookie.n_addresses; i++)
        if (!is_inside(cookie.addresses[i], cookie.list) ||
            (xds_is_ip_port(cookie.addresses[i]) && cookie.addresses[i].len < 4))
            xds_fuzz_fail("an address of a cookie is none of its text");
    if (xds_cookie_find(&r->rpc, XDS_S("sid"), &value, &tolerant) &&
        !is_inside(value, r->header))
        xds_fuzz_fail("a cookie's value is none of the header");
}

static void parse_as(enum xds_client client, const struct xds_options *options,
                     struct xds_slice clear, struct xds_slice header)
{
    struct xds_arena arena;
    struct xds_arena *const arenas[] = {&arena};
    const struct xds_header headers[] = {{XDS_S("cookie"), header}};
    const struct xds_request request = {
        .path = XDS_S("/s/M"), .headers = headers, .n_headers = 1};
    struct reading r = {.rpc = {.client = client,
                                .options = options,
                                .request = &request,
                                .arena = &arena},
                        .clear = clear,
                        .header = header};

    xds_arena_init(&arena, 0);
    (void)!xds_arena_guard(arenas, 1, parse, &r);
    xds_arena_release(&arena);
}

/* ---- an RPC that carries it ---- */

static bool nowhere(void *user, const char *data, size_t len)
{
    (void)user;
    (void)data;
    (void)len;
    return true;
}

static void explain(struct xds_check *check, enum xds_client client,
                    struct xds_slice header)
{
    const struct xds_printer to = {.write = nowhere, .verbose = true};
    const struct xds_header headers[] = {{XDS_S("cookie"), header}};
    const struct xds_request request = {
        .path = XDS_S("/s/M"), .headers = headers, .n_headers = 1};
    struct xds_explainer *explainer = xds_explainer_new(check, client);
    const struct xds_decision *decision;

    if (explainer && xds_explain(explainer, &request, &decision) == XDS_OK) {
        (void)!xds_print_decision_text(&to, decision);
        (void)!xds_print_decision_json(&to, decision);
    }
    xds_explainer_free(explainer);
}

static void read_snapshot(struct xds_source *source, struct xds_check *check)
{
    struct xds_resource resource;

    if (xds_source_add_bytes(source, "snapshot.json", xds_slice_of(snapshot)) != XDS_OK)
        return;
    while (xds_source_next(source, &resource) == XDS_OK)
        (void)!xds_check_resource(check, &resource);
}

/* header as it is, and "sid=" with the text as a well-behaved peer sends it. */
static void carry_both(struct xds_check *check, struct xds_slice text)
{
    struct xds_memory value = encode(text, xds_slice_make(NULL, 0));
    struct xds_memory header = {NULL, 0, 0};

    (void)xds_memory_write(&header, "sid=", 4);
    (void)xds_memory_write(&header, value.data, value.len);
    for (unsigned client = 0; client < XDS_CLIENTS; client++) {
        explain(check, (enum xds_client)client, text);
        explain(check, (enum xds_client)client, xds_memory_text(&header));
    }
    free(header.data);
    free(value.data);
}

static void carry(const struct xds_options *options, struct xds_slice text)
{
    struct xds_report *report = xds_report_new(options);
    struct xds_check *check = report ? xds_check_new(report, true) : NULL;
    struct xds_source *source = report ? xds_source_new(report, XDS_TYPE_UNKNOWN) : NULL;

    if (check && source) {
        read_snapshot(source, check);
        carry_both(check, text);
    }
    xds_source_free(source);
    xds_check_free(check);
    xds_report_free(report);
}

void xds_fuzz_cookie(const uint8_t *data, size_t size)
{
    const struct xds_slice text = {(const char *)data, size};
    struct xds_memory decoded = decode(text);
    const struct xds_slice clear = decoded.data ? xds_memory_text(&decoded) : text;
    struct xds_options options;

    xds_options_init(&options);
    options.clients = XDS_ALL_CLIENTS;
    go_there_and_back(text);
    go_there_and_back(clear);
    for (unsigned client = 0; client < XDS_CLIENTS; client++)
        parse_as((enum xds_client)client, &options, clear, text);
    carry(&options, text);
    free(decoded.data);
}

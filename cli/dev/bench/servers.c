/*
 * servers.c - how many RPCs a second a server with many RBAC policies decides, one
 * thread.
 *
 *   bench-servers [POLICIES [RPCS]]
 *
 * Of 1,000 policies most are for one method of their own and one range of peers, some for
 * a service, a few for a header, whatever the path. The RPCs go to methods in turn, a
 * fifth of them from a peer that is not let in. Prints "decide", without reasons, and
 * "explain", with them: the median of the rounds in RPCs a second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "include/xdscope.h"

enum { ROUNDS = 11, USUAL_POLICIES = 1000, USUAL_RPCS = 20000, EXPLAINED = 100 };

static void stop(const char *what)
{
    (void)fprintf(stderr, "bench-servers: %s\n", what);
    exit(3);
}

static void *must(void *made)
{
    if (!made)
        stop("out of memory");
    return made;
}

/* ---- the snapshot ---- */

static const char before[] =
    "{\"name\":\"grpc/server?xds.resource.listening_address=10.0.0.1:8080\",\"address\":{"
    "\"socket_address\":{\"address\":\"10.0.0.1\",\"port_value\":8080}},\"filter_"
    "chains\":"
    "[{\"filters\":[{\"name\":\"hcm\",\"typed_config\":{\"@type\":\"type.googleapis.com/"
    "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager\","
    "\"route_config\":{\"name\":\"r\",\"virtual_hosts\":[{\"name\":\"v\",\"domains\":"
    "[\"*\"],\"routes\":[{\"match\":{\"prefix\":\"/\"},\"non_forwarding_action\":{}}]}]},"
    "\"http_filters\":[{\"name\":\"rbac\",\"typed_config\":{\"@type\":\"type.googleapis."
    "com/envoy.extensions.filters.http.rbac.v3.RBAC\",\"rules\":{\"action\":\"ALLOW\","
    "\"policies\":{";
static const char after[] =
    "}}}},{\"name\":\"router\",\"typed_config\":{\"@type\":\"type.googleapis.com/envoy."
    "extensions.filters.http.router.v3.Router\"}}]}}]}]}";

static int put_policy(char *out, size_t room, unsigned i)
{
    const char *comma = i > 0 ? "," : "";

    if (i % 100 == 50)
        return snprintf(
            out, room,
            "%s\"policy-%u\":{\"permissions\":[{\"any\":true}],\"principals\":"
            "[{\"header\":{\"name\":\"x-role\",\"string_match\":{\"exact\":"
            "\"role-%u\"}}}]}",
            comma, i, i);
    return snprintf(out, room,
                    "%s\"policy-%u\":{\"permissions\":[{\"url_path\":{\"path\":{\"%s\":"
                    "\"/pkg.Service%u/%s\"}}}],\"principals\":[{\"direct_remote_ip\":{"
                    "\"address_prefix\":\"10.1.0.0\",\"prefix_len\":16}}]}",
                    comma, i, i % 10 == 3 ? "prefix" : "exact", i / 4,
                    i % 10 == 3  ? ""
                    : i % 4 == 0 ? "Get"
                    : i % 4 == 1 ? "List"
                    : i % 4 == 2 ? "Add"
                                 : "Drop");
}

static char *make_listener(unsigned policies)
{
    const size_t room = sizeof before + sizeof after + (size_t)policies * 256;
    char *text = must(malloc(room));
    size_t at = sizeof before - 1;

    memcpy(text, before, at);
    for (unsigned i = 0; i < policies; i++)
        at += (size_t)put_policy(text + at, room - at, i);
    memcpy(text + at, after, sizeof after);
    return text;
}

static struct xds_check *read_listener(struct xds_report *report, const char *text)
{
    struct xds_source *source = must(xds_source_new(report, XDS_TYPE_LISTENER));
    struct xds_check *check = must(xds_check_new(report, true));
    const struct xds_slice bytes = {text, strlen(text)};
    struct xds_resource resource;

    if (xds_source_add_bytes(source, "listener.json", bytes) != XDS_OK)
        stop("the listener cannot be read");
    while (xds_source_next(source, &resource) == XDS_OK)
        if (xds_check_resource(check, &resource) != XDS_OK)
            stop("the listener cannot be judged");
    if (xds_report_resources(report) != 1)
        stop("the listener is not read");
    xds_source_free(source);
    return check;
}

/* ---- RPCs ---- */

static struct xds_slice slice_of(const char *text)
{
    return (struct xds_slice){text, strlen(text)};
}

static size_t serve_all(struct xds_server *server, unsigned policies, size_t rpcs)
{
    static const char *const methods[] = {"Get", "List", "Add", "Drop"};
    size_t served = 0;

    for (size_t i = 0; i < rpcs; i++) {
        const unsigned policy = (unsigned)(i * 7919 % policies);
        const struct xds_served *answer;
        char path[64];

        (void)snprintf(path, sizeof path, "/pkg.Service%u/%s", policy / 4,
                       methods[policy % 4]);
        const struct xds_inbound inbound = {
            .server = slice_of("10.0.0.1:8080"),
            .peer = slice_of(i % 5 == 0 ? "10.9.0.7:4711" : "10.1.0.7:4711"),
            .rpc = {.path = slice_of(path), .authority = slice_of("shop.example.com")},
        };
        if (xds_serve(server, &inbound, &answer) != XDS_OK)
            stop("an RPC cannot be decided");
        served += xds_served_well(answer);
    }
    return served;
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(const char *name, struct xds_server *server, unsigned policies,
                    size_t rpcs)
{
    double rates[ROUNDS];
    size_t served = serve_all(server, policies, rpcs); /* warm */

    for (unsigned round = 0; round < ROUNDS; round++) {
        const double start = seconds();

        if (serve_all(server, policies, rpcs) != served)
            stop("two rounds have different answers");
        rates[round] = (double)rpcs / (seconds() - start);
    }
    if (served == 0 || served == rpcs)
        stop("all RPCs get the same answer");
    qsort(rates, ROUNDS, sizeof *rates, by_size);
    printf("%s %.0f RPCs/s\n", name, rates[ROUNDS / 2]);
}

int main(int argc, char **argv)
{
    const unsigned policies =
        argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : USUAL_POLICIES;
    const size_t rpcs = argc > 2 ? strtoul(argv[2], NULL, 10) : USUAL_RPCS;
    struct xds_options options;

    if (policies == 0 || policies > 1000000 || rpcs == 0)
        stop("usage: bench-servers [POLICIES [RPCS]]");
    xds_options_init(&options);
    char *listener = make_listener(policies);
    struct xds_report *report = must(xds_report_new(&options));
    struct xds_check *check = read_listener(report, listener);
    struct xds_server *server = must(xds_server_new(check, XDS_CLIENT_CORE));

    measure("explain", server, policies, rpcs < EXPLAINED ? rpcs : EXPLAINED);
    xds_server_be_brief(server);
    measure("decide", server, policies, rpcs);
    xds_server_free(server);
    xds_check_free(check);
    xds_report_free(report);
    free(listener);
    return 0;
}

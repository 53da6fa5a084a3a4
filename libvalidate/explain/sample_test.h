/*
 * sample_test.h - small snapshots made from numbers of a fixed generator: two clusters
 * and an aggregate, weights and fractions, sessions, priorities, health.
 */
#ifndef XDS_EXPLAIN_SAMPLE_TEST_H
#define XDS_EXPLAIN_SAMPLE_TEST_H

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/slice.h"

enum { TEXT = 32768, HOSTS = 6 };

struct sample {
    uint64_t seed;
    char text[TEXT];
    size_t len;
    char hosts[HOSTS][16];
    size_t n_hosts;
    size_t n_clusters;
    bool session;
};

/* ---- making snapshots ---- */

static inline unsigned roll(struct sample *s, unsigned bound)
{
    s->seed = s->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(s->seed >> 33) % bound;
}

__attribute__((format(printf, 2, 3))) static inline void put(struct sample *s,
                                                             const char *format, ...)
{
    va_list args;

    va_start(args, format);
    s->len += (size_t)vsnprintf(s->text + s->len, TEXT - s->len, format, args);
    va_end(args);
    cr_assert_lt(s->len, TEXT);
}

#define ANY "\"@type\":\"type.googleapis.com/envoy."
#define COOKIE_STATE                                                                     \
    ANY "extensions.http.stateful_session.cookie.v3.CookieBasedSessionState\","          \
        "\"cookie\":{\"name\":\"sid\"}"
#define SESSION_FILTER                                                                   \
    "{\"name\":\"s\",\"typed_config\":{" ANY                                             \
    "extensions.filters.http.stateful_session.v3.StatefulSession\","                     \
    "\"session_state\":{\"name\":\"c\",\"typed_config\":{" COOKIE_STATE "}}}},"

static inline void put_listener(struct sample *s)
{
    s->session = roll(s, 2);
    put(s,
        "{\"listeners\":[{\"name\":\"l\",\"api_listener\":{\"api_listener\":{" ANY
        "extensions.filters.network.http_connection_manager.v3."
        "HttpConnectionManager\",\"rds\":{\"route_config_name\":\"r\","
        "\"config_source\":{\"ads\":{}}},\"http_filters\":[%s{\"name\":\"router\","
        "\"typed_config\":{" ANY "extensions.filters.http.router.v3.Router\"}}]}}}],",
        s->session ? SESSION_FILTER : "");
}

static inline void put_action(struct sample *s)
{
    const char *hash = roll(s, 2) ? ",\"hash_policy\":[{\"header\":{\"header_name\":"
                                    "\"user\"}}]"
                                  : "";

    if (roll(s, 2)) {
        put(s, "\"route\":{\"cluster\":\"%s\"%s}", roll(s, 2) ? "c0" : "agg", hash);
        return;
    }
    put(s,
        "\"route\":{\"weighted_clusters\":{\"clusters\":[{\"name\":\"c%u\","
        "\"weight\":%u},{\"name\":\"c1\",\"weight\":%u}]}%s}",
        roll(s, 2), 1 + roll(s, 3), roll(s, 3), hash);
}

static inline void put_routes(struct sample *s)
{
    put(s, "\"routes\":[{\"name\":\"r\",\"virtual_hosts\":[{\"name\":\"v\",\"domains\":"
           "[\"*\"],\"routes\":[");
    if (roll(s, 2)) {
        put(s, "{\"match\":{\"prefix\":\"/\",\"runtime_fraction\":{\"default_value\":{"
               "\"numerator\":25}}},");
        put_action(s);
        put(s, "},");
    }
    put(s, "{\"match\":{\"prefix\":\"/\"},");
    put_action(s);
    put(s, "}]}]}],");
}

static const char *const policies[] = {
    "",
    ",\"lb_policy\":\"RING_HASH\"",
    ",\"load_balancing_policy\":{\"policies\":[{\"typed_extension_config\":{\"name\":"
    "\"p\",\"typed_config\":{" ANY
    "extensions.load_balancing_policies.pick_first.v3.PickFirst\"}}}]}",
};

static inline void put_clusters(struct sample *s)
{
    put(s, "\"clusters\":[");
    for (unsigned i = 0; i < 2; i++)
        put(s,
            "{\"name\":\"c%u\",\"type\":\"EDS\",\"eds_cluster_config\":{\"eds_config\":{"
            "\"ads\":{}}},\"common_lb_config\":{\"override_host_status\":{\"statuses\":["
            "\"UNKNOWN\",\"HEALTHY\"%s]}}%s},",
            i, roll(s, 2) ? ",\"DRAINING\"" : "",
            policies[roll(s, XDS_ARRAY_LEN(policies))]);
    put(s, "{\"name\":\"agg\",\"cluster_type\":{\"name\":\"a\",\"typed_config\":{" ANY
           "extensions.clusters.aggregate.v3.ClusterConfig\",\"clusters\":[\"c1\","
           "\"c0\"]}}}],");
}

static inline void put_address(struct sample *s)
{
    char *host = s->hosts[s->n_hosts];

    (void)snprintf(host, sizeof s->hosts[0], "10.0.0.%zu:80", s->n_hosts + 1);
    s->n_hosts++;
    put(s, "{\"socket_address\":{\"address\":\"10.0.0.%zu\",\"port_value\":80}}",
        s->n_hosts);
}

static inline void put_endpoint(struct sample *s)
{
    static const char *const health[] = {"UNKNOWN", "UNKNOWN", "HEALTHY", "DRAINING",
                                         "UNHEALTHY"};

    put(s, "{\"endpoint\":{\"address\":");
    put_address(s);
    if (s->n_hosts < HOSTS && roll(s, 4) == 0) {
        put(s, ",\"additional_addresses\":[{\"address\":");
        put_address(s);
        put(s, "}]");
    }
    put(s, "},\"health_status\":\"%s\"}", health[roll(s, XDS_ARRAY_LEN(health))]);
}

static inline void put_locality(struct sample *s, unsigned zone, unsigned priority)
{
    put(s,
        "%s{\"locality\":{\"zone\":\"z%u\"},\"load_balancing_weight\":%u,\"priority\":%u,"
        "\"lb_endpoints\":[",
        zone ? "," : "", zone, 1 + roll(s, 3), priority);
    for (unsigned n = 1 + roll(s, 3), i = 0; i < n && s->n_hosts < HOSTS; i++) {
        put(s, "%s", i ? "," : "");
        put_endpoint(s);
    }
    put(s, "]}");
}

static inline void put_endpoints(struct sample *s)
{
    put(s, "\"endpoints\":[");
    for (unsigned i = 0; i < 2; i++) {
        put(s, "%s{\"cluster_name\":\"c%u\",\"endpoints\":[", i ? "," : "", i);
        for (unsigned n = 1 + roll(s, 3), k = 0, priority = 0; k < n; k++) {
            put_locality(s, k, priority);
            priority += roll(s, 2);
        }
        put(s, "]}");
    }
    put(s, "]}");
}

static inline void make_sample(struct sample *s, uint64_t seed)
{
    *s = (struct sample){.seed = seed};
    put_listener(s);
    put_routes(s);
    put_clusters(s);
    put_endpoints(s);
}

#undef ANY
#undef COOKIE_STATE
#undef SESSION_FILTER

#endif

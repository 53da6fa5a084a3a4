/*
 * method_config.c - the method config of a route, and what a client makes of it.
 *
 * Source: gRFC A6, A31, A44, spec listener SC4 to SC8, SC10, D1 to D5, H-4, RP1 to RP9,
 * G24, spec routing 14.8, G-c and G-d.
 */
#include "route/route.h"

enum { MOST_ATTEMPTS = 5 }; /* gRFC A6 */

#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

static void read_listener_timeout(const struct xds_listener *listener,
                                  const struct xds_rpc *rpc,
                                  struct xds_method_config *out)
{
    const bool idle = XDS_DIFFERS(rpc, XDS_DIFF_IDLE_TIMEOUT_FOR_RPCS);

    if (!(idle ? listener->has_idle_timeout : listener->has_max_stream_duration))
        return;
    out->timeout_from = idle ? "common_http_protocol_options.idle_timeout"
                             : "common_http_protocol_options.max_stream_duration";
    out->timeout_ns = idle ? listener->idle_timeout_ns : listener->max_stream_duration_ns;
}

static int64_t whole_ms(int64_t ns)
{
    return ns / NS_PER_MS * NS_PER_MS;
}

/* A value of 0 means no timeout, and hides what is after it. */
static void read_timeout(const struct xds_listener *listener,
                         const struct xds_route *route, const struct xds_rpc *rpc,
                         struct xds_method_config *out)
{
    if (!XDS_ENV_ON(rpc, XDS_ENV_ENABLE_TIMEOUT))
        return;
    out->timeout_of_route = route->has_timeout;
    if (route->has_timeout) {
        out->timeout_from = route->timeout_field;
        out->timeout_ns = route->timeout_ns;
    } else {
        read_listener_timeout(listener, rpc, out);
    }
    if (XDS_DIFFERS(rpc, XDS_DIFF_DURATION_IN_MS))
        out->timeout_ns = whole_ms(out->timeout_ns);
    out->has_timeout = out->timeout_ns > 0;
}

unsigned xds_retry_codes(const struct xds_retry_policy *policy,
                         const struct xds_options *options, enum xds_client client)
{
    if (xds_differs(options, client, XDS_DIFF_RETRY_CODES_TRIMMED))
        return policy->go_codes;
    return xds_differs(options, client, XDS_DIFF_RETRY_CODES_IN_ENUM_STYLE)
               ? policy->java_codes
               : policy->codes;
}

/* A policy of the route hides that of the virtual host even if it has no codes. */
static void read_retry(const struct xds_virtual_host *host, const struct xds_route *route,
                       const struct xds_rpc *rpc, struct xds_method_config *out)
{
    const struct xds_retry_policy *of_host =
        XDS_DIFFERS(rpc, XDS_DIFF_RETRY_OF_HOST) ? NULL : host->retry_policy;
    const struct xds_retry_policy *policy =
        route->retry_policy ? route->retry_policy : of_host;

    if (!policy || !XDS_ENV_ON(rpc, XDS_ENV_ENABLE_RETRY))
        return;
    out->codes = xds_retry_codes(policy, rpc->options, rpc->client);
    out->retry = out->codes ? policy : NULL;
    out->retry_unread = out->codes ? NULL : policy;
    if (out->retry)
        out->retries = xds_retries_of(rpc->options, rpc->client, policy);
    out->retry_of_route = route->retry_policy != NULL;
    out->retry_hides_host = !out->retry && out->retry_of_route && of_host &&
                            xds_retry_codes(of_host, rpc->options, rpc->client);
}

bool xds_method_config_of(const struct xds_listener *listener,
                          const struct xds_virtual_host *host,
                          const struct xds_route *route, const struct xds_rpc *rpc,
                          struct xds_method_config *out)
{
    *out = (struct xds_method_config){.has_timeout = false};
    read_timeout(listener, route, rpc, out);
    read_retry(host, route, rpc, out);
    return out->has_timeout || out->retry;
}

const char *xds_retries_core_error(const struct xds_retry_policy *policy)
{
#define AT "errors validating service config: [field:methodConfig[0].retryPolicy."
    if (policy->num_retries >= INT32_MAX)
        return AT "maxAttempts error:failed to parse number]";
    if (policy->base_interval_ns < NS_PER_MS)
        return AT "initialBackoff error:must be greater than 0]";
    return AT "maxBackoff error:must be greater than 0]";
#undef AT
}

/* java counts attempts in 32 bits with a sign, and wants two at least. */
const char *xds_retries_java_error(const struct xds_retry_policy *policy)
{
    if (policy->num_retries > 0 && policy->num_retries < INT32_MAX)
        return NULL;
    return "failed to parse service config\nFailed to parse service config (method "
           "config)";
}

/* node writes the seconds, which are a text, and after them the nanos as a part of
 * one: 1.5 s is "10.5". JavaScript writes what is below a millionth as 1e-7: the digits
 * in front of that grow with it. */
static int64_t join_seconds(int64_t ns)
{
    const int64_t seconds = ns / NS_PER_S, nanos = ns % NS_PER_S;
    int64_t digit = NS_PER_S;

    if (nanos > 0 && nanos < 1000)
        for (digit = 1; digit * 10 <= nanos;)
            digit *= 10;
    return seconds < INT64_MAX / 10 / digit ? seconds * 10 * digit + nanos : INT64_MAX;
}

static int64_t backoff(const struct xds_options *options, enum xds_client client,
                       int64_t ns)
{
    if (xds_differs(options, client, XDS_DIFF_RETRY_SECONDS_JOINED))
        return join_seconds(ns);
    if (xds_differs(options, client, XDS_DIFF_DURATION_IN_MS))
        return whole_ms(ns);
    if (xds_differs(options, client, XDS_DIFF_BACKOFF_BELOW_MS))
        return ns;
    return ns > 0 && ns < NS_PER_MS ? NS_PER_MS : ns; /* gRFC A44 */
}

static int64_t max_backoff(const struct xds_options *options, enum xds_client client,
                           const struct xds_retry_policy *policy)
{
    const bool of_result = xds_differs(options, client, XDS_DIFF_RETRY_MAX_OF_RAISED) ||
                           xds_differs(options, client, XDS_DIFF_RETRY_SECONDS_JOINED);

    if (policy->has_max_interval || !of_result)
        return backoff(options, client, policy->max_interval_ns);
    const int64_t base = backoff(options, client, policy->base_interval_ns);

    return base < INT64_MAX / 10 ? 10 * base : INT64_MAX;
}

struct xds_retries xds_retries_of(const struct xds_options *options,
                                  enum xds_client client,
                                  const struct xds_retry_policy *policy)
{
    const bool capped = policy->num_retries >= MOST_ATTEMPTS;

    return (struct xds_retries){
        .attempts = capped ? MOST_ATTEMPTS : policy->num_retries + 1,
        .capped = capped,
        .initial_backoff_ns = backoff(options, client, policy->base_interval_ns),
        .max_backoff_ns = max_backoff(options, client, policy),
    };
}

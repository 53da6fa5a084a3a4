/*
 * route_retries.c - retries that never happen, and time-outs that are none.
 *
 * Source: gRFC A6, A31, A44, spec listener SC4 to SC8.
 */
#include "clients/readers.h"
#include "lint/checks.h"
#include "route/method_config.h"

/* The selected clients that read fewer codes than the most tolerant one. */
static unsigned clients_missing(const struct xds_inspection *in,
                                const struct xds_retry_policy *policy, unsigned wanted)
{
    unsigned clients = 0;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((in->report->options.clients & XDS_CLIENT_BIT(c)) &&
            wanted & ~xds_retry_codes(policy, (enum xds_client)c))
            clients |= XDS_CLIENT_BIT(c);
    return clients;
}

/* ---- retry_on ---- */

static void report_no_codes(const struct xds_inspection *in, const struct xds_path *at,
                            const struct xds_retry_policy *policy, bool hides)
{
    struct xds_slice key =
        xds_arena_printf(in->scratch, "retry-on %.*s", XDS_FMT(policy->retry_on));

    if (xds_report_is_first(in->report, key))
        (void)xds_lint_fire(in, XDS_AT(at, "retry_on"), XDS_R_LINT_RETRY_NO_CODES,
                            "retry_on %s none of cancelled, deadline-exceeded, internal, "
                            "resource-exhausted and unavailable: there are no retries%s",
                            policy->retry_on.len == 0 ? "is not set and so has" : "has",
                            hides ? ", not even those of the virtual host" : "");
}

/* The codes that somebody reads, and who does not. */
static void check_words(const struct xds_inspection *in, const struct xds_path *at,
                        const struct xds_retry_policy *policy, bool hides)
{
    const unsigned meant = policy->codes | policy->go_codes | policy->java_codes;
    const unsigned missing = clients_missing(in, policy, meant);

    if (meant == 0)
        report_no_codes(in, at, policy, hides);
    else if (missing)
        (void)xds_lint_fire(in, XDS_AT(at, "retry_on"), XDS_R_LINT_RETRY_SPELLING,
                            "%.*s do%s not read every code of \"%.*s\": write codes in "
                            "lower case with dashes, separated by commas without spaces",
                            XDS_FMT(xds_lint_who(in, missing)),
                            missing & (missing - 1) ? "" : "es",
                            XDS_FMT(policy->retry_on));
}

/* Who reads the policies of routes, and of virtual hosts? */
static unsigned readers(const struct xds_inspection *in, bool of_host)
{
    const struct xds_options *options = &in->report->options;
    const unsigned clients =
        options->clients & xds_env_mask(options, XDS_ENV_ENABLE_RETRY);

    return of_host ? clients & ~xds_differing(XDS_DIFF_RETRY_OF_HOST) : clients;
}

/* ---- numbers ---- */

static void check_policy(const struct xds_inspection *in, const struct xds_path *at,
                         const struct xds_retry_policy *policy, bool hides)
{
    const struct xds_retries retries =
        xds_retries_of(&in->report->options, XDS_CLIENT_GRFC, policy);
    const unsigned repeating = XDS_RETRY_INTERNAL | XDS_RETRY_DEADLINE_EXCEEDED;

    check_words(in, at, policy, hides);
    if (!policy->codes)
        return;
    if (retries.capped)
        (void)xds_lint_fire(in, XDS_AT(at, "num_retries"), XDS_R_LINT_RETRY_CAPPED,
                            "num_retries is %u, but gRPC makes at most %u attempts: "
                            "there are %u retries",
                            policy->num_retries, retries.attempts, retries.attempts - 1);
    if ((policy->codes & repeating) &&
        xds_report_is_first(in->report, XDS_S("retry-repeats")))
        (void)xds_lint_fire(in, XDS_AT(at, "retry_on"), XDS_R_LINT_RETRY_REPEATS,
                            "retry_on has %s, after which the server may have done its "
                            "work: a retry may do it again",
                            policy->codes & XDS_RETRY_INTERNAL ? "internal"
                                                               : "deadline-exceeded");
}

static void check_hiding(const struct xds_inspection *in, const struct xds_path *at,
                         const struct xds_virtual_host *host)
{
    if (host->retry_policy && readers(in, true) &&
        xds_report_is_first(in->report, XDS_S("retry-hides-host")))
        (void)xds_lint_fire(in, at, XDS_R_LINT_RETRY_HIDES_HOST,
                            "retry_policy replaces that of the virtual host as a whole: "
                            "nothing of that one applies to this route");
}

void xds_check_route_retries(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host,
                             const struct xds_route *route)
{
    const struct xds_path *here = XDS_AT(at, "route.retry_policy");

    if (!route->retry_policy || !readers(in, false))
        return;
    check_policy(in, here, route->retry_policy, host->retry_policy != NULL);
    check_hiding(in, here, host);
}

void xds_check_host_retries(const struct xds_inspection *in, const struct xds_path *at,
                            const struct xds_virtual_host *host)
{
    if (host->retry_policy && readers(in, true))
        check_policy(in, XDS_AT(at, "retry_policy"), host->retry_policy, false);
}

/* ---- time-outs ---- */

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

static void check_back_off(const struct xds_inspection *in, const struct xds_path *at,
                           const struct xds_route *route,
                           const struct xds_retry_policy *policy)
{
    if (policy && policy->codes && route->timeout_ns > 0 &&
        route->timeout_ns < policy->base_interval_ns)
        (void)xds_lint_fire(in, at, XDS_R_LINT_RETRY_TOO_LATE,
                            "the timeout of the route is %.10g s, and a retry waits up "
                            "to base_interval, %.10g s: most retries never happen",
                            seconds(route->timeout_ns),
                            seconds(policy->base_interval_ns));
}

void xds_check_route_timeout(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host,
                             const struct xds_route *route)
{
    const struct xds_path *here =
        XDS_AT(XDS_AT(at, "route.max_stream_duration"), route->timeout_field);

    if (!route->has_timeout)
        return;
    if (route->timeout_ns == 0)
        (void)xds_lint_fire(in, here, XDS_R_LINT_TIMEOUT_NONE,
                            "max_stream_duration is 0, which means no limit, and also "
                            "cancels that of the listener");
    check_back_off(in, here, route,
                   route->retry_policy ? route->retry_policy : host->retry_policy);
}

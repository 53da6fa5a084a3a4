/* decision.c - the words that the formats of a decision share, and what becomes of the
 * RPC in a line. */
#include "print/decision/decision.h"
#include "print/write/document.h"
#include "print/write/json.h"

const char *xds_outcome_name(enum xds_outcome outcome)
{
    static const char *const names[] = {
        [XDS_OUTCOME_ROUTED] = "routed",
        [XDS_OUTCOME_GAP] = "routed_with_gaps",
        [XDS_OUTCOME_NO_LISTENER] = "no_listener",
        [XDS_OUTCOME_NO_VIRTUAL_HOST] = "no_virtual_host",
        [XDS_OUTCOME_NO_ROUTE] = "no_route",
        [XDS_OUTCOME_UNAVAILABLE] = "unavailable",
        [XDS_OUTCOME_DROPPED] = "dropped",
        [XDS_OUTCOME_FAULT] = "fault",
        [XDS_OUTCOME_CRASH] = "crash",
        [XDS_OUTCOME_UNDECIDED] = "undecided",
    };
    return names[outcome];
}

const char *xds_cluster_why_name(enum xds_cluster_why why)
{
    static const char *const names[] = {
        [XDS_CLUSTER_ONLY] = "only",
        [XDS_CLUSTER_WEIGHTED] = "weighted",
        [XDS_CLUSTER_COOKIE] = "cookie",
        [XDS_CLUSTER_PLUGIN] = "specifier_plugin",
    };
    return names[why];
}

const char *xds_host_why_name(const struct xds_decision *d)
{
    static const char *const names[] = {
        [XDS_HOST_OPEN] = "random",
        [XDS_HOST_OVERRIDE] = "override",
        [XDS_HOST_ONLY] = "only",
        [XDS_HOST_RANDOM] = "random",
    };
    return d->pick.host_why == XDS_HOST_POLICY ? xds_lb_traits(d->pick.policy)->title
                                               : names[d->pick.host_why];
}

const char *xds_difference_name(enum xds_answer_difference difference)
{
    static const char *const names[] = {
        [XDS_DIFFERS_OUTCOME] = "outcome",   [XDS_DIFFERS_ROUTE] = "route",
        [XDS_DIFFERS_CLUSTERS] = "clusters", [XDS_DIFFERS_SESSION] = "session",
        [XDS_DIFFERS_HOSTS] = "hosts",       [XDS_DIFFERS_SECURITY] = "security",
        [XDS_ANSWER_DIFFERENCES] = "",
    };
    return names[difference];
}

struct xds_slice xds_host_address(const struct xds_host *host)
{
    return host->endpoint->addresses[host->address];
}

const char *xds_config_level_words(enum xds_config_level level)
{
    static const char *const words[] = {
        [XDS_CONFIG_WEIGHTED_CLUSTER] = "weighted cluster",
        [XDS_CONFIG_ROUTE] = "route",
        [XDS_CONFIG_VIRTUAL_HOST] = "virtual host",
        [XDS_CONFIG_LISTENER] = "listener",
    };
    return words[level];
}

bool xds_out_locality(struct xds_out *out, xds_put_fn *put, const struct xds_locality *l)
{
    const struct xds_slice parts[] = {l->region, l->zone, l->sub_zone};
    bool any = false;

    for (size_t i = 0; i < XDS_ARRAY_LEN(parts); i++) {
        if (parts[i].len == 0)
            continue;
        xds_out_text(out, any ? "/" : "");
        put(out, parts[i]);
        any = true;
    }
    return any;
}

void xds_json_locality(struct xds_out *out, const struct xds_locality *l)
{
    if (!xds_json_object_or_null(out, "locality", l))
        return;
    xds_json_key_string(out, "region", l->region);
    xds_json_key_string(out, "zone", l->zone);
    xds_json_key_string(out, "sub_zone", l->sub_zone);
    xds_json_end_object(out);
}

/* ---- the last line: what becomes of the RPC ---- */

static bool has_host(const struct xds_decision *d, struct xds_slice cluster)
{
    size_t i = 0;

    while (i < d->pick.n_hosts && !xds_slice_eq(d->pick.hosts[i].cluster, cluster))
        i++;
    return i < d->pick.n_hosts;
}

/* Those with hosts, if there are hosts at all. */
static size_t count_clusters(const struct xds_decision *d)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n_clusters; i++)
        n += d->pick.n_hosts == 0 || has_host(d, d->clusters[i].name);
    return n;
}

/* Of the whole RPC, whichever cluster it goes to. */
static double dropped(const struct xds_decision *d)
{
    double sum = 0;

    for (size_t i = 0; i < d->n_clusters; i++)
        if (d->clusters[i].drops.value < 1) /* else it is among those that fail */
            sum += d->clusters[i].probability * d->clusters[i].drops.value;
    return sum;
}

/* Chance may end it on the way. */
static void print_perils(struct xds_out *out, const struct xds_decision *d)
{
    const struct {
        const char *what;
        double probability;
    } perils[] = {
        {"a fault aborts it", d->faults ? d->faults->abort : 0},
        {"it is dropped", dropped(d)},
        {"it fails", d->failing},
    };
    const char *join = ", unless ";

    for (size_t i = 0; i < XDS_ARRAY_LEN(perils); i++) {
        if (perils[i].probability <= 0)
            continue;
        xds_out_format(out, "%s%s (%s)", join, perils[i].what,
                       xds_percent(perils[i].probability).text);
        join = " or ";
    }
}

void xds_text_answer(struct xds_out *out, const struct xds_decision *d)
{
    static const char *const verbs[] = {
        [XDS_OUTCOME_ROUTED] = "the RPC goes to ",
        [XDS_OUTCOME_GAP] = "the RPC is routed ",
        [XDS_OUTCOME_NO_LISTENER] = "the RPC fails",
        [XDS_OUTCOME_NO_VIRTUAL_HOST] = "the RPC fails",
        [XDS_OUTCOME_NO_ROUTE] = "the RPC fails",
        [XDS_OUTCOME_UNAVAILABLE] = "the RPC fails",
        [XDS_OUTCOME_DROPPED] = "the RPC is dropped",
        [XDS_OUTCOME_FAULT] = "the RPC ends",
        [XDS_OUTCOME_CRASH] = "CRASH",
        [XDS_OUTCOME_UNDECIDED] = "no answer",
    };
    const bool routed = d->outcome == XDS_OUTCOME_ROUTED;

    if (!xds_decision_connected(d)) {
        xds_out_styled(out, XDS_STYLE_RED, "the RPC fails");
        xds_out_line(
            out,
            " with UNAVAILABLE: the client refuses the certificate of its host: %.*s",
            XDS_FMT(d->pick.security->handshake->reason));
        return;
    }
    xds_out_styled(out, xds_decision_routed(d) ? XDS_STYLE_GREEN : XDS_STYLE_RED,
                   verbs[d->outcome]);
    if (routed) {
        const size_t n = d->cluster ? 0 : count_clusters(d);

        if (d->pick.host)
            xds_out_clean(out, xds_host_address(d->pick.host));
        else if (d->pick.n_hosts)
            xds_out_format(out, "%s%zu host%s", d->pick.n_hosts > 1 ? "one of " : "",
                           d->pick.n_hosts, xds_plural(d->pick.n_hosts));
        else
            xds_out_text(out, "what the lookup gives");
        if (d->cluster)
            xds_out_format(out, "%s\"%.*s\"",
                           d->pick.n_hosts ? " in cluster " : " for plugin ",
                           XDS_FMT(d->cluster->name));
        else
            xds_out_format(out, " in %zu cluster%s", n, xds_plural(n));
        print_perils(out, d);
        xds_out_char(out, '\n');
    } else if (d->outcome == XDS_OUTCOME_GAP) {
        xds_out_line(out, "%.*s", XDS_FMT(d->status.error));
    } else if (d->outcome == XDS_OUTCOME_UNDECIDED || d->outcome == XDS_OUTCOME_CRASH) {
        xds_out_line(out, ": %.*s", XDS_FMT(d->status.error));
    } else {
        xds_out_line(out, " with %.*s%s%.*s",
                     XDS_FMT(d->status.code.data ? d->status.code : XDS_S("UNAVAILABLE")),
                     d->status.error.len ? ": " : "", XDS_FMT(d->status.error));
    }
}

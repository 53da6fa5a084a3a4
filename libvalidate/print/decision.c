/* decision.c - the words that the formats of a decision share. */
#include "print/inner.h"

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
    return d->host_why == XDS_HOST_POLICY ? xds_lb_traits(d->policy)->title
                                          : names[d->host_why];
}

const char *xds_difference_name(enum xds_answer_difference difference)
{
    static const char *const names[] = {
        [XDS_DIFFERS_OUTCOME] = "outcome",   [XDS_DIFFERS_ROUTE] = "route",
        [XDS_DIFFERS_CLUSTERS] = "clusters", [XDS_DIFFERS_SESSION] = "session",
        [XDS_DIFFERS_HOSTS] = "hosts",       [XDS_ANSWER_DIFFERENCES] = "",
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

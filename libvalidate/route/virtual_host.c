/*
 * virtual_host.c - turn an authority into the virtual host that serves it.
 *
 * Takes:  a route configuration and the authority as one string, port included.
 * Gives:  the host whose domain pattern is the best match, or none.
 * Source: gRFC A27, spec routing 1.2 and 1.3, differences V-a to V-d.
 */
#include "route/virtual_host.h"

/* Where the clients differ. */
static const struct reading {
    bool folds_case;          /* V-b */
    bool empty_wildcard;      /* V-c: "*.a.b" matches ".a.b" */
    bool length_over_class;   /* V-a: among wildcards the longest pattern first */
    bool second_star_matches; /* V-d: "*a*" is a suffix pattern */
    bool invalid_ends_lookup; /* V-d */
} readings[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {true, false, false, true, false},
    [XDS_CLIENT_CORE] = {true, false, false, true, false},
    [XDS_CLIENT_GO] = {false, true, false, true, true},
    [XDS_CLIENT_JAVA] = {true, false, true, false, false},
    [XDS_CLIENT_NODE] = {false, true, false, false, false},
};

const char *xds_domain_class_name(enum xds_domain_class match)
{
    static const char *const names[] = {"exact", "suffix", "prefix", "universe",
                                        "invalid"};
    return names[match];
}

static enum xds_domain_class classify(const struct reading *as, struct xds_slice pattern)
{
    const size_t star = xds_slice_find(pattern, '*');

    if (pattern.len == 0)
        return XDS_DOMAIN_INVALID;
    if (star == pattern.len)
        return XDS_DOMAIN_EXACT;
    if (pattern.len == 1)
        return XDS_DOMAIN_UNIVERSE;

    const bool second =
        xds_slice_find(xds_slice_from(pattern, star + 1), '*') < pattern.len - star - 1;
    if (second && !as->second_star_matches)
        return XDS_DOMAIN_INVALID;
    if (star == 0)
        return XDS_DOMAIN_SUFFIX;
    return pattern.data[pattern.len - 1] == '*' ? XDS_DOMAIN_PREFIX : XDS_DOMAIN_INVALID;
}

static bool same_text(const struct reading *as, struct xds_slice a, struct xds_slice b)
{
    return as->folds_case ? xds_slice_eq_fold(a, b) : xds_slice_eq(a, b);
}

/* `fixed` is the pattern without its star. */
static bool wildcard_matches(const struct reading *as, struct xds_slice fixed,
                             struct xds_slice host, bool at_end)
{
    const size_t need = as->empty_wildcard ? fixed.len : fixed.len + 1;

    if (host.len < need)
        return false;
    const size_t from = at_end ? host.len - fixed.len : 0;
    return same_text(as, fixed, xds_slice_make(host.data + from, fixed.len));
}

static bool matches(const struct reading *as, enum xds_domain_class class,
                    struct xds_slice pattern, struct xds_slice host)
{
    switch (class) {
    case XDS_DOMAIN_EXACT:
        return same_text(as, pattern, host);
    case XDS_DOMAIN_SUFFIX:
        return wildcard_matches(as, xds_slice_from(pattern, 1), host, true);
    case XDS_DOMAIN_PREFIX:
        return wildcard_matches(as, xds_slice_make(pattern.data, pattern.len - 1), host,
                                false);
    case XDS_DOMAIN_UNIVERSE:
        return true;
    case XDS_DOMAIN_INVALID:
        return false;
    }
    return false;
}

static bool is_wildcard(enum xds_domain_class class)
{
    return class == XDS_DOMAIN_SUFFIX || class == XDS_DOMAIN_PREFIX;
}

/* On a tie the earlier one stays. */
static bool beats(const struct reading *as, enum xds_domain_class class,
                  struct xds_slice pattern, const struct xds_virtual_host_choice *best)
{
    if (!best->host)
        return true;
    if (as->length_over_class && is_wildcard(class) && is_wildcard(best->match) &&
        pattern.len != best->domain.len)
        return pattern.len > best->domain.len;
    if (class != best->match)
        return class < best->match;
    return pattern.len > best->domain.len;
}

struct xds_virtual_host_choice
xds_virtual_host_find(const struct xds_route_config *config, enum xds_client client,
                      struct xds_slice authority)
{
    const struct reading *as = &readings[client];
    struct xds_virtual_host_choice best = {.host = NULL};

    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];
        for (size_t d = 0; d < host->n_domains; d++) {
            const struct xds_slice pattern = host->domains[d];
            const enum xds_domain_class class = classify(as, pattern);

            if (class == XDS_DOMAIN_INVALID && as->invalid_ends_lookup)
                return (struct xds_virtual_host_choice){.host = NULL};
            if (matches(as, class, pattern, authority) &&
                beats(as, class, pattern, &best))
                best = (struct xds_virtual_host_choice){i, host, pattern, class};
            if (best.host && best.match == XDS_DOMAIN_EXACT)
                return best;
        }
    }
    return best;
}

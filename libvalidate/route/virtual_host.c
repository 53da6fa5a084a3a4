/*
 * virtual_host.c - turn an authority into the virtual host that serves it.
 *
 * Source: gRFC A27, spec routing 1.2 and 1.3, V-a to V-d,
 *         spec listener S1 to S7.
 */
#include "route/route.h"

static bool reads(uint64_t readings, enum xds_reading reading)
{
    return (readings & XDS_READING_BIT(reading)) != 0;
}

const char *xds_domain_class_name(enum xds_domain_class match)
{
    static const char *const names[] = {"exact", "suffix", "prefix", "universe",
                                        "invalid"};
    return names[match];
}

static enum xds_domain_class classify(uint64_t readings, struct xds_slice pattern)
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
    if (second && reads(readings, XDS_READS_DOMAIN_SECOND_STAR))
        return XDS_DOMAIN_INVALID;
    if (star == 0)
        return XDS_DOMAIN_SUFFIX;
    return pattern.data[pattern.len - 1] == '*' ? XDS_DOMAIN_PREFIX : XDS_DOMAIN_INVALID;
}

static bool same_text(uint64_t readings, struct xds_slice a, struct xds_slice b)
{
    return reads(readings, XDS_READS_DOMAIN_CASE) ? xds_slice_eq(a, b)
                                                  : xds_slice_eq_fold(a, b);
}

/* `fixed` is the pattern without its star. */
static bool wildcard_matches(uint64_t readings, struct xds_slice fixed,
                             struct xds_slice host, bool at_end)
{
    const bool may_be_empty = reads(readings, XDS_READS_DOMAIN_EMPTY_STAR);
    const size_t need = may_be_empty ? fixed.len : fixed.len + 1;

    if (host.len < need)
        return false;
    const size_t from = at_end ? host.len - fixed.len : 0;
    return same_text(readings, fixed, xds_slice_make(host.data + from, fixed.len));
}

static bool matches(uint64_t readings, enum xds_domain_class class,
                    struct xds_slice pattern, struct xds_slice host)
{
    switch (class) {
    case XDS_DOMAIN_EXACT:
        return same_text(readings, pattern, host);
    case XDS_DOMAIN_SUFFIX:
        return wildcard_matches(readings, xds_slice_from(pattern, 1), host, true);
    case XDS_DOMAIN_PREFIX:
        return wildcard_matches(readings, xds_slice_make(pattern.data, pattern.len - 1),
                                host, false);
    case XDS_DOMAIN_UNIVERSE:
        return true;
    case XDS_DOMAIN_INVALID:
        return false;
    }
    return false;
}

/* On a tie the earlier one stays. */
static bool beats(uint64_t readings, enum xds_domain_class class,
                  struct xds_slice pattern, const struct xds_virtual_host_choice *best)
{
    if (!best->host)
        return true;
    if (class != XDS_DOMAIN_EXACT && reads(readings, XDS_READS_DOMAIN_LONGEST_FIRST)) {
        /* java: the longest pattern with a star; of equal ones a later one that begins
         * with it.
         */
        return pattern.len > best->domain.len ||
               (pattern.len == best->domain.len &&
                (class == XDS_DOMAIN_SUFFIX || class == XDS_DOMAIN_UNIVERSE));
    }
    if (class != best->match)
        return class < best->match;
    return pattern.len > best->domain.len;
}

static bool has_dot_at_end(struct xds_slice s)
{
    return s.len == 0 || s.data[0] == '.' || s.data[s.len - 1] == '.';
}

/* Why the look-up ends here, without a host; NULL: it continues. */
static const char *why_it_ends(uint64_t readings, enum xds_domain_class class,
                               struct xds_slice pattern, struct xds_slice authority)
{
    const bool minds_dots = reads(readings, XDS_READS_DOMAIN_DOT_FAILS);

    if (minds_dots && has_dot_at_end(authority))
        return "as the authority begins or ends with a dot or is empty";
    if (minds_dots && has_dot_at_end(pattern))
        return "which begins or ends with a dot or is empty";
    if (class == XDS_DOMAIN_INVALID && reads(readings, XDS_READS_DOMAIN_INVALID_FAILS))
        return "which is invalid";
    return NULL;
}

static struct xds_virtual_host_choice end_at(uint64_t readings,
                                             const struct xds_virtual_host *host,
                                             size_t domain, struct xds_slice authority,
                                             const char *why)
{
    const struct xds_slice pattern = host->domains[domain];
    const bool by_authority = has_dot_at_end(authority);
    struct xds_virtual_host_choice choice = {.ended_at = pattern, .ended_why = why};

    choice.ends_in_panic = reads(readings, XDS_READS_DOMAIN_DOT_FAILS) &&
                           (by_authority || has_dot_at_end(pattern));
    if (choice.ends_in_panic && !by_authority && host->domain_killing)
        choice.killed_by = host->domain_killing[domain].rule;
    return choice;
}

struct xds_virtual_host_choice
xds_virtual_host_find_as(const struct xds_route_config *config, uint64_t readings,
                         struct xds_slice authority)
{
    /* An invalid domain after the best one counts too. */
    const bool goes_on = reads(readings, XDS_READS_DOMAIN_INVALID_FAILS);
    struct xds_virtual_host_choice best = {.host = NULL};

    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];
        for (size_t d = 0; d < host->n_domains; d++) {
            const struct xds_slice pattern = host->domains[d];
            const enum xds_domain_class class = classify(readings, pattern);
            const char *why = why_it_ends(readings, class, pattern, authority);

            if (why)
                return end_at(readings, host, d, authority, why);
            if (matches(readings, class, pattern, authority) &&
                beats(readings, class, pattern, &best))
                best = (struct xds_virtual_host_choice){
                    .index = i, .host = host, .domain = pattern, .match = class};
            if (best.host && best.match == XDS_DOMAIN_EXACT && !goes_on)
                return best;
        }
    }
    return best;
}

bool xds_rejects_host(const struct xds_options *options, enum xds_client client,
                      const struct xds_virtual_host *host)
{
    return host->nacking & XDS_CLIENT_BIT(client) &&
           xds_differs(options, client, XDS_DIFF_HOSTS_APART);
}

struct xds_virtual_host_choice
xds_virtual_host_find(const struct xds_route_config *config,
                      const struct xds_options *options, enum xds_client client,
                      struct xds_slice authority)
{
    uint64_t mask = 0;

    /* Of all readings only those that are asked here: as rows are sorted, they are
     * together. */
    for (unsigned i = XDS_READS_DOMAIN_CASE; i <= XDS_READS_DOMAIN_SECOND_STAR; i++)
        mask |= (uint64_t)xds_reads_as(options, client, (enum xds_reading)i) << i;
    return xds_virtual_host_find_as(config, mask, authority);
}

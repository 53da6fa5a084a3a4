/*
 * guards.c - the environment variables that switch a rule, by the rows that it cites.
 *
 * Takes:  the source column of a rule.
 * Gives:  variables, in the order of the table below.
 * Source: spec listener 12.1 and the guard columns of 1 to 9; spec cluster 0.6 and the
 *         guard columns of 0.4 to 2.3.
 */
#include "catalogue/guards.h"

#include "base/ascii.h"

#define LAST_ROW 999

/* Rows from..to of a section: "RB" has RB1, RB2, ...; "1.9" has 1.9/1, 1.9/2, ... */
static const struct guard {
    const char *section;
    unsigned from, to;
    enum xds_env env;
} guards[] = {
    {"AL", 1, LAST_ROW, XDS_ENV_RBAC_AUDIT_LOGGING},
    {"CO", 1, LAST_ROW, XDS_ENV_COMPOSITE_FILTER},
    {"CP", 1, LAST_ROW, XDS_ENV_RLS_LB},
    {"EA", 1, LAST_ROW, XDS_ENV_EXT_AUTHZ_ON_CLIENT},
    {"EA", 1, LAST_ROW, XDS_ENV_EXT_AUTHZ_ON_SERVER},
    {"EP", 1, LAST_ROW, XDS_ENV_EXT_PROC_ON_CLIENT},
    {"EP", 1, LAST_ROW, XDS_ENV_EXT_PROC_ON_SERVER},
    {"F", 1, LAST_ROW, XDS_ENV_FAULT_INJECTION},
    {"FI", 1, LAST_ROW, XDS_ENV_FAULT_INJECTION},
    {"G", 8, 8, XDS_ENV_FEDERATION},
    {"G", 62, 83, XDS_ENV_COMPOSITE_FILTER},
    {"G", 84, 96, XDS_ENV_EXT_AUTHZ_ON_CLIENT},
    {"G", 84, 96, XDS_ENV_EXT_PROC_ON_CLIENT},
    {"GA", 1, LAST_ROW, XDS_ENV_GCP_AUTHENTICATION_FILTER},
    {"H", 1, LAST_ROW, XDS_ENV_ENABLE_RING_HASH},
    {"P", 1, LAST_ROW, XDS_ENV_FAULT_INJECTION},
    {"RA", 5, 7, XDS_ENV_RLS_LB},
    {"RB", 1, LAST_ROW, XDS_ENV_RBAC},
    {"RP", 1, LAST_ROW, XDS_ENV_ENABLE_RETRY},
    {"SS", 1, LAST_ROW, XDS_ENV_OVERRIDE_HOST},
    {"T", 11, 11, XDS_ENV_SYSTEM_ROOT_CERTS},
    {"V", 8, 8, XDS_ENV_ENABLE_RETRY},
    {"0.4", 7, 7, XDS_ENV_FEDERATION},
    {"1.5", 2, 7, XDS_ENV_ENABLE_RING_HASH},
    {"1.5", 8, 11, XDS_ENV_ENABLE_LEAST_REQUEST},
    {"1.6", 1, LAST_ROW, XDS_ENV_CUSTOM_LB_CONFIG},
    {"1.6.1", 11, 16, XDS_ENV_WRR_LB},
    {"1.6.1", 17, 17, XDS_ENV_WRR_CUSTOM_METRICS},
    {"1.6.1", 22, 22, XDS_ENV_PICKFIRST_LB_CONFIG},
    {"1.7", 11, 11, XDS_ENV_RING_HASH_SET_REQUEST_HASH_KEY},
    {"1.7", 18, 18, XDS_ENV_WRR_CUSTOM_METRICS},
    {"1.8", 8, 10, XDS_ENV_XDS_CONNECTION_SCALING},
    {"1.9", 1, LAST_ROW, XDS_ENV_OUTLIER_DETECTION},
    {"1.13", 6, 11, XDS_ENV_HTTP_CONNECT},
    {"1.14", 4, 7, XDS_ENV_SNI},
    {"1.16", 2, 2, XDS_ENV_SYSTEM_ROOT_CERTS},
    {"1.18", 1, 3, XDS_ENV_GCP_AUTHENTICATION_FILTER},
    {"1.18", 4, 4, XDS_ENV_HTTP_CONNECT},
    {"2.1", 12, 12, XDS_ENV_HTTP_CONNECT},
    {"2.1", 13, 13, XDS_ENV_ENDPOINT_FALLBACK},
    {"2.2", 16, 17, XDS_ENV_DUALSTACK_ENDPOINTS},
    {"2.2", 21, 24, XDS_ENV_HTTP_CONNECT},
    {"2.2", 21, 23, XDS_ENV_ENDPOINT_HASH_KEY_BACKWARD_COMPAT},
};

/* The number that ends a row: "RB12", "1.9/3", "H4b". 0 when it has none. */
static unsigned number_of(struct xds_slice row)
{
    unsigned number = 0;

    for (size_t i = 0; i < row.len && xds_ascii_digit(row.data[i]) && i < 4; i++)
        number = number * 10 + (unsigned)(row.data[i] - '0');
    return number;
}

static bool is_row_of(struct xds_slice row, const struct guard *guard)
{
    const struct xds_slice section = xds_slice_of(guard->section);

    if (!xds_slice_starts(row, section))
        return false;
    row = xds_slice_from(row, section.len);
    if (row.len > 0 && row.data[0] == '/')
        row = xds_slice_from(row, 1);
    else if (xds_ascii_digit(section.data[0]))
        return false;
    const unsigned number = number_of(row);

    return number >= guard->from && number <= guard->to;
}

/* The rows are the last words of the parts of a source: "gRFC A50, spec cluster 1.9/2".
 */
static bool cites_row_of(const char *source, const struct guard *guard)
{
    struct xds_slice rest = xds_slice_of(source), part;

    while (rest.data) {
        rest = xds_slice_cut(rest, ',', &part);
        for (size_t i = part.len; i-- > 0;) {
            if (part.data[i] != ' ')
                continue;
            part = xds_slice_from(part, i + 1);
            break;
        }
        if (is_row_of(part, guard))
            return true;
    }
    return false;
}

static bool told_already(const char *source, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (guards[k].env == guards[i].env && cites_row_of(source, &guards[k]))
            return true;
    return false;
}

bool xds_rule_guard(const struct xds_rule *rule, size_t *i, enum xds_env *env)
{
    while (*i < XDS_ARRAY_LEN(guards)) {
        const size_t at = (*i)++;

        if (!cites_row_of(rule->source, &guards[at]) || told_already(rule->source, at))
            continue;
        *env = guards[at].env;
        return true;
    }
    return false;
}

unsigned xds_env_readers(enum xds_env env)
{
    struct xds_options off, on;

    xds_options_init(&off);
    xds_options_init(&on);
    off.env_set[env] = 1;
    on.env_set[env] = 2;
    return xds_env_mask(&off, env) ^ xds_env_mask(&on, env);
}

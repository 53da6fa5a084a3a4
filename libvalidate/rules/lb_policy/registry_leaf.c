/*
 * registry_leaf.c - what the policies that pick endpoints ask of their JSON.
 *
 * Takes:  nothing; these are tables, and the checks that no row of them can say.
 * Gives:  schemas for core, go and java, and where the names are the same for node.
 * Source: spec cluster 1.7; gRFC A42, A48, A58, A62, A76, A114.
 */
#include <float.h>

#include "rules/lb_policy/lb_policy.h"
#include "rules/lb_policy/registry_schema.h"

#define RING_SIZES "must be in the range [1, 8388608]"

/* ---- pick_first -------------------------------------------------------------------- */

static const struct xds_lb_field pick_first_fields[] = {
    {.name = "shuffleAddressList", .kind = XDS_LB_FIELD_BOOL, .readers = XDS_ALL_CLIENTS},
};
const struct xds_lb_schema xds_lb_schema_pick_first = {XDS_LB_FIELDS(pick_first_fields)};

/* ---- ring_hash_experimental -------------------------------------------------------- */

static const struct xds_lb_field ring_hash_fields[] = {
    {.name = "minRingSize", .kind = XDS_LB_FIELD_UINT64, .readers = C_GO_JAVA},
    {.name = "maxRingSize", .kind = XDS_LB_FIELD_UINT64, .readers = C_GO_JAVA},
    {.name = "requestHashHeader",
     .kind = XDS_LB_FIELD_STRING,
     .readers = C_GO_JAVA,
     .guarded = true,
     .guard = XDS_ENV_RING_HASH_SET_REQUEST_HASH_KEY},
};

/* To go 0 is unset, java cuts what is too large. */
static const struct xds_lb_bound ring_hash_bounds[] = {
    {"minRingSize", NULL, C_ONLY, 1, XDS_RING_SIZE_MAX, RING_SIZES},
    {"maxRingSize", NULL, C_ONLY, 1, XDS_RING_SIZE_MAX, RING_SIZES},
    {"minRingSize", NULL, XDS_GO, 0, XDS_RING_SIZE_MAX, RING_SIZES},
    {"maxRingSize", NULL, XDS_GO, 0, XDS_RING_SIZE_MAX, RING_SIZES},
    {"minRingSize", NULL, XDS_JAVA, 1, DBL_MAX, RING_SIZES},
    {"maxRingSize", NULL, XDS_JAVA, 1, DBL_MAX, RING_SIZES},
};

/* A size as the client goes on with it: the default for one it could not read. */
static double ring_size(const struct xds_lb_scope *scope, const struct xds_tree *config,
                        const char *key, double unset)
{
    const struct xds_tree *value = xds_lb_member(scope, config, key);
    double size;

    if (!value || xds_lb_number(scope->judge, XDS_LB_FIELD_UINT64, value, &size))
        return unset;
    if (size <= 0 && xds_lb_judged_by(scope, XDS_GO))
        return unset;
    return size > XDS_RING_SIZE_CAP && xds_lb_judged_by(scope, XDS_JAVA)
               ? XDS_RING_SIZE_CAP
               : size;
}

static bool is_header_name(struct xds_slice name)
{
    static const char others[] = "0123456789-_.";

    for (size_t i = 0; i < name.len; i++) {
        const unsigned char c = (unsigned char)name.data[i];
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

        if (!is_letter && (c == '\0' || !strchr(others, c)))
            return false;
    }
    return !xds_slice_ends(name, XDS_S("-bin"));
}

/* go alone looks at the name, once it has turned it into lower case. */
static void check_hash_header(struct xds_lb_scope *scope, const struct xds_path *at,
                              const struct xds_tree *config)
{
    const struct xds_tree *header = xds_lb_member(scope, config, "requestHashHeader");
    const struct xds_lb_judge *judge = scope->judge;

    if (header && header->kind == XDS_TREE_STRING && xds_lb_judged_by(scope, XDS_GO) &&
        xds_env_on(judge->options, XDS_ENV_RING_HASH_SET_REQUEST_HASH_KEY,
                   judge->client) &&
        !is_header_name(header->text))
        xds_lb_fault(scope, XDS_AT(at, "requestHashHeader"),
                     xds_lb_quoted(scope, "invalid header name", header->text));
}

static void check_ring_hash(struct xds_lb_scope *scope, const struct xds_path *at,
                            const struct xds_tree *config)
{
    if (ring_size(scope, config, "minRingSize", XDS_RING_SIZE_MIN_DEFAULT) >
        ring_size(scope, config, "maxRingSize", XDS_RING_SIZE_CAP))
        xds_lb_fault(scope, at, XDS_S("maxRingSize cannot be smaller than minRingSize"));
    check_hash_header(scope, at, config);
}

const struct xds_lb_schema xds_lb_schema_ring_hash = {XDS_LB_FIELDS(ring_hash_fields),
                                                      XDS_LB_BOUNDS(ring_hash_bounds),
                                                      .check = check_ring_hash};

/* ---- weighted_round_robin ---------------------------------------------------------- */

static const struct xds_lb_field wrr_fields[] = {
    {.name = "enableOobLoadReport", .kind = XDS_LB_FIELD_BOOL, .readers = C_GO_JAVA},
    {.name = "oobReportingPeriod", .kind = XDS_LB_FIELD_DURATION, .readers = C_GO_JAVA},
    {.name = "blackoutPeriod", .kind = XDS_LB_FIELD_DURATION, .readers = C_GO_JAVA},
    {.name = "weightUpdatePeriod", .kind = XDS_LB_FIELD_DURATION, .readers = C_GO_JAVA},
    {.name = "weightExpirationPeriod",
     .kind = XDS_LB_FIELD_DURATION,
     .readers = C_GO_JAVA},
    {.name = "errorUtilizationPenalty", .kind = XDS_LB_FIELD_FLOAT, .readers = C_GO_JAVA},
    {.name = "metricNamesForComputingUtilization",
     .kind = XDS_LB_FIELD_STRINGS,
     .readers = C_ONLY | XDS_JAVA,
     .guarded = true,
     .guard = XDS_ENV_WRR_CUSTOM_METRICS},
    {.name = "enable_oob_load_report", .kind = XDS_LB_FIELD_BOOL, .readers = XDS_NODE},
    {.name = "oob_load_reporting_period",
     .kind = XDS_LB_FIELD_DURATION,
     .readers = XDS_NODE},
    {.name = "blackout_period", .kind = XDS_LB_FIELD_DURATION, .readers = XDS_NODE},
    {.name = "weight_update_period", .kind = XDS_LB_FIELD_DURATION, .readers = XDS_NODE},
    {.name = "weight_expiration_period",
     .kind = XDS_LB_FIELD_DURATION,
     .readers = XDS_NODE},
    {.name = "error_utilization_penalty",
     .kind = XDS_LB_FIELD_FLOAT,
     .readers = XDS_NODE},
};
static const struct xds_lb_bound wrr_bounds[] = {
    {"errorUtilizationPenalty", NULL, C_GO, 0, DBL_MAX, "must be non-negative"},
    {"error_utilization_penalty", NULL, XDS_NODE, 0, DBL_MAX, "must be non-negative"},
};

static bool is_known_metric(struct xds_slice name)
{
    static const char *const whole[] = {"cpu_utilization", "mem_utilization",
                                        "application_utilization"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(whole); i++)
        if (xds_slice_is(name, whole[i]))
            return true;
    return xds_slice_starts(name, XDS_S("named_metrics.")) ||
           xds_slice_starts(name, XDS_S("utilization."));
}

/* java passes over what it does not know. */
static void check_wrr(struct xds_lb_scope *scope, const struct xds_path *at,
                      const struct xds_tree *config)
{
    static const char key[] = "metricNamesForComputingUtilization";
    const struct xds_tree *names = xds_lb_member(scope, config, key);
    const struct xds_lb_judge *judge = scope->judge;

    if (!names || names->kind != XDS_TREE_ARRAY || !xds_lb_judged_by(scope, C_ONLY) ||
        !xds_env_on(judge->options, XDS_ENV_WRR_CUSTOM_METRICS, judge->client))
        return;
    for (size_t i = 0; i < names->n; i++)
        if (names->items[i].kind == XDS_TREE_STRING &&
            !is_known_metric(names->items[i].text))
            xds_lb_fault(
                scope, XDS_AT_I(at, key, i),
                xds_lb_quoted(scope, "unsupported metric name", names->items[i].text));
}

const struct xds_lb_schema xds_lb_schema_weighted_round_robin = {
    XDS_LB_FIELDS(wrr_fields), XDS_LB_BOUNDS(wrr_bounds), .check = check_wrr};

/* ---- least_request_experimental ---------------------- */

static const struct xds_lb_field least_request_fields[] = {
    {.name = "choiceCount", .kind = XDS_LB_FIELD_UINT32, .readers = GO_JAVA},
};
static const struct xds_lb_bound least_request_bounds[] = {
    {"choiceCount", NULL, GO_JAVA, 2, DBL_MAX, "must be at least 2"},
};
const struct xds_lb_schema xds_lb_schema_least_request = {
    XDS_LB_FIELDS(least_request_fields), XDS_LB_BOUNDS(least_request_bounds)};

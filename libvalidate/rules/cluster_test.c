/* cluster_test.c - the model of clusters and endpoints, which no case file shows. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rules/inner.h"
#include "rules/kit_test.h"

#define DISCOVERY(type) ENVOY__CONFIG__CLUSTER__V3__CLUSTER__DISCOVERY_TYPE__##type
#define CASE_OF(arm) ENVOY__CONFIG__CLUSTER__V3__CLUSTER__CLUSTER_DISCOVERY_TYPE_##arm

/* protobuf-c's strings are not const, and no one writes to them. */
static char *text(const char *literal)
{
    return (char *)(uintptr_t)literal;
}

struct eds {
    pb_cluster cluster;
    pb_cluster_eds_cluster_config config;
    pb_config_source source;
};

static void eds_init(struct eds *eds)
{
    envoy__config__cluster__v3__cluster__init(&eds->cluster);
    envoy__config__cluster__v3__cluster__eds_cluster_config__init(&eds->config);
    envoy__config__core__v3__config_source__init(&eds->source);
    eds->source.config_source_specifier_case =
        ENVOY__CONFIG__CORE__V3__CONFIG_SOURCE__CONFIG_SOURCE_SPECIFIER_SELF;
    eds->config.eds_config = &eds->source;
    eds->cluster.name = text("c");
    eds->cluster.cluster_discovery_type_case = CASE_OF(TYPE);
    eds->cluster.type = DISCOVERY(EDS);
    eds->cluster.eds_cluster_config = &eds->config;
}

Test(cluster, what_is_not_set_has_the_defaults_of_the_documents)
{
    struct kit *kit = kit_new();
    struct xds_cluster out;
    struct eds eds;

    eds_init(&eds);
    cr_assert(xds_cluster_read(&kit->ctx, &eds.cluster, &out));
    cr_expect_str_eq(kit_findings(kit), "");
    cr_expect_eq(out.kind, XDS_CLUSTER_EDS);
    cr_expect(xds_slice_is(out.eds_name, "c"));
    cr_expect_eq(out.max_requests[XDS_CLIENT_CORE], 1024);
    cr_expect_eq(out.idle_timeout_seconds, 3600);
    cr_expect_eq(out.override_host_status,
                 XDS_HEALTH_BIT(XDS_HEALTH_UNKNOWN) | XDS_HEALTH_BIT(XDS_HEALTH_HEALTHY));
    cr_expect_eq(out.lb.kind, XDS_LB_ROUND_ROBIN);
    cr_expect(out.lb.wrr_locality);
    cr_expect_null(out.outlier_detection);
    kit_free(kit);
}

Test(cluster, an_override_host_status_of_unusable_states_is_the_empty_set)
{
    Envoy__Config__Core__V3__HealthStatus states[] = {
        ENVOY__CONFIG__CORE__V3__HEALTH_STATUS__UNHEALTHY, 77};
    pb_health_status_set set;
    pb_cluster_common_lb_config common;
    struct kit *kit = kit_new();
    struct xds_cluster out;
    struct eds eds;

    eds_init(&eds);
    envoy__config__core__v3__health_status_set__init(&set);
    envoy__config__cluster__v3__cluster__common_lb_config__init(&common);
    set.n_statuses = XDS_ARRAY_LEN(states);
    set.statuses = states;
    common.override_host_status = &set;
    eds.cluster.common_lb_config = &common;
    cr_assert(xds_cluster_read(&kit->ctx, &eds.cluster, &out));
    cr_expect_eq(out.override_host_status, 0);
    kit_free(kit);
}

Test(cluster, the_first_threshold_of_default_priority_decides)
{
    pb_u_int32_value one = GOOGLE__PROTOBUF__UINT32_VALUE__INIT;
    pb_circuit_breakers breakers = ENVOY__CONFIG__CLUSTER__V3__CIRCUIT_BREAKERS__INIT;
    pb_circuit_breakers_thresholds high, first, second;
    pb_circuit_breakers_thresholds *list[] = {&high, &first, &second};
    struct kit *kit = kit_new();
    struct xds_cluster out;
    struct eds eds;

    eds_init(&eds);
    one.value = 1;
    for (size_t i = 0; i < XDS_ARRAY_LEN(list); i++)
        envoy__config__cluster__v3__circuit_breakers__thresholds__init(list[i]);
    high.priority = ENVOY__CONFIG__CORE__V3__ROUTING_PRIORITY__HIGH;
    high.max_requests = second.max_requests = &one;
    breakers.n_thresholds = XDS_ARRAY_LEN(list);
    breakers.thresholds = list;
    eds.cluster.circuit_breakers = &breakers;
    cr_assert(xds_cluster_read(&kit->ctx, &eds.cluster, &out));
    cr_expect_eq(out.max_requests[XDS_CLIENT_CORE], 1024, "first lacks max_requests");
    cr_expect_eq(out.max_requests[XDS_CLIENT_JAVA], 1, "the last that has it");
    cr_expect_eq(out.max_requests[XDS_CLIENT_NODE], 1, "the last one");
    kit_free(kit);
}

/* ---- durations that text cannot write ---- */

/* The parts that go out of range one by one, with what is said of them as a period of
 * weighted_round_robin, where java takes a negative duration, and as a time of outlier
 * detection. */
static const struct time_row {
    int64_t seconds;
    int32_t nanos;
    const char *period, *time;
} times[] = {
    {0, 0, "", ""},
    {1, 999999999, "", ""},
    {1, 1000000000, "AAANA", "NNNNN"},
    {0, -1, "", "NNNNN"},
    {0, -1000000000, "AAANA", "NNNNN"},
    {1, -1, "AAANA", "NNNNN"},
    {-1, 1, "AAANA", "NNNNN"},
    {-1, -1, "", "NNNNN"},
    {315576000001, 0, "AAANA", "NNNNN"},
    {-315576000001, 0, "AAANA", "NNNNN"},
};

/* The verdicts on the line of a rule, "" when it is not there. */
static const char *verdicts_of(struct kit *kit, const char *slug, char out[8])
{
    const char *line = strstr(kit_findings(kit), slug);

    snprintf(out, 8, "%.5s", line ? line + strlen(slug) + 1 : "");
    return out;
}

static pb_duration duration_of(const struct time_row *row)
{
    pb_duration pb;

    google__protobuf__duration__init(&pb);
    pb.seconds = row->seconds;
    pb.nanos = row->nanos;
    return pb;
}

Test(cluster, outlier_detection_takes_no_time_that_is_out_of_range)
{
    for (const struct time_row *r = times; r < times + XDS_ARRAY_LEN(times); r++) {
        pb_outlier_detection detection;
        pb_duration interval = duration_of(r);
        struct kit *kit = kit_new();
        struct xds_cluster out;
        struct eds eds;
        char got[8];

        eds_init(&eds);
        envoy__config__cluster__v3__outlier_detection__init(&detection);
        detection.interval = &interval;
        eds.cluster.outlier_detection = &detection;
        (void)xds_cluster_read(&kit->ctx, &eds.cluster, &out);
        cr_expect_str_eq(verdicts_of(kit, "outlier-detection-time", got), r->time,
                         "%" PRId64 " s %d ns", r->seconds, r->nanos);
        kit_free(kit);
    }
}

Test(cluster, java_rejects_a_period_only_where_it_is_not_a_valid_duration)
{
    for (const struct time_row *r = times; r < times + XDS_ARRAY_LEN(times); r++) {
        pb_client_side_weighted_round_robin wrr;
        pb_load_balancing_policy policy;
        pb_load_balancing_policy_policy entry, *entries[] = {&entry};
        pb_typed_extension_config config;
        pb_duration period = duration_of(r);
        struct kit *kit = kit_new();
        struct xds_cluster out;
        struct eds eds;
        char got[8];

        eds_init(&eds);
        envoy__extensions__load_balancing_policies__client_side_weighted_round_robin__v3__client_side_weighted_round_robin__init(
            &wrr);
        envoy__config__cluster__v3__load_balancing_policy__init(&policy);
        envoy__config__cluster__v3__load_balancing_policy__policy__init(&entry);
        envoy__config__core__v3__typed_extension_config__init(&config);
        wrr.blackout_period = &period;
        config.typed_config = kit_any(kit, &wrr.base);
        entry.typed_extension_config = &config;
        policy.n_policies = 1;
        policy.policies = entries;
        eds.cluster.load_balancing_policy = &policy;
        (void)xds_cluster_read(&kit->ctx, &eds.cluster, &out);
        cr_expect_str_eq(verdicts_of(kit, "weighted-round-robin-period", got), r->period,
                         "%" PRId64 " s %d ns", r->seconds, r->nanos);
        kit_free(kit);
    }
}

/* ---- endpoints ---- */

struct host {
    pb_lb_endpoint lb;
    pb_endpoint endpoint;
    pb_address address;
    pb_socket_address socket;
};

static void host_init(struct host *host, const char *address, unsigned health)
{
    envoy__config__endpoint__v3__lb_endpoint__init(&host->lb);
    envoy__config__endpoint__v3__endpoint__init(&host->endpoint);
    envoy__config__core__v3__address__init(&host->address);
    envoy__config__core__v3__socket_address__init(&host->socket);
    host->socket.address = text(address);
    host->socket.port_specifier_case =
        ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PORT_SPECIFIER_PORT_VALUE;
    host->socket.port_value = 80;
    host->address.address_case = ENVOY__CONFIG__CORE__V3__ADDRESS__ADDRESS_SOCKET_ADDRESS;
    host->address.socket_address = &host->socket;
    host->endpoint.address = &host->address;
    host->lb.host_identifier_case =
        ENVOY__CONFIG__ENDPOINT__V3__LB_ENDPOINT__HOST_IDENTIFIER_ENDPOINT;
    host->lb.endpoint = &host->endpoint;
    host->lb.health_status = (Envoy__Config__Core__V3__HealthStatus)health;
}

struct assignment {
    pb_cluster_load_assignment pb;
    pb_locality_lb_endpoints locality, *localities[1];
    pb_locality names;
    pb_u_int32_value weight;
    struct host hosts[3];
    pb_lb_endpoint *endpoints[3];
};

static void assignment_init(struct assignment *a, uint32_t weight)
{
    envoy__config__endpoint__v3__cluster_load_assignment__init(&a->pb);
    a->pb.cluster_name = text("c");
    envoy__config__endpoint__v3__locality_lb_endpoints__init(&a->locality);
    envoy__config__core__v3__locality__init(&a->names);
    google__protobuf__uint32_value__init(&a->weight);
    host_init(&a->hosts[0], "10.0.0.1", XDS_HEALTH_HEALTHY);
    host_init(&a->hosts[1], "no.ip", XDS_HEALTH_UNHEALTHY);
    host_init(&a->hosts[2], "0:0::1", 99);
    for (size_t i = 0; i < XDS_ARRAY_LEN(a->hosts); i++)
        a->endpoints[i] = &a->hosts[i].lb;
    a->weight.value = weight;
    a->locality.load_balancing_weight = &a->weight;
    a->locality.locality = &a->names;
    a->locality.n_lb_endpoints = XDS_ARRAY_LEN(a->endpoints);
    a->locality.lb_endpoints = a->endpoints;
    a->localities[0] = &a->locality;
    a->pb.n_endpoints = 1;
    a->pb.endpoints = a->localities;
}

Test(endpoints, all_endpoints_stay_in_place_whatever_their_health)
{
    struct kit *kit = kit_new();
    struct xds_endpoints out;
    struct assignment a;

    assignment_init(&a, 7);
    cr_assert(xds_endpoints_read(&kit->ctx, &a.pb, &out));
    cr_assert_eq(out.n_localities, 1);
    cr_expect_eq(out.n_priorities, 1);
    cr_expect_eq(out.localities[0].weight, 7);
    cr_assert_eq(out.localities[0].n_endpoints, 3);

    const struct xds_endpoint *e = out.localities[0].endpoints;

    cr_expect(xds_slice_is(e[0].addresses[0], "10.0.0.1:80"));
    cr_expect_eq(e[0].weight, 1);
    cr_expect(xds_slice_is(e[1].addresses[0], "no.ip:80"));
    cr_expect(xds_slice_is(e[2].addresses[0], "[::1]:80"));
    cr_expect_eq(e[2].health, XDS_HEALTH_UNHEALTHY, "a state from the future");
    cr_expect_str_eq(kit_findings(kit), "endpoints[0].lb_endpoints[1].endpoint.address."
                                        "socket_address address-not-ip AAANN");
    kit_free(kit);
}

Test(endpoints, a_locality_without_weight_is_not_in_the_model_but_node_reads_it)
{
    struct kit *kit = kit_new();
    struct xds_endpoints out;
    struct assignment a;

    assignment_init(&a, 0);
    cr_assert(xds_endpoints_read(&kit->ctx, &a.pb, &out));
    cr_expect_eq(out.n_localities, 0);
    cr_expect_eq(out.n_priorities, 0);
    cr_expect_str_eq(kit_findings(kit), "endpoints[0].lb_endpoints[1].endpoint.address."
                                        "socket_address address-not-ip AAAAN");
    kit_free(kit);
}

Test(endpoints, a_locality_that_core_drops_leaves_a_gap_for_core_alone)
{
    struct kit *kit = kit_new();
    struct xds_endpoints out;
    struct assignment a;

    assignment_init(&a, 1);
    a.locality.n_lb_endpoints = 1;
    a.locality.locality = NULL;
    a.locality.priority = 1;
    cr_assert(xds_endpoints_read(&kit->ctx, &a.pb, &out));
    cr_expect_str_eq(kit_findings(kit), "endpoints[0].locality locality-absent NNNAN\n"
                                        "endpoints priority-gap AANNN");
    kit_free(kit);
}

/* metadata.filter_metadata["envoy.lb"].hash_key */
struct lb_metadata {
    pb_metadata pb;
    Envoy__Config__Core__V3__Metadata__FilterMetadataEntry entry, *entries[1];
    pb_struct lb;
    Google__Protobuf__Struct__FieldsEntry field, *fields[1];
    pb_value value;
};

static void lb_metadata_init(struct lb_metadata *m, const char *key)
{
    envoy__config__core__v3__metadata__init(&m->pb);
    envoy__config__core__v3__metadata__filter_metadata_entry__init(&m->entry);
    google__protobuf__struct__init(&m->lb);
    google__protobuf__struct__fields_entry__init(&m->field);
    google__protobuf__value__init(&m->value);
    m->value.kind_case = GOOGLE__PROTOBUF__VALUE__KIND_STRING_VALUE;
    m->value.string_value = text("shard-7");
    m->field.key = text("hash_key");
    m->field.value = &m->value;
    m->fields[0] = &m->field;
    m->lb.n_fields = 1;
    m->lb.fields = m->fields;
    m->entry.key = text(key);
    m->entry.value = &m->lb;
    m->entries[0] = &m->entry;
    m->pb.n_filter_metadata = 1;
    m->pb.filter_metadata = m->entries;
}

static struct xds_slice hash_key_of(struct kit *kit, pb_metadata *metadata)
{
    struct xds_endpoints out;
    struct assignment a;

    assignment_init(&a, 1);
    a.locality.n_lb_endpoints = 1;
    a.locality.lb_endpoints[0]->metadata = metadata;
    cr_assert(xds_endpoints_read(&kit->ctx, &a.pb, &out));
    return out.localities[0].endpoints[0].hash_key;
}

Test(endpoints, the_hash_key_is_a_string_in_the_metadata_of_envoy_lb)
{
    struct kit *kit = kit_new();
    struct lb_metadata m;

    lb_metadata_init(&m, "envoy.lb");
    cr_expect(xds_slice_is(hash_key_of(kit, &m.pb), "shard-7"));
    m.value.kind_case = GOOGLE__PROTOBUF__VALUE__KIND_NULL_VALUE;
    cr_expect_eq(hash_key_of(kit, &m.pb).len, 0);
    lb_metadata_init(&m, "envoy.lb");
    m.field.key = text("hash");
    cr_expect_eq(hash_key_of(kit, &m.pb).len, 0);
    lb_metadata_init(&m, "other");
    cr_expect_eq(hash_key_of(kit, &m.pb).len, 0);
    kit_free(kit);
}

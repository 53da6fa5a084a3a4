/*
 * lists.c - which repeated fields have an order, and what tells their items apart.
 *
 * Source: gRFC A27, A28 (virtual hosts, domains, routes), A42, A39 (filters), A60 (sets
 * of health states); the comments of the .proto files.
 */
#include "diff/lists.h"

#include "decode/field.h"
#include "decode/pb.h"

#include <string.h>

#include "base/slice.h"

static const struct xds_list_rule rules[] = {
    {&envoy__config__route__v3__route_configuration__descriptor,
     "virtual_hosts",
     XDS_LIST_KEYED,
     {"name"},
     NULL},
    {&envoy__config__route__v3__route_configuration__descriptor,
     "cluster_specifier_plugins",
     XDS_LIST_KEYED,
     {"extension.name"},
     NULL},
    {&envoy__config__route__v3__virtual_host__descriptor,
     "domains",
     XDS_LIST_SET,
     {NULL},
     NULL},
    {&envoy__config__route__v3__virtual_host__descriptor,
     "routes",
     XDS_LIST_ORDERED,
     {"name", "match"},
     "route"},
    {&envoy__config__route__v3__route_match__descriptor,
     "headers",
     XDS_LIST_KEYED,
     {"name"},
     NULL},
    {&envoy__config__route__v3__weighted_cluster__descriptor,
     "clusters",
     XDS_LIST_KEYED,
     {"name"},
     NULL},
    {&envoy__config__endpoint__v3__cluster_load_assignment__descriptor,
     "endpoints",
     XDS_LIST_KEYED,
     {"locality,priority"},
     NULL},
    {&envoy__config__endpoint__v3__cluster_load_assignment__policy__descriptor,
     "drop_overloads",
     XDS_LIST_KEYED,
     {"category"},
     NULL},
    {&envoy__config__endpoint__v3__locality_lb_endpoints__descriptor,
     "lb_endpoints",
     XDS_LIST_KEYED,
     {"endpoint.address,endpoint_name"},
     NULL},
    {&envoy__config__cluster__v3__circuit_breakers__descriptor,
     "thresholds",
     XDS_LIST_KEYED,
     {"priority"},
     NULL},
    {&envoy__config__core__v3__health_status_set__descriptor,
     "statuses",
     XDS_LIST_SET,
     {NULL},
     NULL},
    {&envoy__extensions__filters__network__http_connection_manager__v3__http_connection_manager__descriptor,
     "http_filters",
     XDS_LIST_ORDERED,
     {"name"},
     NULL},
};

static const struct xds_list_rule map = {
    NULL, NULL, XDS_LIST_KEYED, {"key"}, NULL,
};
static const struct xds_list_rule plain = {
    NULL, NULL, XDS_LIST_ORDERED, {NULL}, NULL,
};

const struct xds_list_rule *xds_list_rule_of(const ProtobufCMessageDescriptor *message,
                                             const ProtobufCFieldDescriptor *field)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rules); i++)
        if (rules[i].message == message && strcmp(rules[i].field, field->name) == 0)
            return &rules[i];
    return xds_field_is_map(field) ? &map : &plain;
}

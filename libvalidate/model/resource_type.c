/*
 * resource_type.c - the four types of resources that gRPC reads, and their names.
 */
#include "model/resource_type.h"

struct xds_slice xds_any_type_name(struct xds_slice type_url)
{
    size_t at = type_url.len;

    while (at > 0 && type_url.data[at - 1] != '/')
        at--;
    return xds_slice_from(type_url, at);
}

static const struct resource_type {
    const char *short_name, *full_name;
} resource_types[] = {
    [XDS_TYPE_UNKNOWN] = {"", ""},
    [XDS_TYPE_LISTENER] = {"listener", "envoy.config.listener.v3.Listener"},
    [XDS_TYPE_ROUTE] = {"route", "envoy.config.route.v3.RouteConfiguration"},
    [XDS_TYPE_CLUSTER] = {"cluster", "envoy.config.cluster.v3.Cluster"},
    [XDS_TYPE_ENDPOINT] = {"endpoint", "envoy.config.endpoint.v3.ClusterLoadAssignment"},
};

enum xds_resource_type xds_resource_type_of(struct xds_slice full_name)
{
    for (size_t i = XDS_TYPE_LISTENER; i < XDS_ARRAY_LEN(resource_types); i++)
        if (xds_slice_is(full_name, resource_types[i].full_name))
            return (enum xds_resource_type)i;
    return XDS_TYPE_UNKNOWN;
}

const char *xds_resource_type_name(enum xds_resource_type type)
{
    return resource_types[type].full_name;
}

enum xds_resource_type xds_resource_type_from_name(struct xds_slice name)
{
    const enum xds_resource_type full = xds_resource_type_of(name); /* nearly always */

    if (full != XDS_TYPE_UNKNOWN)
        return full;
    for (size_t i = XDS_TYPE_LISTENER; i < XDS_ARRAY_LEN(resource_types); i++)
        if (xds_slice_is(name, resource_types[i].short_name))
            return (enum xds_resource_type)i;
    return xds_resource_type_of(xds_any_type_name(name));
}

/*
 * cluster_dns.c - what makes a Cluster of type LOGICAL_DNS.
 *
 * Takes:  the whole Cluster; only load_assignment is looked at, and what that says
 *         besides the one address it must hold is reported as not read.
 * Gives:  kind and dns_name ("host:port") of the model.
 * Fires:  the CLUSTER_DNS_ rows of cluster.def.
 * Source: spec cluster 1.3; gRFC A37.
 */
#include "decode/field.h"
#include "rules/address.h"
#include "rules/cluster_readers.h"

#define PORT(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PORT_SPECIFIER_##arm
#define ADDRESS(arm) ENVOY__CONFIG__CORE__V3__ADDRESS__ADDRESS_##arm
#define HOST(arm) ENVOY__CONFIG__ENDPOINT__V3__LB_ENDPOINT__HOST_IDENTIFIER_##arm

static const pb_lb_endpoint *only_endpoint(struct xds_ctx *ctx,
                                           const pb_cluster_load_assignment *pb)
{
    const struct xds_path *at = XDS_AT(NULL, "load_assignment");

    if (!pb) {
        xds_fire(ctx, at, XDS_R_CLUSTER_DNS_ASSIGNMENT,
                 "field not present for LOGICAL_DNS cluster");
        return NULL;
    }
    if (pb->n_endpoints != 1) {
        xds_fire(ctx, XDS_AT(at, "endpoints"), XDS_R_CLUSTER_DNS_LOCALITIES,
                 "must contain exactly one locality for LOGICAL_DNS cluster, found %zu",
                 pb->n_endpoints);
        return NULL;
    }
    if (pb->endpoints[0]->n_lb_endpoints != 1) {
        xds_fire(ctx, XDS_AT(XDS_AT_I(at, "endpoints", 0), "lb_endpoints"),
                 XDS_R_CLUSTER_DNS_ENDPOINTS,
                 "must contain exactly one endpoint for LOGICAL_DNS cluster, found %zu",
                 pb->endpoints[0]->n_lb_endpoints);
        return NULL;
    }
    return pb->endpoints[0]->lb_endpoints[0];
}

/* NULL, and *absent is the path of what is missing. */
static const pb_socket_address *socket_address(const pb_lb_endpoint *pb,
                                               const char **absent)
{
    *absent = "endpoint";
    if (pb->host_identifier_case != HOST(ENDPOINT))
        return NULL;
    *absent = "endpoint.address";
    if (!pb->endpoint->address)
        return NULL;
    *absent = "endpoint.address.socket_address";
    return pb->endpoint->address->address_case == ADDRESS(SOCKET_ADDRESS)
               ? pb->endpoint->address->socket_address
               : NULL;
}

static void check_socket_address(struct xds_ctx *ctx, const struct xds_path *at,
                                 const pb_socket_address *pb)
{
    const struct xds_path *port_at = XDS_AT(at, "port_value");

    if (*pb->resolver_name)
        xds_fire(ctx, XDS_AT(at, "resolver_name"), XDS_R_CLUSTER_DNS_RESOLVER,
                 "LOGICAL_DNS clusters must NOT have a custom resolver name set");
    if (!*pb->address)
        xds_fire(ctx, XDS_AT(at, "address"), XDS_R_CLUSTER_DNS_HOST, "field not present");
    if (pb->port_specifier_case != PORT(PORT_VALUE))
        xds_fire(ctx, port_at, XDS_R_CLUSTER_DNS_PORT, "field not present");
    else if (pb->port_value == 0)
        xds_fire(ctx, port_at, XDS_R_CLUSTER_DNS_PORT_ZERO, "port is 0");
}

/* "host:port", an IPv6 literal in brackets, as core and go join them. */
static struct xds_slice dns_name(struct xds_arena *arena, const pb_socket_address *pb)
{
    const bool bare_v6 = strchr(pb->address, ':') && *pb->address != '[';
    const uint32_t port =
        pb->port_specifier_case == PORT(PORT_VALUE) ? pb->port_value : 0;

    return xds_arena_printf(arena, bare_v6 ? "[%s]:%u" : "%s:%u", pb->address, port);
}

/* ---- all else -----------------------------------------------------------------------
 */

/* What leads to the address, and a name that says nothing here. */
static bool is_read(const ProtobufCFieldDescriptor *field)
{
    static const char *const read[] = {"cluster_name", "endpoints", "lb_endpoints",
                                       "endpoint", "address"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(read); i++)
        if (strcmp(field->name, read[i]) == 0)
            return true;
    return false;
}

static void report_others(struct xds_ctx *ctx, const struct xds_path *at,
                          const ProtobufCMessage *pb)
{
    for (unsigned i = 0; i < pb->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &pb->descriptor->fields[i];

        if (is_read(field) || !xds_is_set(pb, xds_field_presence(field)))
            continue;
        const struct xds_slice key =
            xds_arena_printf(ctx->arena, "LOGICAL_DNS %s", field->name);

        if (xds_report_is_first(ctx->report, key))
            xds_fire(ctx, XDS_AT(at, field->name), XDS_R_CLUSTER_DNS_UNREAD,
                     "%s is not read in a LOGICAL_DNS cluster: its one host takes all "
                     "RPCs",
                     field->name);
    }
}

static void report_unread(struct xds_ctx *ctx, const pb_cluster_load_assignment *pb)
{
    const struct xds_path *at = XDS_AT(NULL, "load_assignment");
    const struct xds_path *locality = XDS_AT_I(at, "endpoints", 0);
    const struct xds_path *entry = XDS_AT_I(locality, "lb_endpoints", 0);
    const pb_lb_endpoint *endpoint = pb->endpoints[0]->lb_endpoints[0];

    report_others(ctx, at, &pb->base);
    report_others(ctx, locality, &pb->endpoints[0]->base);
    report_others(ctx, entry, &endpoint->base);
    report_others(ctx, XDS_AT(entry, "endpoint"), &endpoint->endpoint->base);
}

void xds_cluster_dns_read(struct xds_ctx *ctx, const pb_cluster *pb,
                          struct xds_cluster *out)
{
    const pb_lb_endpoint *endpoint = only_endpoint(ctx, pb->load_assignment);
    const struct xds_path *at = XDS_AT_I(
        XDS_AT_I(XDS_AT(NULL, "load_assignment"), "endpoints", 0), "lb_endpoints", 0);
    const char *absent;

    out->kind = XDS_CLUSTER_LOGICAL_DNS;
    if (!endpoint)
        return;

    const pb_socket_address *address = socket_address(endpoint, &absent);

    if (!address) {
        xds_fire(ctx, XDS_AT(at, absent), XDS_R_CLUSTER_DNS_ADDRESS, "field not present");
        return;
    }
    check_socket_address(ctx, XDS_AT(at, "endpoint.address.socket_address"), address);
    report_unread(ctx, pb->load_assignment);
    out->dns_name = dns_name(ctx->arena, address);

    struct xds_sockaddr parsed;

    out->dns_host_is_ip = xds_sockaddr_parse(xds_slice_of(address->address), 0, &parsed);
}

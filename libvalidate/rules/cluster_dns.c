/*
 * cluster_dns.c - a Cluster of type LOGICAL_DNS.
 *
 * Source: spec cluster 1.3; gRFC A37.
 */
#include "decode/field.h"
#include "rules/address.h"
#include "rules/cluster_readers.h"

#define PORT(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PORT_SPECIFIER_##arm
#define ADDRESS(arm) ENVOY__CONFIG__CORE__V3__ADDRESS__ADDRESS_##arm
#define HOST(arm) ENVOY__CONFIG__ENDPOINT__V3__LB_ENDPOINT__HOST_IDENTIFIER_##arm

/* NULL, and what is missing first is reported. */
static const pb_socket_address *
socket_address(struct xds_ctx *ctx, const struct xds_path *at, const pb_lb_endpoint *pb)
{
    const char *absent = "endpoint.address.socket_address";

    if (pb->host_identifier_case != HOST(ENDPOINT))
        absent = "endpoint";
    else if (!pb->endpoint->address)
        absent = "endpoint.address";
    else if (pb->endpoint->address->address_case == ADDRESS(SOCKET_ADDRESS))
        return pb->endpoint->address->socket_address;
    xds_fire(ctx, XDS_AT(at, absent), XDS_R_CLUSTER_DNS_ADDRESS);
    return NULL;
}

static void check_socket_address(struct xds_ctx *ctx, const struct xds_path *at,
                                 const pb_socket_address *pb)
{
    if (*pb->resolver_name)
        xds_fire_with(ctx, at, XDS_R_CLUSTER_DNS_RESOLVER,
                      XDS_WITH(xds_slice_of(pb->resolver_name)));
    if (!*pb->address)
        xds_fire(ctx, at, XDS_R_CLUSTER_DNS_HOST);
    if (pb->port_specifier_case != PORT(PORT_VALUE))
        xds_fire(ctx, at, XDS_R_CLUSTER_DNS_PORT);
    else if (pb->port_value == 0)
        xds_fire(ctx, at, XDS_R_CLUSTER_DNS_PORT_ZERO);
}

/* "host:port", an IPv6 literal in brackets, as core and go join them. */
static struct xds_slice dns_name(struct xds_arena *arena, const pb_socket_address *pb)
{
    const bool bare_v6 = strchr(pb->address, ':') && *pb->address != '[';
    const uint32_t port =
        pb->port_specifier_case == PORT(PORT_VALUE) ? pb->port_value : 0;

    return xds_arena_printf(arena, bare_v6 ? "[%s]:%u" : "%s:%u", pb->address, port);
}

/* Is it on the path to the address, or a name that says nothing here? */
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

        if (!is_read(field) && xds_is_set(pb, xds_field_presence(field)) &&
            xds_report_is_first(
                ctx->report, xds_arena_printf(ctx->arena, "LOGICAL_DNS %s", field->name)))
            xds_fire(ctx, XDS_AT(at, field->name), XDS_R_CLUSTER_DNS_UNREAD);
    }
}

void xds_cluster_dns_read(struct xds_ctx *ctx, const pb_cluster *pb,
                          struct xds_cluster *out)
{
    const pb_cluster_load_assignment *assignment = pb->load_assignment;
    const struct xds_path *at = XDS_AT(NULL, "load_assignment");
    const struct xds_path *locality_at = XDS_AT_I(at, "endpoints", 0);
    const struct xds_path *entry_at = XDS_AT_I(locality_at, "lb_endpoints", 0);

    out->kind = XDS_CLUSTER_LOGICAL_DNS;
    if (!assignment) {
        xds_fire(ctx, NULL, XDS_R_CLUSTER_DNS_ASSIGNMENT);
        return;
    }
    if (assignment->n_endpoints != 1) {
        xds_fire_with(ctx, at, XDS_R_CLUSTER_DNS_LOCALITIES,
                      XDS_WITH(xds_number(ctx, (int64_t)assignment->n_endpoints)));
        return;
    }

    const pb_locality_lb_endpoints *locality = assignment->endpoints[0];

    if (locality->n_lb_endpoints != 1) {
        xds_fire_with(ctx, locality_at, XDS_R_CLUSTER_DNS_ENDPOINTS,
                      XDS_WITH(xds_number(ctx, (int64_t)locality->n_lb_endpoints)));
        return;
    }

    const pb_lb_endpoint *entry = locality->lb_endpoints[0];
    const pb_socket_address *address = socket_address(ctx, entry_at, entry);
    struct xds_sockaddr parsed;

    if (!address)
        return;
    check_socket_address(ctx, XDS_AT(entry_at, "endpoint.address.socket_address"),
                         address);
    report_others(ctx, at, &assignment->base);
    report_others(ctx, locality_at, &locality->base);
    report_others(ctx, entry_at, &entry->base);
    report_others(ctx, XDS_AT(entry_at, "endpoint"), &entry->endpoint->base);
    out->dns_name = dns_name(ctx->arena, address);
    out->dns_host_is_ip = xds_sockaddr_parse(xds_slice_of(address->address), 0, &parsed);
}

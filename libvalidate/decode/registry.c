/*
 * registry.c - full message names to protobuf-c descriptors.
 *
 * Source: spec G13; the types are those that a gRPC client looks for in an Any, and those
 *         beside them in their packages.
 */
#include <string.h>

#include "decode/wire.h"

/* In byte order of the names, for bisection. */
static const ProtobufCMessageDescriptor *const registered[] = {
    &envoy__config__cluster__v3__cluster__descriptor,
    &envoy__config__core__v3__address__descriptor,
    &envoy__config__endpoint__v3__cluster_load_assignment__descriptor,
    &envoy__config__listener__v3__listener__descriptor,
    &envoy__config__route__v3__filter_config__descriptor,
    &envoy__config__route__v3__route_configuration__descriptor,
    &envoy__extensions__clusters__aggregate__v3__cluster_config__descriptor,
    &envoy__extensions__common__matching__v3__extension_with_matcher__descriptor,
    &envoy__extensions__common__matching__v3__extension_with_matcher_per_route__descriptor,
    &envoy__extensions__filters__common__fault__v3__fault_delay__descriptor,
    &envoy__extensions__filters__common__fault__v3__fault_rate_limit__descriptor,
    &envoy__extensions__filters__common__matcher__action__v3__skip_filter__descriptor,
    &envoy__extensions__filters__http__composite__v3__composite__descriptor,
    &envoy__extensions__filters__http__composite__v3__dynamic_config__descriptor,
    &envoy__extensions__filters__http__composite__v3__execute_filter_action__descriptor,
    &envoy__extensions__filters__http__composite__v3__filter_chain_configuration__descriptor,
    &envoy__extensions__filters__http__ext_authz__v3__buffer_settings__descriptor,
    &envoy__extensions__filters__http__ext_authz__v3__check_settings__descriptor,
    &envoy__extensions__filters__http__ext_authz__v3__ext_authz__descriptor,
    &envoy__extensions__filters__http__ext_authz__v3__ext_authz_per_route__descriptor,
    &envoy__extensions__filters__http__ext_authz__v3__http_service__descriptor,
    &envoy__extensions__filters__http__ext_proc__v3__ext_proc_http_service__descriptor,
    &envoy__extensions__filters__http__ext_proc__v3__ext_proc_overrides__descriptor,
    &envoy__extensions__filters__http__ext_proc__v3__ext_proc_per_route__descriptor,
    &envoy__extensions__filters__http__ext_proc__v3__external_processor__descriptor,
    &envoy__extensions__filters__http__ext_proc__v3__header_forwarding_rules__descriptor,
    &envoy__extensions__filters__http__ext_proc__v3__metadata_options__descriptor,
    &envoy__extensions__filters__http__ext_proc__v3__processing_mode__descriptor,
    &envoy__extensions__filters__http__fault__v3__fault_abort__descriptor,
    &envoy__extensions__filters__http__fault__v3__httpfault__descriptor,
    &envoy__extensions__filters__http__gcp_authn__v3__audience__descriptor,
    &envoy__extensions__filters__http__gcp_authn__v3__gcp_authn_filter_config__descriptor,
    &envoy__extensions__filters__http__gcp_authn__v3__token_cache_config__descriptor,
    &envoy__extensions__filters__http__gcp_authn__v3__token_header__descriptor,
    &envoy__extensions__filters__http__rate_limit_quota__v3__rate_limit_quota_bucket_settings__descriptor,
    &envoy__extensions__filters__http__rbac__v3__rbac__descriptor,
    &envoy__extensions__filters__http__rbac__v3__rbacper_route__descriptor,
    &envoy__extensions__filters__http__router__v3__router__descriptor,
    &envoy__extensions__filters__http__stateful_session__v3__stateful_session__descriptor,
    &envoy__extensions__filters__http__stateful_session__v3__stateful_session_per_route__descriptor,
    &envoy__extensions__filters__network__http_connection_manager__v3__forward_proto_config__descriptor,
    &envoy__extensions__filters__network__http_connection_manager__v3__http_connection_manager__descriptor,
    &envoy__extensions__filters__network__http_connection_manager__v3__http_filter__descriptor,
    &envoy__extensions__filters__network__http_connection_manager__v3__local_reply_config__descriptor,
    &envoy__extensions__filters__network__http_connection_manager__v3__rds__descriptor,
    &envoy__extensions__filters__network__http_connection_manager__v3__request_idextension__descriptor,
    &envoy__extensions__filters__network__http_connection_manager__v3__scoped_routes__descriptor,
    &envoy__extensions__grpc_service__call_credentials__access_token__v3__access_token_credentials__descriptor,
    &envoy__extensions__grpc_service__channel_credentials__google_default__v3__google_default_credentials__descriptor,
    &envoy__extensions__grpc_service__channel_credentials__insecure__v3__insecure_credentials__descriptor,
    &envoy__extensions__grpc_service__channel_credentials__local__v3__local_credentials__descriptor,
    &envoy__extensions__grpc_service__channel_credentials__tls__v3__tls_credentials__descriptor,
    &envoy__extensions__grpc_service__channel_credentials__xds__v3__xds_credentials__descriptor,
    &envoy__extensions__http__stateful_session__cookie__v3__cookie_based_session_state__descriptor,
    &envoy__extensions__load_balancing_policies__client_side_weighted_round_robin__v3__client_side_weighted_round_robin__descriptor,
    &envoy__extensions__load_balancing_policies__least_request__v3__least_request__descriptor,
    &envoy__extensions__load_balancing_policies__pick_first__v3__pick_first__descriptor,
    &envoy__extensions__load_balancing_policies__ring_hash__v3__ring_hash__descriptor,
    &envoy__extensions__load_balancing_policies__round_robin__v3__round_robin__descriptor,
    &envoy__extensions__load_balancing_policies__wrr_locality__v3__wrr_locality__descriptor,
    &envoy__extensions__rbac__audit_loggers__stream__v3__stdout_audit_log__descriptor,
    &envoy__extensions__transport_sockets__http_11_proxy__v3__http11_proxy_upstream_transport__descriptor,
    &envoy__extensions__transport_sockets__tls__v3__certificate_provider_plugin_instance__descriptor,
    &envoy__extensions__transport_sockets__tls__v3__certificate_validation_context__descriptor,
    &envoy__extensions__transport_sockets__tls__v3__common_tls_context__descriptor,
    &envoy__extensions__transport_sockets__tls__v3__downstream_tls_context__descriptor,
    &envoy__extensions__transport_sockets__tls__v3__sds_secret_config__descriptor,
    &envoy__extensions__transport_sockets__tls__v3__secret__descriptor,
    &envoy__extensions__transport_sockets__tls__v3__subject_alt_name_matcher__descriptor,
    &envoy__extensions__transport_sockets__tls__v3__tls_certificate__descriptor,
    &envoy__extensions__transport_sockets__tls__v3__tls_key_log__descriptor,
    &envoy__extensions__transport_sockets__tls__v3__tls_parameters__descriptor,
    &envoy__extensions__transport_sockets__tls__v3__tls_session_ticket_keys__descriptor,
    &envoy__extensions__transport_sockets__tls__v3__upstream_tls_context__descriptor,
    &envoy__extensions__upstreams__http__v3__http_protocol_options__descriptor,
    &envoy__service__discovery__v3__resource__descriptor,
    &envoy__type__matcher__v3__http_request_header_match_input__descriptor,
    &google__protobuf__bool_value__descriptor,
    &google__protobuf__bytes_value__descriptor,
    &google__protobuf__double_value__descriptor,
    &google__protobuf__duration__descriptor,
    &google__protobuf__empty__descriptor,
    &google__protobuf__field_mask__descriptor,
    &google__protobuf__float_value__descriptor,
    &google__protobuf__int32_value__descriptor,
    &google__protobuf__int64_value__descriptor,
    &google__protobuf__list_value__descriptor,
    &google__protobuf__string_value__descriptor,
    &google__protobuf__struct__descriptor,
    &google__protobuf__timestamp__descriptor,
    &google__protobuf__uint32_value__descriptor,
    &google__protobuf__uint64_value__descriptor,
    &google__protobuf__value__descriptor,
    &grpc__lookup__v1__route_lookup_cluster_specifier__descriptor,
    &udpa__type__v1__typed_struct__descriptor,
    &xds__data__orca__v3__orca_load_report__descriptor,
    &xds__type__matcher__v3__cel_matcher__descriptor,
    &xds__type__matcher__v3__http_attributes_cel_match_input__descriptor,
    &xds__type__v3__typed_struct__descriptor,
};

const ProtobufCMessageDescriptor *xds_any_registry(struct xds_slice full_name)
{
    size_t low = 0, high = XDS_ARRAY_LEN(registered);

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        const int c = xds_slice_cmp(xds_slice_of(registered[mid]->name), full_name);

        if (c == 0)
            return registered[mid];
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    /* The name of version 2 of the API that a client still accepts. */
    return xds_slice_is(full_name, "envoy.api.v2.auth.UpstreamTlsContext")
               ? &envoy__extensions__transport_sockets__tls__v3__upstream_tls_context__descriptor
               : NULL;
}

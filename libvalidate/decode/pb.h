/*
 * pb.h - short names for the protobuf-c types of proto/.
 *
 * The generated names repeat the package; inside the library a message is
 * pb_ and its own name. Only decode/ and rules/ may include this file.
 */
#ifndef XDS_DECODE_PB_H
#define XDS_DECODE_PB_H

/* Deprecated fields are read like any other: clients read them. */
#define PROTOBUF_C__NO_DEPRECATED

#include "envoy.admin.v3.pb-c.h"
#include "envoy.config.bootstrap.v3.pb-c.h"
#include "envoy.config.cluster.v3.pb-c.h"
#include "envoy.config.common.mutation_rules.v3.pb-c.h"
#include "envoy.config.core.v3.pb-c.h"
#include "envoy.config.endpoint.v3.pb-c.h"
#include "envoy.config.listener.v3.pb-c.h"
#include "envoy.config.rbac.v3.pb-c.h"
#include "envoy.config.route.v3.pb-c.h"
#include "envoy.extensions.clusters.aggregate.v3.pb-c.h"
#include "envoy.extensions.common.matching.v3.pb-c.h"
#include "envoy.extensions.filters.common.fault.v3.pb-c.h"
#include "envoy.extensions.filters.common.matcher.action.v3.pb-c.h"
#include "envoy.extensions.filters.http.composite.v3.pb-c.h"
#include "envoy.extensions.filters.http.ext_authz.v3.pb-c.h"
#include "envoy.extensions.filters.http.ext_proc.v3.pb-c.h"
#include "envoy.extensions.filters.http.fault.v3.pb-c.h"
#include "envoy.extensions.filters.http.gcp_authn.v3.pb-c.h"
#include "envoy.extensions.filters.http.rate_limit_quota.v3.pb-c.h"
#include "envoy.extensions.filters.http.rbac.v3.pb-c.h"
#include "envoy.extensions.filters.http.router.v3.pb-c.h"
#include "envoy.extensions.filters.http.stateful_session.v3.pb-c.h"
#include "envoy.extensions.filters.network.http_connection_manager.v3.pb-c.h"
#include "envoy.extensions.grpc_service.call_credentials.access_token.v3.pb-c.h"
#include "envoy.extensions.grpc_service.channel_credentials.google_default.v3.pb-c.h"
#include "envoy.extensions.grpc_service.channel_credentials.insecure.v3.pb-c.h"
#include "envoy.extensions.grpc_service.channel_credentials.local.v3.pb-c.h"
#include "envoy.extensions.grpc_service.channel_credentials.tls.v3.pb-c.h"
#include "envoy.extensions.grpc_service.channel_credentials.xds.v3.pb-c.h"
#include "envoy.extensions.http.stateful_session.cookie.v3.pb-c.h"
#include "envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.pb-c.h"
#include "envoy.extensions.load_balancing_policies.least_request.v3.pb-c.h"
#include "envoy.extensions.load_balancing_policies.pick_first.v3.pb-c.h"
#include "envoy.extensions.load_balancing_policies.ring_hash.v3.pb-c.h"
#include "envoy.extensions.load_balancing_policies.round_robin.v3.pb-c.h"
#include "envoy.extensions.load_balancing_policies.wrr_locality.v3.pb-c.h"
#include "envoy.extensions.rbac.audit_loggers.stream.v3.pb-c.h"
#include "envoy.extensions.transport_sockets.http_11_proxy.v3.pb-c.h"
#include "envoy.extensions.transport_sockets.tls.v3.pb-c.h"
#include "envoy.extensions.upstreams.http.v3.pb-c.h"
#include "envoy.service.discovery.v3.pb-c.h"
#include "envoy.service.load_stats.v3.pb-c.h"
#include "envoy.service.status.v3.pb-c.h"
#include "envoy.type.http.v3.pb-c.h"
#include "envoy.type.matcher.v3.pb-c.h"
#include "envoy.type.v3.pb-c.h"
#include "google.protobuf.pb-c.h"
#include "grpc.lookup.v1.pb-c.h"
#include "udpa.type.v1.pb-c.h"
#include "xds.core.v3.pb-c.h"
#include "xds.data.orca.v3.pb-c.h"
#include "xds.type.matcher.v3.pb-c.h"
#include "xds.type.v3.pb-c.h"

/* envoy.admin.v3 */
typedef Envoy__Admin__V3__BootstrapConfigDump pb_bootstrap_config_dump;
typedef Envoy__Admin__V3__ClustersConfigDump pb_clusters_config_dump;
typedef Envoy__Admin__V3__ClustersConfigDump__DynamicCluster
    pb_clusters_config_dump_dynamic_cluster;
typedef Envoy__Admin__V3__ClustersConfigDump__StaticCluster
    pb_clusters_config_dump_static_cluster;
typedef Envoy__Admin__V3__ConfigDump pb_config_dump;
typedef Envoy__Admin__V3__EndpointsConfigDump pb_endpoints_config_dump;
typedef Envoy__Admin__V3__EndpointsConfigDump__DynamicEndpointConfig
    pb_endpoints_config_dump_dynamic_endpoint_config;
typedef Envoy__Admin__V3__EndpointsConfigDump__StaticEndpointConfig
    pb_endpoints_config_dump_static_endpoint_config;
typedef Envoy__Admin__V3__ListenersConfigDump pb_listeners_config_dump;
typedef Envoy__Admin__V3__ListenersConfigDump__DynamicListener
    pb_listeners_config_dump_dynamic_listener;
typedef Envoy__Admin__V3__ListenersConfigDump__DynamicListenerState
    pb_listeners_config_dump_dynamic_listener_state;
typedef Envoy__Admin__V3__ListenersConfigDump__StaticListener
    pb_listeners_config_dump_static_listener;
typedef Envoy__Admin__V3__RoutesConfigDump pb_routes_config_dump;
typedef Envoy__Admin__V3__RoutesConfigDump__DynamicRouteConfig
    pb_routes_config_dump_dynamic_route_config;
typedef Envoy__Admin__V3__RoutesConfigDump__StaticRouteConfig
    pb_routes_config_dump_static_route_config;
typedef Envoy__Admin__V3__ScopedRoutesConfigDump pb_scoped_routes_config_dump;
typedef Envoy__Admin__V3__ScopedRoutesConfigDump__DynamicScopedRouteConfigs
    pb_scoped_routes_config_dump_dynamic_scoped_route_configs;
typedef Envoy__Admin__V3__ScopedRoutesConfigDump__InlineScopedRouteConfigs
    pb_scoped_routes_config_dump_inline_scoped_route_configs;
typedef Envoy__Admin__V3__UpdateFailureState pb_update_failure_state;

/* envoy.config.bootstrap.v3 */
typedef Envoy__Config__Bootstrap__V3__Bootstrap pb_bootstrap;
typedef Envoy__Config__Bootstrap__V3__Bootstrap__StaticResources
    pb_bootstrap_static_resources;

/* envoy.config.cluster.v3 */
typedef Envoy__Config__Cluster__V3__CircuitBreakers pb_circuit_breakers;
typedef Envoy__Config__Cluster__V3__CircuitBreakers__Thresholds
    pb_circuit_breakers_thresholds;
typedef Envoy__Config__Cluster__V3__Cluster pb_cluster;
typedef Envoy__Config__Cluster__V3__Cluster__CommonLbConfig pb_cluster_common_lb_config;
typedef Envoy__Config__Cluster__V3__Cluster__CustomClusterType
    pb_cluster_custom_cluster_type;
typedef Envoy__Config__Cluster__V3__Cluster__EdsClusterConfig
    pb_cluster_eds_cluster_config;
typedef Envoy__Config__Cluster__V3__Cluster__LeastRequestLbConfig
    pb_cluster_least_request_lb_config;
typedef Envoy__Config__Cluster__V3__Cluster__RingHashLbConfig
    pb_cluster_ring_hash_lb_config;
typedef Envoy__Config__Cluster__V3__LoadBalancingPolicy pb_load_balancing_policy;
typedef Envoy__Config__Cluster__V3__LoadBalancingPolicy__Policy
    pb_load_balancing_policy_policy;
typedef Envoy__Config__Cluster__V3__OutlierDetection pb_outlier_detection;

/* envoy.config.common.mutation_rules.v3 */
typedef Envoy__Config__Common__MutationRules__V3__HeaderMutationRules
    pb_header_mutation_rules;

/* envoy.config.core.v3 */
typedef Envoy__Config__Core__V3__Address pb_address;
typedef Envoy__Config__Core__V3__CidrRange pb_cidr_range;
typedef Envoy__Config__Core__V3__ConfigSource pb_config_source;
typedef Envoy__Config__Core__V3__DataSource pb_data_source;
typedef Envoy__Config__Core__V3__GrpcService pb_grpc_service;
typedef Envoy__Config__Core__V3__GrpcService__GoogleGrpc pb_grpc_service_google_grpc;
typedef Envoy__Config__Core__V3__HeaderValue pb_header_value;
typedef Envoy__Config__Core__V3__HeaderValueOption pb_header_value_option;
typedef Envoy__Config__Core__V3__HealthStatusSet pb_health_status_set;
typedef Envoy__Config__Core__V3__HttpProtocolOptions pb_http_protocol_options;
typedef Envoy__Config__Core__V3__Locality pb_locality;
typedef Envoy__Config__Core__V3__Metadata pb_metadata;
typedef Envoy__Config__Core__V3__Node pb_node;
typedef Envoy__Config__Core__V3__RuntimeFeatureFlag pb_runtime_feature_flag;
typedef Envoy__Config__Core__V3__RuntimeFractionalPercent pb_runtime_fractional_percent;
typedef Envoy__Config__Core__V3__SocketAddress pb_socket_address;
typedef Envoy__Config__Core__V3__TransportSocket pb_transport_socket;
typedef Envoy__Config__Core__V3__TypedExtensionConfig pb_typed_extension_config;

/* envoy.config.endpoint.v3 */
typedef Envoy__Config__Endpoint__V3__ClusterLoadAssignment pb_cluster_load_assignment;
typedef Envoy__Config__Endpoint__V3__ClusterLoadAssignment__Policy
    pb_cluster_load_assignment_policy;
typedef Envoy__Config__Endpoint__V3__ClusterLoadAssignment__Policy__DropOverload
    pb_cluster_load_assignment_policy_drop_overload;
typedef Envoy__Config__Endpoint__V3__Endpoint pb_endpoint;
typedef Envoy__Config__Endpoint__V3__Endpoint__AdditionalAddress
    pb_endpoint_additional_address;
typedef Envoy__Config__Endpoint__V3__LbEndpoint pb_lb_endpoint;
typedef Envoy__Config__Endpoint__V3__LedsClusterLocalityConfig
    pb_leds_cluster_locality_config;
typedef Envoy__Config__Endpoint__V3__LocalityLbEndpoints pb_locality_lb_endpoints;
typedef Envoy__Config__Endpoint__V3__UnnamedEndpointLoadMetricStats
    pb_unnamed_endpoint_load_metric_stats;

/* envoy.config.listener.v3 */
typedef Envoy__Config__Listener__V3__ApiListener pb_api_listener;
typedef Envoy__Config__Listener__V3__Filter pb_filter;
typedef Envoy__Config__Listener__V3__FilterChain pb_filter_chain;
typedef Envoy__Config__Listener__V3__FilterChainMatch pb_filter_chain_match;
typedef Envoy__Config__Listener__V3__Listener pb_listener;

/* envoy.config.rbac.v3 */
typedef Envoy__Config__Rbac__V3__Permission pb_permission;
typedef Envoy__Config__Rbac__V3__Permission__Set pb_permission_set;
typedef Envoy__Config__Rbac__V3__Policy pb_policy;
typedef Envoy__Config__Rbac__V3__Principal pb_principal;
typedef Envoy__Config__Rbac__V3__Principal__Authenticated pb_principal_authenticated;
typedef Envoy__Config__Rbac__V3__Principal__Set pb_principal_set;
typedef Envoy__Config__Rbac__V3__RBAC pb_rbac;
typedef Envoy__Config__Rbac__V3__RBAC__AuditLoggingOptions pb_rbac_audit_logging_options;
typedef Envoy__Config__Rbac__V3__RBAC__AuditLoggingOptions__AuditLoggerConfig
    pb_rbac_audit_logging_options_audit_logger_config;

/* envoy.config.route.v3 */
typedef Envoy__Config__Route__V3__ClusterSpecifierPlugin pb_cluster_specifier_plugin;
typedef Envoy__Config__Route__V3__FilterConfig pb_filter_config;
typedef Envoy__Config__Route__V3__HeaderMatcher pb_header_matcher;
typedef Envoy__Config__Route__V3__RetryPolicy pb_retry_policy;
typedef Envoy__Config__Route__V3__RetryPolicy__RetryBackOff
    pb_retry_policy_retry_back_off;
typedef Envoy__Config__Route__V3__Route pb_route;
typedef Envoy__Config__Route__V3__RouteAction pb_route_action;
typedef Envoy__Config__Route__V3__RouteAction__HashPolicy pb_route_action_hash_policy;
typedef Envoy__Config__Route__V3__RouteAction__HashPolicy__FilterState
    pb_route_action_hash_policy_filter_state;
typedef Envoy__Config__Route__V3__RouteAction__HashPolicy__Header
    pb_route_action_hash_policy_header;
typedef Envoy__Config__Route__V3__RouteAction__MaxStreamDuration
    pb_route_action_max_stream_duration;
typedef Envoy__Config__Route__V3__RouteConfiguration pb_route_configuration;
typedef Envoy__Config__Route__V3__RouteMatch pb_route_match;
typedef Envoy__Config__Route__V3__VirtualHost pb_virtual_host;
typedef Envoy__Config__Route__V3__WeightedCluster pb_weighted_cluster;
typedef Envoy__Config__Route__V3__WeightedCluster__ClusterWeight
    pb_weighted_cluster_cluster_weight;

/* envoy.extensions.clusters.aggregate.v3 */
typedef Envoy__Extensions__Clusters__Aggregate__V3__ClusterConfig pb_cluster_config;

/* envoy.extensions.common.matching.v3 */
typedef Envoy__Extensions__Common__Matching__V3__ExtensionWithMatcher
    pb_extension_with_matcher;
typedef Envoy__Extensions__Common__Matching__V3__ExtensionWithMatcherPerRoute
    pb_extension_with_matcher_per_route;

/* envoy.extensions.filters.common.fault.v3 */
typedef Envoy__Extensions__Filters__Common__Fault__V3__FaultDelay pb_fault_delay;

/* envoy.extensions.filters.common.matcher.action.v3 */
typedef Envoy__Extensions__Filters__Common__Matcher__Action__V3__SkipFilter
    pb_skip_filter;

/* envoy.extensions.filters.http.composite.v3 */
typedef Envoy__Extensions__Filters__Http__Composite__V3__Composite pb_composite;
typedef Envoy__Extensions__Filters__Http__Composite__V3__ExecuteFilterAction
    pb_execute_filter_action;
typedef Envoy__Extensions__Filters__Http__Composite__V3__FilterChainConfiguration
    pb_filter_chain_configuration;

/* envoy.extensions.filters.http.ext_authz.v3 */
typedef Envoy__Extensions__Filters__Http__ExtAuthz__V3__ExtAuthz pb_ext_authz;
typedef Envoy__Extensions__Filters__Http__ExtAuthz__V3__ExtAuthzPerRoute
    pb_ext_authz_per_route;

/* envoy.extensions.filters.http.ext_proc.v3 */
typedef Envoy__Extensions__Filters__Http__ExtProc__V3__ExtProcOverrides
    pb_ext_proc_overrides;
typedef Envoy__Extensions__Filters__Http__ExtProc__V3__ExtProcPerRoute
    pb_ext_proc_per_route;
typedef Envoy__Extensions__Filters__Http__ExtProc__V3__ExternalProcessor
    pb_external_processor;
typedef Envoy__Extensions__Filters__Http__ExtProc__V3__HeaderForwardingRules
    pb_header_forwarding_rules;
typedef Envoy__Extensions__Filters__Http__ExtProc__V3__ProcessingMode pb_processing_mode;

/* envoy.extensions.filters.http.fault.v3 */
typedef Envoy__Extensions__Filters__Http__Fault__V3__FaultAbort pb_fault_abort;
typedef Envoy__Extensions__Filters__Http__Fault__V3__HTTPFault pb_http_fault;

/* envoy.extensions.filters.http.gcp_authn.v3 */
typedef Envoy__Extensions__Filters__Http__GcpAuthn__V3__Audience pb_audience;
typedef Envoy__Extensions__Filters__Http__GcpAuthn__V3__GcpAuthnFilterConfig
    pb_gcp_authn_filter_config;
typedef Envoy__Extensions__Filters__Http__GcpAuthn__V3__TokenCacheConfig
    pb_token_cache_config;

/* envoy.extensions.filters.http.rate_limit_quota.v3 */
typedef Envoy__Extensions__Filters__Http__RateLimitQuota__V3__RateLimitQuotaBucketSettings
    pb_rate_limit_quota_bucket_settings;
typedef Envoy__Extensions__Filters__Http__RateLimitQuota__V3__RateLimitQuotaBucketSettings__BucketIdBuilder
    pb_rate_limit_quota_bucket_settings_bucket_id_builder;
typedef Envoy__Extensions__Filters__Http__RateLimitQuota__V3__RateLimitQuotaBucketSettings__BucketIdBuilder__ValueBuilder
    pb_rate_limit_quota_bucket_settings_bucket_id_builder_value_builder;

/* envoy.extensions.filters.http.rbac.v3 */
typedef Envoy__Extensions__Filters__Http__Rbac__V3__RBAC pb_http_rbac;
typedef Envoy__Extensions__Filters__Http__Rbac__V3__RBACPerRoute pb_rbac_per_route;

/* envoy.extensions.filters.http.router.v3 */
typedef Envoy__Extensions__Filters__Http__Router__V3__Router pb_router;

/* envoy.extensions.filters.http.stateful_session.v3 */
typedef Envoy__Extensions__Filters__Http__StatefulSession__V3__StatefulSession
    pb_stateful_session;
typedef Envoy__Extensions__Filters__Http__StatefulSession__V3__StatefulSessionPerRoute
    pb_stateful_session_per_route;

/* envoy.extensions.filters.network.http_connection_manager.v3 */
typedef Envoy__Extensions__Filters__Network__HttpConnectionManager__V3__HttpConnectionManager
    pb_http_connection_manager;
typedef Envoy__Extensions__Filters__Network__HttpConnectionManager__V3__HttpFilter
    pb_http_filter;
typedef Envoy__Extensions__Filters__Network__HttpConnectionManager__V3__Rds pb_rds;

/* envoy.extensions.grpc_service.call_credentials.access_token.v3 */
typedef Envoy__Extensions__GrpcService__CallCredentials__AccessToken__V3__AccessTokenCredentials
    pb_access_token_credentials;

/* envoy.extensions.grpc_service.channel_credentials.google_default.v3 */
typedef Envoy__Extensions__GrpcService__ChannelCredentials__GoogleDefault__V3__GoogleDefaultCredentials
    pb_google_default_credentials;

/* envoy.extensions.grpc_service.channel_credentials.insecure.v3 */
typedef Envoy__Extensions__GrpcService__ChannelCredentials__Insecure__V3__InsecureCredentials
    pb_insecure_credentials;

/* envoy.extensions.grpc_service.channel_credentials.local.v3 */
typedef Envoy__Extensions__GrpcService__ChannelCredentials__Local__V3__LocalCredentials
    pb_local_credentials;

/* envoy.extensions.grpc_service.channel_credentials.tls.v3 */
typedef Envoy__Extensions__GrpcService__ChannelCredentials__Tls__V3__TlsCredentials
    pb_tls_credentials;

/* envoy.extensions.grpc_service.channel_credentials.xds.v3 */
typedef Envoy__Extensions__GrpcService__ChannelCredentials__Xds__V3__XdsCredentials
    pb_xds_credentials;

/* envoy.extensions.http.stateful_session.cookie.v3 */
typedef Envoy__Extensions__Http__StatefulSession__Cookie__V3__CookieBasedSessionState
    pb_cookie_based_session_state;

/* envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3 */
typedef Envoy__Extensions__LoadBalancingPolicies__ClientSideWeightedRoundRobin__V3__ClientSideWeightedRoundRobin
    pb_client_side_weighted_round_robin;

/* envoy.extensions.load_balancing_policies.least_request.v3 */
typedef Envoy__Extensions__LoadBalancingPolicies__LeastRequest__V3__LeastRequest
    pb_least_request;

/* envoy.extensions.load_balancing_policies.pick_first.v3 */
typedef Envoy__Extensions__LoadBalancingPolicies__PickFirst__V3__PickFirst pb_pick_first;

/* envoy.extensions.load_balancing_policies.ring_hash.v3 */
typedef Envoy__Extensions__LoadBalancingPolicies__RingHash__V3__RingHash pb_ring_hash;

/* envoy.extensions.load_balancing_policies.round_robin.v3 */
typedef Envoy__Extensions__LoadBalancingPolicies__RoundRobin__V3__RoundRobin
    pb_round_robin;

/* envoy.extensions.load_balancing_policies.wrr_locality.v3 */
typedef Envoy__Extensions__LoadBalancingPolicies__WrrLocality__V3__WrrLocality
    pb_wrr_locality;

/* envoy.extensions.rbac.audit_loggers.stream.v3 */
typedef Envoy__Extensions__Rbac__AuditLoggers__Stream__V3__StdoutAuditLog
    pb_stdout_audit_log;

/* envoy.extensions.transport_sockets.http_11_proxy.v3 */
typedef Envoy__Extensions__TransportSockets__Http11Proxy__V3__Http11ProxyUpstreamTransport
    pb_http11_proxy_upstream_transport;

/* envoy.extensions.transport_sockets.tls.v3 */
typedef Envoy__Extensions__TransportSockets__Tls__V3__CertificateProviderPluginInstance
    pb_certificate_provider_plugin_instance;
typedef Envoy__Extensions__TransportSockets__Tls__V3__CertificateValidationContext
    pb_certificate_validation_context;
typedef Envoy__Extensions__TransportSockets__Tls__V3__CommonTlsContext
    pb_common_tls_context;
typedef Envoy__Extensions__TransportSockets__Tls__V3__CommonTlsContext__CertificateProviderInstance
    pb_common_tls_context_certificate_provider_instance;
typedef Envoy__Extensions__TransportSockets__Tls__V3__CommonTlsContext__CombinedCertificateValidationContext
    pb_common_tls_context_combined_certificate_validation_context;
typedef Envoy__Extensions__TransportSockets__Tls__V3__DownstreamTlsContext
    pb_downstream_tls_context;
typedef Envoy__Extensions__TransportSockets__Tls__V3__UpstreamTlsContext
    pb_upstream_tls_context;

/* envoy.extensions.upstreams.http.v3 */
typedef Envoy__Extensions__Upstreams__Http__V3__HttpProtocolOptions
    pb_upstream_http_protocol_options;

/* envoy.service.discovery.v3 */
typedef Envoy__Service__Discovery__V3__DeltaDiscoveryResponse pb_delta_discovery_response;
typedef Envoy__Service__Discovery__V3__DiscoveryRequest pb_discovery_request;
typedef Envoy__Service__Discovery__V3__DiscoveryResponse pb_discovery_response;
typedef Envoy__Service__Discovery__V3__Resource pb_resource;

/* envoy.service.load_stats.v3 */
typedef Envoy__Service__LoadStats__V3__LoadStatsRequest pb_load_stats_request;
typedef Envoy__Service__LoadStats__V3__LoadStatsResponse pb_load_stats_response;

/* envoy.service.status.v3 */
typedef Envoy__Service__Status__V3__ClientConfig pb_client_config;
typedef Envoy__Service__Status__V3__ClientConfig__GenericXdsConfig
    pb_client_config_generic_xds_config;
typedef Envoy__Service__Status__V3__ClientStatusRequest pb_client_status_request;
typedef Envoy__Service__Status__V3__ClientStatusResponse pb_client_status_response;
typedef Envoy__Service__Status__V3__PerXdsConfig pb_per_xds_config;

/* envoy.type.http.v3 */
typedef Envoy__Type__Http__V3__Cookie pb_cookie;

/* envoy.type.matcher.v3 */
typedef Envoy__Type__Matcher__V3__HttpRequestHeaderMatchInput
    pb_http_request_header_match_input;
typedef Envoy__Type__Matcher__V3__ListStringMatcher pb_list_string_matcher;
typedef Envoy__Type__Matcher__V3__MetadataMatcher pb_metadata_matcher;
typedef Envoy__Type__Matcher__V3__PathMatcher pb_path_matcher;
typedef Envoy__Type__Matcher__V3__RegexMatchAndSubstitute pb_regex_match_and_substitute;
typedef Envoy__Type__Matcher__V3__RegexMatcher pb_regex_matcher;
typedef Envoy__Type__Matcher__V3__StringMatcher pb_string_matcher;

/* envoy.type.v3 */
typedef Envoy__Type__V3__FractionalPercent pb_fractional_percent;
typedef Envoy__Type__V3__HttpStatus pb_http_status;
typedef Envoy__Type__V3__Int32Range pb_int32_range;
typedef Envoy__Type__V3__Int64Range pb_int64_range;

/* google.protobuf */
typedef Google__Protobuf__Any pb_any;
typedef Google__Protobuf__BoolValue pb_bool_value;
typedef Google__Protobuf__BytesValue pb_bytes_value;
typedef Google__Protobuf__DoubleValue pb_double_value;
typedef Google__Protobuf__Duration pb_duration;
typedef Google__Protobuf__Empty pb_empty;
typedef Google__Protobuf__FieldMask pb_field_mask;
typedef Google__Protobuf__FloatValue pb_float_value;
typedef Google__Protobuf__Int32Value pb_int32_value;
typedef Google__Protobuf__Int64Value pb_int64_value;
typedef Google__Protobuf__ListValue pb_list_value;
typedef Google__Protobuf__StringValue pb_string_value;
typedef Google__Protobuf__Struct pb_struct;
typedef Google__Protobuf__Timestamp pb_timestamp;
typedef Google__Protobuf__UInt32Value pb_u_int32_value;
typedef Google__Protobuf__UInt64Value pb_u_int64_value;
typedef Google__Protobuf__Value pb_value;

/* grpc.lookup.v1 */
typedef Grpc__Lookup__V1__GrpcKeyBuilder pb_grpc_key_builder;
typedef Grpc__Lookup__V1__GrpcKeyBuilder__ExtraKeys pb_grpc_key_builder_extra_keys;
typedef Grpc__Lookup__V1__GrpcKeyBuilder__Name pb_grpc_key_builder_name;
typedef Grpc__Lookup__V1__NameMatcher pb_name_matcher;
typedef Grpc__Lookup__V1__RouteLookupClusterSpecifier pb_route_lookup_cluster_specifier;
typedef Grpc__Lookup__V1__RouteLookupConfig pb_route_lookup_config;

/* udpa.type.v1 */
typedef Udpa__Type__V1__TypedStruct pb_udpa_typed_struct;

/* xds.core.v3 */
typedef Xds__Core__V3__TypedExtensionConfig pb_xds_typed_extension_config;

/* xds.data.orca.v3 */
typedef Xds__Data__Orca__V3__OrcaLoadReport pb_orca_load_report;

/* xds.type.matcher.v3 */
typedef Xds__Type__Matcher__V3__CelMatcher pb_cel_matcher;
typedef Xds__Type__Matcher__V3__HttpAttributesCelMatchInput
    pb_http_attributes_cel_match_input;
typedef Xds__Type__Matcher__V3__Matcher pb_matcher;
typedef Xds__Type__Matcher__V3__Matcher__MatcherList pb_matcher_matcher_list;
typedef Xds__Type__Matcher__V3__Matcher__MatcherList__FieldMatcher
    pb_matcher_matcher_list_field_matcher;
typedef Xds__Type__Matcher__V3__Matcher__MatcherList__Predicate
    pb_matcher_matcher_list_predicate;
typedef Xds__Type__Matcher__V3__Matcher__MatcherList__Predicate__PredicateList
    pb_matcher_matcher_list_predicate_predicate_list;
typedef Xds__Type__Matcher__V3__Matcher__MatcherList__Predicate__SinglePredicate
    pb_matcher_matcher_list_predicate_single_predicate;
typedef Xds__Type__Matcher__V3__Matcher__MatcherTree pb_matcher_matcher_tree;
typedef Xds__Type__Matcher__V3__Matcher__MatcherTree__MatchMap
    pb_matcher_matcher_tree_match_map;
typedef Xds__Type__Matcher__V3__Matcher__OnMatch pb_matcher_on_match;
typedef Xds__Type__Matcher__V3__RegexMatcher pb_xds_regex_matcher;
typedef Xds__Type__Matcher__V3__StringMatcher pb_xds_string_matcher;

/* xds.type.v3 */
typedef Xds__Type__V3__CelExpression pb_cel_expression;
typedef Xds__Type__V3__TypedStruct pb_xds_typed_struct;

#endif

/*
 * pb.h - short names for the protobuf-c types of proto/.
 *
 * The generated names repeat the package; inside the library a message is pb_ and its own
 * name, by proto/pb_names.awk. Only decode/ and rules/ may include this file.
 */
#ifndef XDS_DECODE_PB_H
#define XDS_DECODE_PB_H

/* Deprecated fields are read like any other: clients read them. */
#define PROTOBUF_C__NO_DEPRECATED

#include "pb_names.h"

/* Names that several packages have. */
typedef Envoy__Config__Core__V3__HttpProtocolOptions pb_http_protocol_options;
typedef Envoy__Config__Core__V3__TypedExtensionConfig pb_typed_extension_config;
typedef Envoy__Config__Listener__V3__Filter pb_filter;
typedef Envoy__Config__Rbac__V3__RBAC pb_rbac;
typedef Envoy__Config__Route__V3__RetryPolicy pb_retry_policy;
typedef Envoy__Extensions__Filters__Http__Rbac__V3__RBAC pb_http_rbac;
typedef Envoy__Extensions__Upstreams__Http__V3__HttpProtocolOptions
    pb_upstreams_http_protocol_options;
typedef Envoy__Type__Matcher__V3__RegexMatcher pb_regex_matcher;
typedef Envoy__Type__Matcher__V3__StringMatcher pb_string_matcher;
typedef Udpa__Type__V1__TypedStruct pb_udpa_typed_struct;
typedef Xds__Core__V3__TypedExtensionConfig pb_xds_typed_extension_config;
typedef Xds__Type__Matcher__V3__Matcher pb_matcher;
typedef Xds__Type__Matcher__V3__RegexMatcher pb_xds_regex_matcher;
typedef Xds__Type__Matcher__V3__StringMatcher pb_xds_string_matcher;
typedef Xds__Type__V3__TypedStruct pb_xds_typed_struct;

#endif

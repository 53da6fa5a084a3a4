// Package example is a control plane with go-control-plane, as small as one can be: its snapshot for one service.
package example

import (
	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	router "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	hcm "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

func packed(message types.Resource) *anypb.Any {
	value, err := anypb.New(message)
	if err != nil {
		panic(err)
	}
	return value
}

var ads = &core.ConfigSource{ConfigSourceSpecifier: &core.ConfigSource_Ads{Ads: &core.AggregatedConfigSource{}}}

// Snapshot serves a service from these addresses to clients of xds:///name.
func Snapshot(name string, addresses ...string) (*cache.Snapshot, error) {
	manager := &hcm.HttpConnectionManager{
		RouteSpecifier: &hcm.HttpConnectionManager_Rds{Rds: &hcm.Rds{ConfigSource: ads, RouteConfigName: name}},
		HttpFilters: []*hcm.HttpFilter{{
			Name:       "router",
			ConfigType: &hcm.HttpFilter_TypedConfig{TypedConfig: packed(&router.Router{})},
		}},
	}
	routes := &route.RouteConfiguration{Name: name, VirtualHosts: []*route.VirtualHost{{
		Name:    name,
		Domains: []string{"*"},
		Routes: []*route.Route{{
			Match: &route.RouteMatch{PathSpecifier: &route.RouteMatch_Prefix{Prefix: ""}},
			Action: &route.Route_Route{Route: &route.RouteAction{
				ClusterSpecifier: &route.RouteAction_Cluster{Cluster: name}}},
		}},
	}}}
	hosts := make([]*endpoint.LbEndpoint, len(addresses))
	for i, address := range addresses {
		hosts[i] = &endpoint.LbEndpoint{HostIdentifier: &endpoint.LbEndpoint_Endpoint{Endpoint: &endpoint.Endpoint{
			Address: &core.Address{Address: &core.Address_SocketAddress{SocketAddress: &core.SocketAddress{
				Address: address, PortSpecifier: &core.SocketAddress_PortValue{PortValue: 8080}}}}}}}
	}
	return cache.NewSnapshot("1", map[resource.Type][]types.Resource{
		resource.ListenerType: {&listener.Listener{Name: name, ApiListener: &listener.ApiListener{ApiListener: packed(manager)}}},
		resource.RouteType:    {routes},
		resource.ClusterType: {&cluster.Cluster{
			Name:                 name,
			ClusterDiscoveryType: &cluster.Cluster_Type{Type: cluster.Cluster_EDS},
			EdsClusterConfig:     &cluster.Cluster_EdsClusterConfig{EdsConfig: ads},
		}},
		resource.EndpointType: {&endpoint.ClusterLoadAssignment{ClusterName: name, Endpoints: []*endpoint.LocalityLbEndpoints{{
			Locality:            &core.Locality{Zone: "a"},
			LoadBalancingWeight: wrapperspb.UInt32(1),
			LbEndpoints:         hosts,
		}}}},
	})
}

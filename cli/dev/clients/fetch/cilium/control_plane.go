// control_plane.go - the xDS server of the Cilium agent, see ../planes.py: Cilium's own code, without
// that of go-control-plane. A snapshot has a server of its own, as the cache is one for all nodes.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"

	"github.com/cilium/cilium/pkg/envoy/xds"
	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

type snapshot struct {
	Node, Version string
	Resources     []struct {
		TypeURL string `json:"type_url"`
		Value   []byte
	}
}

type event struct {
	Node    string   `json:"node"`
	Stream  int64    `json:"stream"`
	TypeURL string   `json:"type_url"`
	Names   []string `json:"names"`
	Version string   `json:"version"`
	Nonce   string   `json:"nonce"`
	Error   *string  `json:"error"`
}

type named interface {
	proto.Message
	GetName() string
}

const prefix = "type.googleapis.com/envoy.config."

var (
	out   = json.NewEncoder(os.Stdout)
	mu    sync.Mutex
	types = map[string]func() proto.Message{
		prefix + "listener.v3.Listener":              func() proto.Message { return &listener.Listener{} },
		prefix + "route.v3.RouteConfiguration":       func() proto.Message { return &route.RouteConfiguration{} },
		prefix + "cluster.v3.Cluster":                func() proto.Message { return &cluster.Cluster{} },
		prefix + "endpoint.v3.ClusterLoadAssignment": func() proto.Message { return &endpoint.ClusterLoadAssignment{} },
	}
)

func say(what any) {
	mu.Lock()
	defer mu.Unlock()
	if err := out.Encode(what); err != nil {
		os.Exit(0)
	}
}

func nameOf(m proto.Message) string {
	if e, ok := m.(*endpoint.ClusterLoadAssignment); ok {
		return e.GetClusterName()
	}
	return m.(named).GetName()
}

// told prints the requests of a stream that Cilium reads.
type told struct {
	discovery.AggregatedDiscoveryService_StreamAggregatedResourcesServer
	node string
}

func (t told) Recv() (*discovery.DiscoveryRequest, error) {
	r, err := t.AggregatedDiscoveryService_StreamAggregatedResourcesServer.Recv()
	if err != nil {
		return nil, err
	}
	e := event{Node: t.node, Stream: 1, TypeURL: r.TypeUrl, Names: r.ResourceNames,
		Version: r.VersionInfo, Nonce: r.ResponseNonce}
	if r.ErrorDetail != nil {
		e.Error = &r.ErrorDetail.Message
	}
	say(e)
	return r, nil
}

type service struct {
	discovery.UnimplementedAggregatedDiscoveryServiceServer
	node   string
	server *xds.Server
}

func (s service) StreamAggregatedResources(stream discovery.AggregatedDiscoveryService_StreamAggregatedResourcesServer) error {
	return s.server.HandleRequestStream(stream.Context(), told{stream, s.node}, xds.AnyTypeURL, "")
}

type noMetrics struct{}

func (noMetrics) IncreaseNACK(string)   {}
func (noMetrics) IncreaseACK(string)    {}
func (noMetrics) IncreaseCancel(string) {}

func fill(cache *xds.Cache, asked snapshot) error {
	resources := map[string]map[string]proto.Message{}
	for _, r := range asked.Resources {
		made := types[r.TypeURL]
		if made == nil {
			return fmt.Errorf("no type %s", r.TypeURL)
		}
		m := made()
		if err := proto.Unmarshal(r.Value, m); err != nil {
			return err
		}
		if resources[r.TypeURL] == nil {
			resources[r.TypeURL] = map[string]proto.Message{}
		}
		resources[r.TypeURL][nameOf(m)] = m
	}
	for url, all := range resources {
		cache.TX(url, all, nil)
	}
	return nil
}

func serve(asked snapshot, port string) (int, error) {
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	cache := xds.NewCache(logger)
	if err := fill(cache, asked); err != nil {
		return 0, err
	}
	kinds := map[string]*xds.ResourceTypeConfiguration{}
	for url := range types {
		kinds[url] = &xds.ResourceTypeConfiguration{Source: cache}
	}
	listen, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		return 0, err
	}
	plane := grpc.NewServer()
	discovery.RegisterAggregatedDiscoveryServiceServer(plane,
		service{node: asked.Node, server: xds.NewServer(logger, kinds, nil, noMetrics{})})
	go plane.Serve(listen)
	return listen.Addr().(*net.TCPAddr).Port, nil
}

func main() {
	port := "0"
	if len(os.Args) > 1 {
		port = os.Args[1]
	}
	for in := bufio.NewReader(os.Stdin); ; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked snapshot
		answer := map[string]any{"error": nil}
		if err := json.Unmarshal(line, &asked); err != nil {
			answer["error"] = err.Error()
		} else if at, err := serve(asked, port); err != nil {
			answer["error"] = err.Error()
		} else {
			answer["port"] = at
		}
		answer["set"] = asked.Node
		say(answer)
	}
}

// control_plane.go - a control plane of go-control-plane's snapshot cache, see ../planes.py.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"sync"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"github.com/envoyproxy/go-control-plane/pkg/server/v3"
	"google.golang.org/grpc"
	"google.golang.org/genproto/googleapis/rpc/status"
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

var (
	out   = json.NewEncoder(os.Stdout)
	mu    sync.Mutex
	nodes = map[int64]*core.Node{}
)

func say(what any) {
	mu.Lock()
	defer mu.Unlock()
	if err := out.Encode(what); err != nil {
		os.Exit(0)
	}
}

func message(url string) types.Resource {
	switch url {
	case resource.ListenerType:
		return &listener.Listener{}
	case resource.RouteType:
		return &route.RouteConfiguration{}
	case resource.ClusterType:
		return &cluster.Cluster{}
	case resource.EndpointType:
		return &endpoint.ClusterLoadAssignment{}
	}
	return nil
}

func set(snapshots cache.SnapshotCache, asked snapshot) error {
	resources := map[resource.Type][]types.Resource{}
	for _, r := range asked.Resources {
		m := message(r.TypeURL)
		if m == nil {
			return fmt.Errorf("no type %s", r.TypeURL)
		}
		if err := proto.Unmarshal(r.Value, m); err != nil {
			return err
		}
		resources[r.TypeURL] = append(resources[r.TypeURL], m)
	}
	made, err := cache.NewSnapshot(asked.Version, resources)
	if err != nil {
		return err
	}
	return snapshots.SetSnapshot(context.Background(), asked.Node, made)
}

// The node is in the first request of a stream alone.
func requested(stream int64, node *core.Node, e event, detail *status.Status) error {
	mu.Lock()
	if node.GetId() != "" {
		nodes[stream] = node
	}
	node = nodes[stream]
	mu.Unlock()
	e.Node, e.Stream = node.GetId(), stream
	if detail != nil {
		text := detail.GetMessage()
		e.Error = &text
	}
	say(e)
	return nil
}

func main() {
	snapshots := cache.NewSnapshotCache(false, cache.IDHash{}, nil)
	callbacks := server.CallbackFuncs{
		StreamRequestFunc: func(stream int64, r *discovery.DiscoveryRequest) error {
			return requested(stream, r.Node, event{TypeURL: r.TypeUrl, Names: r.ResourceNames,
				Version: r.VersionInfo, Nonce: r.ResponseNonce}, r.ErrorDetail)
		},
		StreamDeltaRequestFunc: func(stream int64, r *discovery.DeltaDiscoveryRequest) error {
			return requested(-stream, r.Node, event{TypeURL: r.TypeUrl, Names: r.ResourceNamesSubscribe,
				Nonce: r.ResponseNonce}, r.ErrorDetail)
		},
	}
	listen, err := net.Listen("tcp", "127.0.0.1:"+port())
	if err != nil {
		log.Fatal(err)
	}
	plane := grpc.NewServer()
	discovery.RegisterAggregatedDiscoveryServiceServer(plane,
		server.NewServer(context.Background(), snapshots, callbacks))
	go plane.Serve(listen)
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked snapshot
		answer := map[string]any{"error": nil, "port": listen.Addr().(*net.TCPAddr).Port}
		if err := json.Unmarshal(line, &asked); err != nil {
			answer["error"] = err.Error()
		} else if err := set(snapshots, asked); err != nil {
			answer["error"] = err.Error()
		}
		answer["set"] = asked.Node
		say(answer)
	}
}

func port() string {
	if len(os.Args) > 1 {
		return os.Args[1]
	}
	return "0"
}

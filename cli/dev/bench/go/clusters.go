// clusters.go BOOTSTRAP FILE [ROUNDS] - what the Go client does with each cluster of a response: decode and
// validate it, by its own decoder, in a loop.
//
// FILE is a DiscoveryResponse in binary, whose clusters it accepts. Prints "go-cluster": the median of the
// rounds in microseconds of wall and of processor time for a cluster. Processor time has that of all
// threads, as garbage is collected in others.
package main

import (
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"

	v3discoverypb "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"google.golang.org/grpc/internal/xds/bootstrap"
	"google.golang.org/grpc/internal/xds/clients/xdsclient"
	"google.golang.org/grpc/internal/xds/xdsclient/xdsresource"
	"google.golang.org/grpc/internal/xds/xdsclient/xdsresource/version"
	_ "google.golang.org/grpc/xds" // the LB policies that clusters may name
	"google.golang.org/protobuf/proto"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func clustersOf(file string) (clusters []*xdsclient.AnyProto) {
	response := &v3discoverypb.DiscoveryResponse{}
	if err := proto.Unmarshal(must(os.ReadFile(file)), response); err != nil {
		log.Fatal(err)
	}
	for _, resource := range response.Resources {
		if resource.TypeUrl == version.V3ClusterURL {
			clusters = append(clusters, xdsclient.NewAnyProto(resource))
		}
	}
	return clusters
}

func cpu() time.Duration {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func medianUs(times []time.Duration, clusters int) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2].Nanoseconds()) / 1e3 / float64(clusters)
}

func main() {
	rounds := 101
	if len(os.Args) > 3 {
		rounds = must(strconv.Atoi(os.Args[3]))
	}
	config := must(bootstrap.NewConfigFromContents(must(os.ReadFile(os.Args[1]))))
	server := xdsclient.ServerConfig{}
	options := xdsclient.DecodeOptions{ServerConfig: &server}
	decoder := xdsresource.NewClusterResourceTypeDecoder(config,
		map[xdsclient.ServerConfig]*bootstrap.ServerConfig{server: config.XDSServers()[0]})
	clusters := clustersOf(os.Args[2])
	wall, busy := make([]time.Duration, rounds), make([]time.Duration, rounds)
	for i := range rounds {
		began, used := time.Now(), cpu()
		for _, cluster := range clusters {
			must(decoder.Decode(cluster, options))
		}
		wall[i], busy[i] = time.Since(began), cpu()-used
	}
	fmt.Printf("go-cluster %.3f us %.3f cpu\n", medianUs(wall, len(clusters)), medianUs(busy, len(clusters)))
}

package example

import (
	"fmt"
	"strings"
	"testing"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"

	"example.com/xdscope"
	"example.com/xdscope/xdscopetest"
)

func shop(t *testing.T) *cache.Snapshot {
	snapshot, err := Snapshot("shop", "10.0.0.1", "10.0.0.2")
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

func TestClientsAcceptTheSnapshot(t *testing.T) {
	xdscopetest.Check(t, shop(t), xdscopetest.Go("1.72"), xdscopetest.Java(""))
}

func TestAnRPCGoesToTheCluster(t *testing.T) {
	input, err := xdscope.Snapshot(shop(t))
	if err != nil {
		t.Fatal(err)
	}
	decision, err := xdscope.Explain(input, xdscope.RPC{Target: "xds:///shop", Path: "/shop.Cart/Add"}, xdscope.Options{Clients: []string{"go"}})
	if err != nil {
		t.Fatal(err)
	}
	if decision.Outcome != "routed" || decision.RouteConfig.Name != "shop" {
		t.Errorf("%s", decision.Raw)
	}
}

// recorder is a testing.TB that keeps what is reported.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func TestAFaultIsReportedWithResourceAndField(t *testing.T) {
	snapshot := shop(t)
	shop := snapshot.GetResources(resource.ClusterType)["shop"].(*cluster.Cluster)
	shop.ClusterDiscoveryType = &cluster.Cluster_Type{Type: cluster.Cluster_STRICT_DNS}

	for name, check := range map[string]func(testing.TB){
		"snapshot": func(t testing.TB) { xdscopetest.Check(t, snapshot, xdscopetest.Go("1.72")) },
		"messages": func(t testing.TB) { xdscopetest.Check(t, xdscope.Messages{shop}, xdscopetest.Go("1.72")) },
	} {
		found := &recorder{TB: t}
		check(found)
		if len(found.errors) == 0 || !strings.Contains(found.errors[0], `Cluster "shop": type: error: `) {
			t.Errorf("%s: %q", name, found.errors)
		}
		t.Log(found.errors)
	}
}

func TestADifferenceNamesTheResource(t *testing.T) {
	old, _ := xdscope.Snapshot(shop(t))
	changed := shop(t)
	changed.GetResources(resource.ClusterType)["shop"].(*cluster.Cluster).LbPolicy = cluster.Cluster_RING_HASH
	now, _ := xdscope.Snapshot(changed)
	difference, err := xdscope.Diff(old, now, xdscope.Options{Clients: []string{"go"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(difference.Resources) != 1 || difference.Resources[0].Change != "changed" || difference.Resources[0].Name != "shop" {
		t.Errorf("%s", difference.Raw)
	}
}

package xdscope_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"

	"example.com/xdscope"
)

type entry struct {
	Case, Name, Content string
	Options             xdscope.Options
	Status              int
	Document            json.RawMessage
}

// What `make check-bindings` has asked the program.
func corpus(t testing.TB) (entries []entry) {
	text, err := os.ReadFile(os.Getenv("XDSCOPE_CORPUS"))
	if err != nil {
		t.Skip("XDSCOPE_CORPUS is not set: make check-bindings sets it")
	}
	if err := json.Unmarshal(text, &entries); err != nil || len(entries) != 100 {
		t.Fatal(len(entries), err)
	}
	return entries
}

func decoded(t testing.TB, text []byte) (value any) {
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func (e entry) input(t testing.TB) xdscope.Input {
	content, err := base64.StdEncoding.DecodeString(e.Content)
	if err != nil {
		t.Fatal(err)
	}
	return xdscope.File(e.Name, content)
}

func TestFindingsAreThoseOfTheProgram(t *testing.T) {
	for _, e := range corpus(t) {
		report, err := xdscope.Lint(e.input(t), e.Options)
		if err != nil {
			t.Errorf("%s: %v", e.Case, err)
			continue
		}
		if !reflect.DeepEqual(decoded(t, report.Raw), decoded(t, e.Document)) {
			t.Errorf("%s:\n%s\nthe program says\n%s", e.Case, report.Raw, e.Document)
		}
		if report.Accepted() != (e.Status == 0) {
			t.Errorf("%s: Accepted is %v", e.Case, report.Accepted())
		}
	}
}

func TestCallsMayRunAtOnce(t *testing.T) {
	entries := corpus(t)
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for _, e := range entries[i*25 : i*25+25] {
				if report, err := xdscope.Lint(e.input(t), e.Options); err != nil || report.Accepted() != (e.Status == 0) {
					t.Errorf("%s: %v", e.Case, err)
				}
			}
		})
	}
	group.Wait()
}

func TestTextIsThatOfTheProgram(t *testing.T) {
	tree := os.Getenv("XDSCOPE_TREE")
	if tree == "" {
		t.Skip("XDSCOPE_TREE is not set: make check-bindings sets it")
	}
	shop, err := xdscope.Folder(tree + "/testdata/snapshots/shop")
	if err != nil {
		t.Fatal(err)
	}
	own := func(words ...string) string {
		said, _ := exec.Command(os.Getenv("XDSCOPE_PROGRAM"), append(words, tree+"/testdata/snapshots/shop")...).Output()
		return string(said)
	}
	text, err := xdscope.LintAs("text", shop, xdscope.Options{})
	if wanted := own("lint", "--no-config"); err != nil || text != wanted || text == "" {
		t.Errorf("%v\n%s\nthe program says\n%s", err, text, wanted)
	}
	rpc := xdscope.RPC{Path: "/shop.Cart/Add", Authority: "shop.example.com"}
	text, err = xdscope.ExplainAs("text", shop, rpc, xdscope.Options{})
	if wanted := own("explain", "--path", rpc.Path, "--authority", rpc.Authority); err != nil || text != wanted || text == "" {
		t.Errorf("%v\n%s\nthe program says\n%s", err, text, wanted)
	}
	decision, err := xdscope.Explain(shop, rpc, xdscope.Options{})
	if err != nil || !decision.Routed() {
		t.Errorf("%v: %+v", err, decision)
	}
	rpc.Authority = "nobody"
	if decision, err = xdscope.Explain(shop, rpc, xdscope.Options{}); err != nil || decision.Routed() {
		t.Errorf("%v: %+v", err, decision)
	}
	for name, err := range map[string]error{
		"format":  second(xdscope.ExplainAs("html", shop, rpc, xdscope.Options{})),
		"clients": second(xdscope.ExplainAs("text", shop, rpc, xdscope.Options{Clients: []string{"go", "java"}})),
		"two":     second(xdscope.Diff(nil, shop, xdscope.Options{Clients: []string{"go"}})),
	} {
		if err == nil || err.(*xdscope.Error).Status != 2 {
			t.Error(name, err)
		}
	}
	if difference, err := xdscope.Diff(xdscope.Input{}, shop, xdscope.Options{}); err == nil {
		t.Errorf("nothing is no snapshot: %s", difference.Raw)
	}
}

func second[T any](_ T, err error) error { return err }

func TestGapsFailNoRPC(t *testing.T) {
	for outcome, routed := range map[string]bool{"routed": true, "routed_with_gaps": true, "no_route": false} {
		if (&xdscope.Decision{Outcome: outcome}).Routed() != routed {
			t.Error(outcome)
		}
	}
}

const cluster = `{"@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster", "name": "c", "type": "EDS",
 "eds_cluster_config": {"eds_config": {"ads": {}}}, "circuit_breakers": {"thresholds": [{"max_requests": 100}]}}`

func TestAfterAFaultTheNextCallWorks(t *testing.T) {
	hostile := map[string][]byte{
		"deep.json":  bytes.Repeat([]byte("["), 1<<20),
		"bomb.yaml":  []byte("a: &a [x, x]\n" + strings.Repeat("b: &b [*a, *a, *a]\n", 1000)),
		"noise.pb":   bytes.Repeat([]byte{0xff}, 1<<16),
		"many.json":  []byte("[" + strings.Repeat(`{"@type":"envoy.config.cluster.v3.Cluster","name":"a"},`, 3<<20) + "{}]"),
		"cut.json":   []byte(cluster[:len(cluster)/2]),
		"empty.json": nil,
	}
	failed := 0
	for name, content := range hostile {
		report, err := xdscope.Lint(xdscope.File(name, content), xdscope.Options{})
		if err != nil {
			failed++
			t.Log(name, err)
		} else if report.Accepted() && name != "empty.json" {
			t.Errorf("%s is accepted", name)
		}
		if report, err := xdscope.Lint(xdscope.File("c.json", []byte(cluster)), xdscope.Options{}); err != nil || !report.Accepted() {
			t.Errorf("after %s: %v", name, err)
		}
	}
	if failed == 0 {
		t.Error("nothing ran out of memory")
	}
	if _, err := xdscope.Lint(nil, xdscope.Options{Clients: []string{"nobody"}}); err == nil || err.(*xdscope.Error).Status != 2 {
		t.Error(err)
	}
}

func clusters(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strings.Replace(cluster, `"c"`, fmt.Sprintf(`"c%d"`, i), 1)
	}
	return texts
}

func BenchmarkOneCluster(b *testing.B) {
	input := xdscope.File("c.json", []byte(cluster))
	for b.Loop() {
		if _, err := xdscope.Lint(input, xdscope.Options{Clients: []string{"go"}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkManyClusters(b *testing.B) {
	const n = 2000
	input := xdscope.File("clusters.json", []byte("["+strings.Join(clusters(n), ",")+"]"))
	for b.Loop() {
		if report, err := xdscope.Lint(input, xdscope.Options{}); err != nil || len(report.Resources) != n {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "us/cluster")
}

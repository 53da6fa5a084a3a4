package xdscope_test

import (
	"fmt"

	"example.com/xdscope"
)

func ExampleLint() {
	report, err := xdscope.Lint(xdscope.File("c.json", []byte(`{
		"@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster", "name": "shop", "type": "STRICT_DNS"}`)),
		xdscope.Options{Clients: []string{"go@1.72"}})
	if err != nil {
		panic(err)
	}
	for _, finding := range report.Findings {
		fmt.Println(finding.Level, finding.Resource.Name, finding.Path, finding.Rule)
	}
	// Output: error shop type cluster-discovery-type
}

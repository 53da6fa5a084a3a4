// Package xdscopetest fails a test for what gRPC clients would reject.
package xdscopetest

import (
	"testing"

	"example.com/xdscope"
	"google.golang.org/protobuf/proto"
)

// Option changes what is asked.
type Option func(*xdscope.Options)

// Go is grpc-go at this release, "1.72"; "" is its newest one.
func Go(release string) Option { return client("go", release) }

// Java is grpc-java.
func Java(release string) Option { return client("java", release) }

// Core is gRPC C-core: C++, Python, Ruby, PHP.
func Core(release string) Option { return client("core", release) }

// Node is @grpc/grpc-js-xds.
func Node(release string) Option { return client("node", release) }

func client(name, release string) Option {
	if release != "" {
		name += "@" + release
	}
	return func(options *xdscope.Options) { options.Clients = append(options.Clients, name) }
}

// Env sets a gRPC environment variable of the clients.
func Env(name, value string) Option {
	return func(options *xdscope.Options) { options.Env = append(options.Env, name+"="+value) }
}

// Check fails the test with a line for each error of the snapshot: a *cache.Snapshot or cache.ResourceSnapshot of
// go-control-plane, or xdscope.Messages. Warnings are logged. Without a client all are asked.
func Check[R proto.Message](t testing.TB, snapshot xdscope.Source[R], options ...Option) {
	t.Helper()
	input, err := xdscope.Snapshot(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	CheckInput(t, input, options...)
}

// CheckInput is Check of files: xdscope.File("snapshot.yaml", content).
func CheckInput(t testing.TB, input xdscope.Input, options ...Option) {
	t.Helper()
	var asked xdscope.Options
	for _, option := range options {
		option(&asked)
	}
	report, err := xdscope.Lint(input, asked)
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range report.Findings {
		switch finding.Level {
		case "error":
			t.Errorf("%s", finding)
		case "warning":
			t.Logf("%s", finding)
		}
	}
}

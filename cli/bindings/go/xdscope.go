// Package xdscope says what gRPC clients make of an xDS snapshot: would they accept it, where does an RPC go, what does a
// change do. It needs neither cgo nor a program: the library is embedded as WebAssembly.
//
// The documents are those of `xdscope lint`, `explain` and `diff` with --format json; fields that have no member here are in Raw.
package xdscope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"

	"google.golang.org/protobuf/proto"
)

// Options are those of the command line that have the same names.
type Options struct {
	Clients            []string        `json:"clients,omitempty"` // "go@1.72", "core@1.60..1.72", "all@3y"; see xdscope-lint(1)
	Env                []string        `json:"env,omitempty"`     // "NAME=VALUE": a gRPC environment variable of the client
	With               []string        `json:"with,omitempty"`    // packages that the client links: "rls"
	Type               string          `json:"type,omitempty"`    // of files that do not name the type of their resource
	Bootstrap          json.RawMessage `json:"bootstrap,omitempty"`
	Partial            bool            `json:"partial,omitempty"`
	AllowUnknownFields bool            `json:"allow_unknown_fields,omitempty"`
}

type part struct {
	Name    string `json:"name"`
	TypeURL string `json:"type_url,omitempty"`
	Size    *int   `json:"size,omitempty"`
	Sizes   []int  `json:"sizes,omitempty"`
	content [][]byte
}

// Input is what is judged. append() joins several.
type Input []part

// File is the content of a file as xdscope reads it: YAML, JSON, text proto or binary.
func File(name string, content []byte) Input {
	size := len(content)
	return Input{{Name: name, Size: &size, content: [][]byte{content}}}
}

// The types that gRPC clients read, in the order in which they ask for them.
var typeURLs = []string{
	"type.googleapis.com/envoy.config.listener.v3.Listener",
	"type.googleapis.com/envoy.config.route.v3.RouteConfiguration",
	"type.googleapis.com/envoy.config.cluster.v3.Cluster",
	"type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
}

// Source is what has resources by type: *cache.Snapshot and cache.ResourceSnapshot of go-control-plane, and Messages.
type Source[R proto.Message] interface {
	GetResources(typeURL string) map[string]R
}

// Messages are resources as a Source.
type Messages []proto.Message

// GetResources has the messages of this type, by their places.
func (m Messages) GetResources(typeURL string) map[string]proto.Message {
	found := map[string]proto.Message{}
	for i, message := range m {
		if "type.googleapis.com/"+string(message.ProtoReflect().Descriptor().FullName()) == typeURL {
			found[fmt.Sprintf("%09d", i)] = message
		}
	}
	return found
}

// Snapshot is all that a Source has, each type as the response that a control plane would send.
func Snapshot[R proto.Message](source Source[R]) (Input, error) {
	var input Input
	for _, url := range typeURLs {
		resources := source.GetResources(url)
		names := make([]string, 0, len(resources))
		for name := range resources {
			names = append(names, name)
		}
		sort.Strings(names)
		p := part{Name: "snapshot", TypeURL: url}
		for _, name := range names {
			content, err := proto.MarshalOptions{Deterministic: true}.Marshal(resources[name])
			if err != nil {
				return nil, fmt.Errorf("xdscope: %s: %w", name, err)
			}
			p.Sizes, p.content = append(p.Sizes, len(content)), append(p.content, content)
		}
		if len(names) > 0 {
			input = append(input, p)
		}
	}
	return input, nil
}

type request struct {
	Options
	Files   Input `json:"files"`
	Old     Input `json:"old,omitempty"`
	Request *RPC  `json:"request,omitempty"`
}

// ask sends a request and reads the document of the answer.
func ask(name string, r request, out any) (json.RawMessage, error) {
	if r.Files == nil {
		r.Files = Input{}
	}
	var to bytes.Buffer
	if err := json.NewEncoder(&to).Encode(r); err != nil { // ends with a line break
		return nil, &Error{2, err.Error()}
	}
	for _, input := range []Input{r.Files, r.Old} {
		for _, p := range input {
			for _, content := range p.content {
				to.Write(content)
			}
		}
	}
	raw, err := call(name, to.Bytes())
	if err != nil {
		return nil, err
	}
	return raw, json.Unmarshal(raw, out)
}

// ResourceID names a resource.
type ResourceID struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

// Finding is one fault, warning or note.
type Finding struct {
	Rule     string            `json:"rule"`
	Level    string            `json:"level"` // "error", "warning", "note"
	Message  string            `json:"message"`
	Path     string            `json:"path"` // the field: "virtual_hosts[0].routes[2].match"
	Resource *ResourceID       `json:"resource"`
	File     string            `json:"file"`
	Line     int               `json:"line"` // from 1; 0: not known
	Column   int               `json:"column"`
	Clients  map[string]string `json:"clients"` // "go": "NACK", "ACCEPT", "IGNORE", "SKIP", "CRASH"
}

func (f Finding) String() string {
	where := f.File
	if f.Resource != nil {
		where = fmt.Sprintf("%s %q", f.Resource.Type[lastDot(f.Resource.Type):], f.Resource.Name)
	}
	if f.Path != "" {
		where += ": " + f.Path
	}
	return fmt.Sprintf("%s: %s: %s [%s]", where, f.Level, f.Message, f.Rule)
}

func lastDot(text string) int {
	for i := len(text); i > 0; i-- {
		if text[i-1] == '.' {
			return i
		}
	}
	return 0
}

// Resource is one that was judged.
type Resource struct {
	Type    string            `json:"type"`
	Name    string            `json:"name"`
	Verdict string            `json:"verdict"` // "ACK", "NACK", "CRASH"
	Clients map[string]string `json:"clients"`
}

// Report is what Lint has found.
type Report struct {
	Clients   []string        `json:"clients"`
	Resources []Resource      `json:"resources"`
	Findings  []Finding       `json:"findings"`
	Raw       json.RawMessage `json:"-"` // man/schema/lint.schema.json
}

// Accepted is true without an error.
func (r *Report) Accepted() bool {
	for _, finding := range r.Findings {
		if finding.Level == "error" {
			return false
		}
	}
	return true
}

// Lint says whether gRPC clients accept the input, and what else is wrong with it.
func Lint(input Input, options Options) (*Report, error) {
	report := &Report{}
	raw, err := ask("lint", request{Options: options, Files: input}, report)
	report.Raw = raw
	return report, err
}

// RPC is a line of `xdscope explain --requests`.
type RPC struct {
	Path     string      `json:"path"` // "/package.Service/Method"
	Target   string      `json:"target,omitempty"`
	Listener string      `json:"listener,omitempty"`
	Headers  [][2]string `json:"headers,omitempty"`
}

// Decision is where an RPC goes.
type Decision struct {
	Client  string `json:"client"`
	Outcome string `json:"outcome"` // "routed"; else the RPC fails
	Status  *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"status"`
	RouteConfig *struct {
		Name string `json:"name"`
	} `json:"route_config"`
	Raw json.RawMessage `json:"-"` // man/schema/explain.schema.json
}

// Explain says where an RPC goes, for the only client in options.Clients, or C-core.
func Explain(input Input, rpc RPC, options Options) (*Decision, error) {
	decision := &Decision{}
	raw, err := ask("explain", request{Options: options, Files: input, Request: &rpc}, decision)
	decision.Raw = raw
	return decision, err
}

// Difference is what changes, and for whom.
type Difference struct {
	Resources []struct {
		Change string `json:"change"` // "added", "removed", "changed"
		Type   string `json:"type"`
		Name   string `json:"name"`
	} `json:"resources"`
	Summary map[string]any  `json:"summary"`
	Raw     json.RawMessage `json:"-"` // man/schema/diff.schema.json
}

// Diff compares two inputs; without an old one what two clients, or releases, make of one.
func Diff(old, input Input, options Options) (*Difference, error) {
	difference := &Difference{}
	raw, err := ask("diff", request{Options: options, Files: input, Old: old}, difference)
	difference.Raw = raw
	return difference, err
}

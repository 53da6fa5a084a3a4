// Package xdscope says what gRPC clients make of an xDS snapshot: would they accept it, where does an RPC go, what does a
// change do. It needs neither cgo nor a program: the library is embedded as WebAssembly.
//
// The documents are those of `xdscope lint`, `explain` and `diff` with --format json; fields that have no member here are in Raw.
package xdscope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"google.golang.org/protobuf/proto"
)

// Options are those of the command line that have the same names.
type Options struct {
	Clients            []string        `json:"clients,omitempty"`              // "go@1.72", "core@1.60..1.72", "all@3y"; see xdscope-lint(1). Explain: one, else C-core
	Env                []string        `json:"env,omitempty"`                  // "NAME=VALUE": a gRPC environment variable of the client
	With               []string        `json:"with,omitempty"`                 // packages that the client links: "rls"
	Type               string          `json:"type,omitempty"`                 // of files that do not name the type of their resource
	Bootstrap          json.RawMessage `json:"bootstrap,omitempty"`            // a gRPC bootstrap
	Partial            bool            `json:"partial,omitempty"`              // references may lead out of the input
	AllowUnknownFields bool            `json:"allow_unknown_fields,omitempty"` // fields that xdscope does not know are no fault
}

type part struct {
	Name    string `json:"name"`
	TypeURL string `json:"type_url,omitempty"`
	Size    *int   `json:"size,omitempty"`
	Sizes   []int  `json:"sizes,omitempty"`
	Files   *Input `json:"files,omitempty"`
	content [][]byte
}

// Input is what is judged. append() joins several.
type Input []part

// File is the content of a file as xdscope reads it: YAML, JSON, text proto or binary.
func File(name string, content []byte) Input {
	size := len(content)
	return Input{{Name: name, Size: &size, content: [][]byte{content}}}
}

// The endings of the files of a folder that the program reads.
var endings = regexp.MustCompile(`\.(json|ndjson|jsonl|yaml|yml|pb|binpb|txtpb|textproto|pb_text|pbtxt|prototxt)(\.gz|\.zst)?$`)

// Folder is the files of a folder, as the program reads them but for links to folders, which are not followed: what is not xDS
// in it is no fault, and its bootstrap.json is used if it is the only input.
func Folder(name string) (Input, error) {
	folder := part{Name: name, Files: &Input{}}
	err := filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != name && strings.HasPrefix(entry.Name(), ".") && entry.IsDir():
			return filepath.SkipDir
		case strings.HasPrefix(entry.Name(), ".") || !endings.MatchString(entry.Name()):
			return nil
		}
		if found, err := os.Stat(path); err != nil || !found.Mode().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		file := File(filepath.ToSlash(path), content)
		*folder.Files, folder.content = append(*folder.Files, file...), append(folder.content, content)
		return err
	})
	if err != nil {
		return nil, &Error{3, err.Error()}
	}
	return Input{folder}, nil
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
	Files   Input  `json:"files"`
	Old     *Input `json:"old,omitempty"`
	Request *RPC   `json:"request,omitempty"`
	Format  string `json:"format,omitempty"`
}

// send gives what the command prints.
func send(name string, r request) ([]byte, error) {
	if r.Files == nil {
		r.Files = Input{}
	}
	var to bytes.Buffer
	if err := json.NewEncoder(&to).Encode(r); err != nil { // ends with a line break
		return nil, &Error{2, err.Error()}
	}
	inputs := r.Files
	if r.Old != nil {
		inputs = append(inputs[:len(inputs):len(inputs)], *r.Old...)
	}
	for _, p := range inputs {
		for _, content := range p.content {
			to.Write(content)
		}
	}
	return call(name, to.Bytes())
}

// ask sends a request and reads the document of the answer.
func ask(name string, r request, out any) (json.RawMessage, error) {
	raw, err := send(name, r)
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

// Errors are the findings for which a client rejects a resource.
func (r *Report) Errors() []Finding {
	var found []Finding
	for _, finding := range r.Findings {
		if finding.Level == "error" {
			found = append(found, finding)
		}
	}
	return found
}

// Accepted is true without an error.
func (r *Report) Accepted() bool { return len(r.Errors()) == 0 }

// Lint says whether gRPC clients accept the input, and what else is wrong with it.
func Lint(input Input, options Options) (*Report, error) {
	report := &Report{}
	raw, err := ask("lint", request{Options: options, Files: input}, report)
	report.Raw = raw
	return report, err
}

// LintAs is Lint in another format: "text", "gcc", "json", "sarif", "github", "junit", "checkstyle", "html", "gitlab", "rdjson".
func LintAs(format string, input Input, options Options) (string, error) {
	text, err := send("lint", request{Options: options, Files: input, Format: format})
	return string(text), err
}

// RPC is a line of `xdscope explain --requests`.
type RPC struct {
	Path      string      `json:"path"`             // "/package.Service/Method"
	Target    string      `json:"target,omitempty"` // "xds:///name"; not needed with one listener
	Listener  string      `json:"listener,omitempty"`
	Authority string      `json:"authority,omitempty"` // where it is not that of the target
	Headers   [][2]string `json:"headers,omitempty"`
}

// Decision is where an RPC goes.
type Decision struct {
	Client  string `json:"client"`
	Outcome string `json:"outcome"` // "routed", "routed_with_gaps"; else the RPC fails: see Routed
	Status  *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"status"`
	RouteConfig *struct {
		Name string `json:"name"`
	} `json:"route_config"`
	Raw json.RawMessage `json:"-"` // man/schema/explain.schema.json
}

// Routed is true where the RPC goes to a host, as the exit status of the program says: gaps, such as a fault that may happen,
// fail none.
func (d *Decision) Routed() bool { return d.Outcome == "routed" || d.Outcome == "routed_with_gaps" }

// Explain says where an RPC goes, for the only client in options.Clients, or C-core.
func Explain(input Input, rpc RPC, options Options) (*Decision, error) {
	decision := &Decision{}
	raw, err := ask("explain", request{Options: options, Files: input, Request: &rpc}, decision)
	decision.Raw = raw
	return decision, err
}

// ExplainAs is Explain in another format: "text", for people, or "json".
func ExplainAs(format string, input Input, rpc RPC, options Options) (string, error) {
	text, err := send("explain", request{Options: options, Files: input, Request: &rpc, Format: format})
	return string(text), err
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
	r := request{Options: options, Files: input}
	if old != nil {
		r.Old = &old
	}
	raw, err := ask("diff", r, difference)
	difference.Raw = raw
	return difference, err
}

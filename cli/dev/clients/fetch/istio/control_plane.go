// istiod without Kubernetes: its own server, which reads the configuration of a folder.
//
// usage: control-plane CONFIG-FOLDER [PORT]
//
// Speaks the language of ../planes.py: a line {"node"} on stdin is answered with {"set", "error",
// "port"}. What is served does not depend on the line, and requests are not printed: the server
// has no hook for them.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"unsafe"

	"istio.io/istio/pilot/pkg/bootstrap"
	"istio.io/istio/pkg/kube"
)

// listenAddress is a free port of loopback, unless one is given.
func listenAddress(port string) (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

func arguments(folder, address string) *bootstrap.PilotArgs {
	return bootstrap.NewPilotArgs(func(p *bootstrap.PilotArgs) {
		p.Namespace = "istio-system"
		p.PodName = "istiod-0"
		p.MeshConfigFile = filepath.Join(folder, "mesh.yaml")
		p.ServerOptions = bootstrap.DiscoveryServerOptions{
			HTTPAddr: "127.0.0.1:0", MonitoringAddr: "127.0.0.1:0", GRPCAddr: address,
		}
		p.RegistryOptions.FileDir = filepath.Join(folder, "services")
		p.RegistryOptions.Registries = nil
		p.RegistryOptions.KubeOptions.DomainSuffix = "cluster.local"
		p.RegistryOptions.KubeOptions.ClusterID = "Kubernetes"
	})
}

// Without a Kubernetes client, the registry of service entries panics at the start: one that knows
// no cluster, as in istiod's own tests, is put where only those can put it.
func setKubeClient(s *bootstrap.Server) {
	f := reflect.ValueOf(s).Elem().FieldByName("kubeClient")
	reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Set(reflect.ValueOf(kube.NewFakeClient()))
}

func start(folder, port string) (int, error) {
	address, err := listenAddress(port)
	if err != nil {
		return 0, err
	}
	s, err := bootstrap.NewServer(arguments(folder, address), setKubeClient)
	if err != nil {
		return 0, err
	}
	if err := s.Start(make(chan struct{})); err != nil {
		return 0, err
	}
	at, err := net.ResolveTCPAddr("tcp", address)
	return at.Port, err
}

// istiod logs to descriptor 1, which is for the answers: the log goes to stderr.
func takeStdout() (*os.File, error) {
	fd, err := syscall.Dup(1)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "answers"), syscall.Dup3(2, 1, 0)
}

func main() {
	port := ""
	if len(os.Args) > 2 {
		port = os.Args[2]
	}
	answers, err := takeStdout()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	at, err := start(os.Args[1], port)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for out := json.NewEncoder(answers); lines.Scan(); {
		var asked struct{ Node string }
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		_ = out.Encode(map[string]any{"set": asked.Node, "error": nil, "port": at})
	}
}

#!/bin/sh
# install_plane.sh RELEASE FOLDER - the xDS server of Cilium as a program, built in a module of its own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cp "$here/control_plane.go" "$2/main.go"
cd "$2"
printf 'module controlplane\n\ngo 1.26\n' >go.mod
{ go get "github.com/cilium/cilium/pkg/envoy/xds@v$1" && go mod tidy; } >tidy.log 2>&1 || { cat tidy.log >&2; exit 1; }
go build -p 2 -ldflags '-s -w' -o control-plane .

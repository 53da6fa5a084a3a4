#!/bin/sh
# install_plane.sh RELEASE FOLDER - go-control-plane as a program, built in a module of its own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cp "$here/control_plane.go" "$2/main.go"
cd "$2"
printf 'module controlplane\n\ngo 1.23\n\nrequire github.com/envoyproxy/go-control-plane v%s\n' "$1" >go.mod
go mod tidy >tidy.log 2>&1 || { cat tidy.log >&2; exit 1; }
go build -p 1 -ldflags '-s -w' -o control-plane .

#!/bin/sh
# install.sh RELEASE FOLDER - grpc-go as a client program. It is built in a module of its own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cp "$here/main.go" "$2"
cd "$2"
printf 'module client\n\ngo 1.19\n\nrequire google.golang.org/grpc v%s\n' "$1" >go.mod
go mod tidy >tidy.log 2>&1 || { cat tidy.log >&2; exit 1; }
go build -p 1 -ldflags '-s -w' -o client .

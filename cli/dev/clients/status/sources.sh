#!/bin/sh
# sources.sh CLIENT RELEASE FOLDER - the source of a release of a client, as its registry has it; of
# grpc-java its classes, which have the texts too.
set -eu
client=$1 release=$2
mkdir -p "$3"
cd "$3"
case $client in
core)
    python3 -m venv venv
    venv/bin/python -m pip install -q 'setuptools>=77.0.1,<80' wheel cython
    venv/bin/python -m pip download -q --no-deps --no-binary grpcio --no-build-isolation "grpcio==$release"
    tar -xzf "grpcio-$release.tar.gz" --strip-components=1 --wildcards '*/src/core'
    rm -rf venv "grpcio-$release.tar.gz"
    ;;
go)
    printf 'module sources\n\ngo 1.19\n' >go.mod
    from=$(GOFLAGS=-mod=mod go mod download -json "google.golang.org/grpc@v$release" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
    cp -r "$from/." .
    chmod -R u+w .
    ;;
java)
    for part in xds core util rls api; do
        mvn -q -B dependency:copy "-Dartifact=io.grpc:grpc-$part:$release:jar" -DoutputDirectory=. >/dev/null || continue
        unzip -qo "grpc-$part-$release.jar" 'io/grpc/*' && rm "grpc-$part-$release.jar"
    done
    rm -rf io/grpc/xds/shaded
    ;;
node)
    echo '{"private": true}' >package.json
    npm install --silent --no-audit --no-fund --ignore-scripts "@grpc/grpc-js-xds@$release" @grpc/grpc-js
    ;;
esac

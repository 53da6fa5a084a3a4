#!/bin/sh
# setup.sh CLIENT: builds what plays LB policies of a client, below build/clients/lb/CLIENT.
# Exit status 77: a tool is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=build/clients/lb/$1
need() { command -v "$1" >/dev/null || { echo "$1 is missing"; exit 77; }; }

# The tests are copied into a copy of the module, as they look into its internals.
setup_go() {
    need go
    version=v1.85.0
    mkdir -p "$dir"
    if [ ! -d "$dir/grpc-$version" ]; then
        (cd "$dir" && { [ -f go.mod ] || go mod init lbplay; } 2>/dev/null)
        src=$(cd "$dir" && go mod download -json "google.golang.org/grpc@$version" |
            sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
        cp -r "$src" "$dir/grpc-$version"
        chmod -R u+w "$dir/grpc-$version"
    fi
    root=$dir/grpc-$version
    mkdir -p "$root/cmd/lbplay"
    cp "$here/go/policies_test.go.txt" "$root/cmd/lbplay/policies_test.go"
    cp "$here/go/channel_test.go.txt" "$root/cmd/lbplay/channel_test.go"
    for package in internal/cache internal/wrr internal/balancergroup \
        internal/xds/balancer/priority internal/xds/balancer/cdsbalancer \
        internal/xds/clients/xdsclient; do
        cp "$here/go/${package##*/}_inspect.go.txt" "$root/$package/inspect.go"
    done
    (cd "$root" && go test -c -o ../lbplay.test ./cmd/lbplay)
}

setup_java() {
    need mvn
    need javac
    mkdir -p "$dir/classes"
    cp "$here/java/pom.xml" "$dir"
    [ -d "$dir/lib" ] ||
        (cd "$dir" && mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib)
    javac -nowarn -Xlint:-unchecked -cp "$dir/lib/*" -d "$dir/classes" "$here/java/Player.java"
}

"setup_$1"

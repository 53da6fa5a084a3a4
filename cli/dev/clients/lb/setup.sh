#!/bin/sh
# setup.sh CLIENT RELEASE: builds what plays LB policies of a client, below
# build/clients/lb/CLIENT/RELEASE. Exit status 77: a tool is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=build/clients/lb/$1/$2
need() { command -v "$1" >/dev/null || { echo "$1 is missing"; exit 77; }; }

# A file of the player in the module: before 1.76 the packages of xDS were elsewhere, and the
# names of priorities were made in another one.
place() {
    sed -e "s#grpc/internal/xds/#grpc/$xds/#" -e "s/\<cdsbalancer\>/$names/" \
        -e "s#grpc/experimental/balancer/weight#grpc/$weight#" "$here/go/$1" >"$root/$2"
}

# The tests are copied into a copy of the module, as they look into its internals.
setup_go() {
    need go
    root=$dir/grpc
    mkdir -p "$dir"
    if [ ! -d "$root" ]; then
        (cd "$dir" && { [ -f go.mod ] || go mod init lbplay; } 2>/dev/null)
        src=$(cd "$dir" && go mod download -json "google.golang.org/grpc@v$release" |
            sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
        cp -r "$src" "$root"
        chmod -R u+w "$root"
    fi
    xds=internal/xds
    names=cdsbalancer
    weight=experimental/balancer/weight
    [ -d "$root/$weight" ] || weight=internal/balancer/weight
    [ -d "$root/$xds/balancer" ] || xds=xds/internal
    [ ! -d "$root/$xds/balancer/clusterresolver" ] || names=clusterresolver
    mkdir -p "$root/xds/lbplay"
    place policies_test.go.txt xds/lbplay/policies_test.go
    place ring_test.go.txt xds/lbplay/ring_test.go
    if [ -d "$root/balancer/ringhash" ]; then
        place endpoints_test.go.txt xds/lbplay/state_test.go
    else
        place addresses_test.go.txt xds/lbplay/state_test.go
    fi
    place cache_inspect.go.txt internal/cache/inspect.go
    place balancergroup_inspect.go.txt internal/balancergroup/inspect.go
    place priority_inspect.go.txt "$xds/balancer/priority/inspect.go"
    place cdsbalancer_inspect.go.txt "$xds/balancer/$names/inspect.go"
    random=$(sed -n 's/^var \(.*nt6.*n\) = .*/\1/p' "$root/internal/wrr/random.go")
    sed "s/randInt64n/$random/" "$here/go/wrr_inspect.go.txt" >"$root/internal/wrr/inspect.go"
    if grep -q EnablePriorityLBChildPolicyCache "$root/internal/envconfig/envconfig.go"; then
        place priority_cache_test.go.txt xds/lbplay/priority_cache_test.go
    fi
    # The whole channel, of the newest release only.
    if [ "$names" = cdsbalancer ]; then
        place channel_test.go.txt xds/lbplay/channel_test.go
        place xdsclient_inspect.go.txt internal/xds/clients/xdsclient/inspect.go
        place ringhash_inspect.go.txt balancer/ringhash/inspect.go
    fi
    (cd "$root" && go test -c -o ../lbplay.test ./xds/lbplay)
}

setup_java() {
    need mvn
    need javac
    mkdir -p "$dir/classes"
    cp "$here/java/pom.xml" "$dir"
    [ -d "$dir/lib" ] || (cd "$dir" &&
        mvn -q -B dependency:copy-dependencies -Dgrpc.version="$release" -DoutputDirectory=lib)
    javac -nowarn -Xlint:-unchecked -cp "$dir/lib/*" -d "$dir/classes" "$here"/java/*.java
}

release=$2
"setup_$1"

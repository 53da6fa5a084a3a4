#!/bin/sh
# cpp_protos.sh FOLDER - C++ of the messages that a generated snapshot is made of.
#
# Takes:  proto/, from the roots below along the imports.
# Gives:  FOLDER/*.pb.cc and *.pb.h. Our google.protobuf.proto is left out: the C++ library
#         brings those messages, one file each.
set -eu
out=$1
roots='envoy.service.discovery.v3 envoy.config.listener.v3 envoy.config.route.v3 envoy.config.cluster.v3
envoy.config.endpoint.v3 envoy.extensions.filters.network.http_connection_manager.v3
envoy.extensions.filters.http.router.v3 envoy.extensions.filters.http.fault.v3
envoy.extensions.filters.http.stateful_session.v3 envoy.extensions.http.stateful_session.cookie.v3
envoy.extensions.clusters.aggregate.v3 envoy.extensions.transport_sockets.tls.v3
envoy.extensions.load_balancing_policies.round_robin.v3 envoy.extensions.load_balancing_policies.ring_hash.v3'
known=$(for name in any duration empty field_mask struct timestamp wrappers; do
    printf 'import "google/protobuf/%s.proto";' $name
done)

# Copies a file, then what it imports.
take() {
    [ ! -f "$out/$1" ] && [ "$1" != google.protobuf.proto ] || return 0
    sed "s#^import \"google.protobuf.proto\";#$known#" "proto/$1" >"$out/$1"
    sed -n 's/^import "\(.*\)";/\1/p' "proto/$1" | while read -r import; do take "$import"; done
}

rm -rf "$out"
mkdir -p "$out"
for root in $roots; do take "$root.proto"; done
# Not every file uses all of the well-known messages; of that protoc warns.
cd "$out"
if ! protoc -I. --cpp_out=. ./*.proto 2>protoc.log; then
    cat protoc.log
    exit 1
fi

#!/bin/sh
# install.sh RELEASE FOLDER - grpc-node: grpc-js-xds and the grpc-js that npm finds for it. With
# one outside its peer range, such as 1.10.1 with 1.14, it throws when it has its first route.
set -eu
mkdir -p "$2"
echo '{"private": true}' >"$2/package.json"
cd "$2"
npm install --silent --no-audit --no-fund --ignore-scripts \
    "@grpc/grpc-js-xds@$1" @grpc/grpc-js

#!/bin/sh
# install.sh RELEASE FOLDER - grpc-node: grpc-js-xds and the grpc-js that npm finds for it.
set -eu
mkdir -p "$2"
echo '{"private": true}' >"$2/package.json"
cd "$2"
npm install --silent --no-audit --no-fund --ignore-scripts \
    "@grpc/grpc-js-xds@$1" @grpc/grpc-js

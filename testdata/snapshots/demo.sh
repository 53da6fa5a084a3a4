#!/bin/sh
# demo.sh PROGRAM - the main job on a real snapshot: judge it, then say where one RPC goes.
set -eu
xdscope=$1
cd "$(dirname "$0")/../.."
run() {
    printf '\n$ xdscope'
    for word in "$@"; do
        case $word in *[!A-Za-z0-9_./:=,-]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n'
    "$xdscope" "$@" || [ $? -eq 1 ] # 1: it has something to say
}
run lint testdata/snapshots/shop
run explain --target xds:///shop.example.com --path /shop.Cart/Checkout \
    --cookie-host 10.1.0.3:8443 --cookie-cluster cart testdata/snapshots/shop

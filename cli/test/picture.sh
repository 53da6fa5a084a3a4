#!/bin/sh
# picture.sh PROGRAM [update] - testdata/snapshots/shop/explain.dot is what explain -f dot
# draws of the demo's RPC. Only the DOT text is compared: the SVG beside it depends on the
# version of graphviz. With "update" both are written anew.
set -eu
folder=testdata/snapshots/shop
draw() {
    "$1" explain -f dot --target xds:///shop.example.com --path /shop.Cart/Checkout \
        --cookie-host 10.1.0.3:8443 --cookie-cluster cart "$folder"
}
if [ "${2-}" = update ]; then
    text=$(draw "$1")
    printf '%s\n' "$text" >"$folder/explain.dot"
    dot -Tsvg "$folder/explain.dot" >"$folder/explain.svg"
    exit 0
fi
draw "$1" | diff "$folder/explain.dot" - && exit 0
echo "$folder/explain.dot: run 'sh cli/test/picture.sh $1 update'"
exit 1

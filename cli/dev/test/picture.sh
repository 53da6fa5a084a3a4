#!/bin/sh
# picture.sh PROGRAM [update] - testdata/snapshots/shop/explain.dot is what explain -f dot
# draws of the demo's RPC, and the SVG beside it shows the same words. How graphviz lays it
# out depends on its version and is not compared. With "update" both are written anew.
set -eu
folder=testdata/snapshots/shop
draw() {
    "$1" explain -f dot --target xds:///shop.example.com --path /shop.Cart/Checkout \
        --cookie-host 10.1.0.3:8443 --cookie-cluster cart "$folder"
}
# The lines of text in a picture.
words() {
    sed -n 's/.*<text[^>]*>\(.*\)<\/text>.*/\1/p' | sort
}
if [ "${2-}" = update ]; then
    text=$(draw "$1")
    printf '%s\n' "$text" >"$folder/explain.dot"
    dot -Tsvg "$folder/explain.dot" >"$folder/explain.svg"
    exit 0
fi
current=true
draw "$1" | diff "$folder/explain.dot" - || current=false
if command -v dot >/dev/null 2>&1; then
    shown=$(words <"$folder/explain.svg")
    drawn=$(dot -Tsvg "$folder/explain.dot" | words)
    [ "$shown" = "$drawn" ] || current=false
fi
$current && exit 0
echo "$folder/explain.dot or .svg: run 'sh cli/dev/test/picture.sh $1 update'"
exit 1

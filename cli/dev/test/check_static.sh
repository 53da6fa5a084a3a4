#!/bin/sh
# check_static.sh PROGRAM OBJECTS - the static program needs no library, is hardened, and answers as
# the other one does; as root also in a root that holds nothing else. EMULATOR: a static
# program that runs it, where it is for another processor. OBJECTS: the folder of what of ours is
# linked into it.
set -eu
cd "$(dirname "$0")/../../.."
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

readelf -dW "$program" | grep NEEDED && { echo "$program needs libraries"; exit 1; }
sh cli/dev/test/check_hardening.sh "$program" "$2"
cp "$program" "$work/xdscope"
cp -r testdata/snapshots/shop "$work/shop"
mkdir "$work/tmp" # convert writes there what it reads first
runner=
[ -z "${EMULATOR:-}" ] || { cp "$EMULATOR" "$work/emulator" && runner=/emulator; }
in_root() {
    if [ "$(id -u)" = 0 ]; then chroot "$work" $runner /xdscope "$@"; else (cd "$work" && ${runner:+./emulator} ./xdscope "$@"); fi
}
same() {
    in_root "$@" >"$work/static.out" || [ $? -eq 1 ]
    (cd testdata/snapshots && ../../build/xdscope "$@") >"$work/other.out" || [ $? -eq 1 ]
    cmp "$work/static.out" "$work/other.out" || { echo "$program $*: not the same"; exit 1; }
}
same lint --client all shop
same lint -f json --client all shop
same explain --target xds:///shop.example.com --path /shop.Cart/Checkout shop
same lb-config -f json shop
same convert -f json shop
echo "  STATIC	$program: $(du -h "$program" | cut -f1)"

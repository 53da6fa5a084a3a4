#!/bin/sh
# check_without_fetch.sh PROGRAM - built with WITHOUT_FETCH=1 it needs neither nghttp2 nor
# OpenSSL, says so where it would open a connection, and answers everything else. Built with
# SYSTEM=portable, it does without what is Linux's alone, and --watch looks for changes itself.
set -eu
program=$1
needed=$(readelf -dW "$program" | grep -E 'NEEDED.*(nghttp2|ssl|crypto)' || true)
[ -z "$needed" ] || { echo "$program needs $needed"; exit 1; }
refuses() { # COMMAND ARGUMENTS...
    status=0
    said=$("$program" "$@" 2>&1) || status=$?
    [ $status -eq 2 ] && [ "$said" = "xdscope: $1: localhost:1: this program was built without a network (WITHOUT_FETCH=1)" ] ||
        { echo "$program $*: exit $status: $said"; exit 1; }
}
refuses fetch csds localhost:1
refuses fetch ads localhost:1 --target a
refuses lint --from csds://localhost:1
"$program" lint -q --client all testdata/snapshots/shop >/dev/null || [ $? -eq 1 ]
linux=$(nm -Du "$program" | grep -E ' (inotify_|sendfile|sched_getaffinity|ppoll|[a-z]*xattr|posix_fallocate)' || true)
[ -z "$linux" ] || { echo "$program needs $linux"; exit 1; }
folder=$(mktemp -d)
"$program" lint --no-config -w "$folder" >"$folder/.said" 2>&1 &
watcher=$!
trap 'kill $watcher; rm -rf "$folder"' EXIT
await() { # TEXT
    for _ in $(seq 200); do
        ! grep -q "$1" "$folder/.said" || return 0
        sleep 0.1
    done
    echo "$program lint -w does not say \"$1\":"
    cat "$folder/.said"
    exit 1
}
await "waiting"
mkdir "$folder/below"
echo '{"name": "c", "type": "STRICT_DNS"}' >"$folder/below/a.cluster.json"
await "unknown discovery type"
echo '{"name": "c", "type": "EDS"}' >"$folder/below/a.cluster.json"
await "has no EDS\|eds_cluster_config"
echo "  WITHOUT	$program"

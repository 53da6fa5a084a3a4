#!/bin/sh
# check_without_fetch.sh PROGRAM - built with WITHOUT_FETCH=1 it needs neither nghttp2 nor
# OpenSSL, says so where it would open a connection, and answers everything else.
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
echo "  WITHOUT	$program"

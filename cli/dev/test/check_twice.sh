#!/bin/sh
# check_twice.sh FOLDER COMMAND... - what the command writes into the folder that is its last
# argument is what FOLDER has: the same bytes with another hash seed of Python, another locale, time
# zone and home, and files that are made in another order by another user's mask.
set -eu
made=$1
shift
again=$(mktemp -d)
trap 'rm -rf "$again"' EXIT
umask 077
env PYTHONHASHSEED=4711 TZ=Asia/Tokyo LC_ALL=C HOME=/nonexistent "$@" "$again/made" >/dev/null
diff -r "$made" "$again/made" || { echo "$made: another build has other bytes"; exit 1; }
echo "  TWICE	$made: $(find "$made" -type f | wc -l) files, the same bytes"

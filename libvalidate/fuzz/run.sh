#!/bin/sh
# run.sh SECONDS TARGET... - let each fuzz target run, under ASan and UBSan. Seeds are what
# is committed in testdata/fuzz and, for the targets of one resource type or of configs, what
# all cases hold of them; the corpora grow in build/fuzz. `make fuzz` builds what runs here.
set -eu
cd "$(dirname "$0")/../.."
seconds=$1
shift
failed=
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
seeds=build/fuzz/seeds
for folder in listener route cluster endpoint textproto config scenario cookie regex forms routes cli; do mkdir -p "$seeds/$folder"; done
$seeds/program $seeds testdata
for target in "$@"; do
    out=build/fuzz/$target
    mkdir -p "$out/corpus"
    set -- "$out/corpus"
    for folder in "testdata/fuzz/$target" "$seeds/$target"; do
        if [ -d "$folder" ]; then set -- "$@" "$folder"; fi
    done
    case $target in cli | lsp) timeout=60 ;; *) timeout=10 ;; esac # limits of the program hold for longer runs
    "$out/target" -max_total_time="$seconds" -timeout=$timeout -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
        -dict=$seeds/dictionary -artifact_prefix="$out/" "$@" || failed="$failed $target"
done
[ -z "$failed" ] || { echo "  FUZZ	findings of:$failed, see build/fuzz/TARGET" && exit 1; }

#!/bin/sh
# run.sh SECONDS TARGET... - build each fuzz target with libFuzzer, ASan and UBSan and let it
# run; its corpus grows in build/fuzz, the committed seeds are in testdata/fuzz.
set -eu
cd "$(dirname "$0")/../.."
seconds=$1
shift
make --no-print-directory build/gen/.stamp
pkg=$(pkg-config --cflags --libs libprotobuf-c libcjson libpcre2-8 yaml-0.1 libxxhash)
sources="$(find libvalidate -name '*.c' ! -name '*_test.c' ! -path '*/fuzz/*') libvalidate/fuzz/harness.c"
for target in "$@"; do
    out=build/fuzz/$target
    mkdir -p "$out/corpus"
    clang -g -O1 -std=c11 -D_XOPEN_SOURCE=700 -DXDS_VERSION='"fuzz"' -w \
        -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Ilibvalidate -I. -isystem build/gen \
        $sources build/gen/*.pb-c.c "libvalidate/fuzz/$target.c" $pkg -o "$out/target"
    "$out/target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$out/" "$out/corpus" "testdata/fuzz/$target"
done

#!/bin/sh
# run.sh SECONDS TARGET... - build the fuzz targets with libFuzzer, ASan and UBSan and let each
# run; their corpora grow in build/fuzz, the committed seeds are in testdata/fuzz.
set -eu
cd "$(dirname "$0")/../.."
seconds=$1
shift
make --no-print-directory build/gen/.stamp
pkg="libprotobuf-c libcjson libpcre2-8 yaml-0.1 libxxhash"
flags="-g -O1 -std=c11 -D_XOPEN_SOURCE=700 -w -fno-sanitize-recover=all -Ilibvalidate -I. -isystem build/gen $(pkg-config --cflags $pkg)"
san=address,undefined
objects=build/fuzz/obj
mkdir -p $objects
find libvalidate -name '*.c' ! -name '*_test.c' ! -path '*/fuzz/*' | sort >$objects/sources
ls libvalidate/fuzz/harness.c build/gen/*.pb-c.c >>$objects/sources
xargs -P"$(nproc)" -I{} sh -c \
    "clang $flags -DXDS_VERSION='\"fuzz\"' -fsanitize=fuzzer-no-link,$san -c {} -o $objects/\$(echo {} | tr / _).o" <$objects/sources
for target in "$@"; do
    out=build/fuzz/$target
    mkdir -p "$out/corpus"
    clang $flags -fsanitize=fuzzer,$san "libvalidate/fuzz/$target.c" $objects/*.o $(pkg-config --libs $pkg) -lm -o "$out/target"
    "$out/target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$out/" "$out/corpus" "testdata/fuzz/$target"
done

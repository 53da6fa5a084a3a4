#!/bin/sh
# bench.sh PROGRAM - lint beside anchors that only parse, in one run, as ratios.
# ROUNDS=5; HUGE=1 adds the 500 MB file for linearity.
set -eu
xdscope=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../.."
out=build/bench
rounds=${ROUNDS:-5}
mkdir -p $out
cc -O2 -D_DEFAULT_SOURCE -o $out/measure cli/bench/measure.c
cc -O2 -o $out/trivial cli/bench/trivial.c $(pkg-config --cflags --libs libprotobuf-c libcjson libpcre2-8 yaml-0.1 libxxhash)
g++ -O3 -o $out/simdjson_dom cli/bench/simdjson_dom.cc -lsimdjson
for preset in small medium large ${HUGE:+huge}; do
    [ -d $out/$preset ] || python3 cli/bench/gen_snapshot.py --preset $preset --format json --layout single --out $out/$preset
done

# name, file: the medians of both programs and their ratio
json() {
    file=$(find -L $out/"$1" -name '*.json' | head -n 1)
    $out/measure "$rounds" "$xdscope lint --bootstrap $PWD/cli/bench/bootstrap.json $file" "$PWD/$out/simdjson_dom $file" >$out/last
    awk -v name="$1" -v size="$(wc -c <"$file")" 'NR == 1 { l = $1; lm = $2 } NR == 2 { d = $1; dm = $2 }
        END { printf "%-8s %8.2f MB  lint %9.2f ms %8.1f MB   simdjson DOM %9.2f ms %8.1f MB   throughput %.2fx\n",
              name, size / 1e6, l, lm / 1024, d, dm / 1024, d / l }' $out/last
}
for preset in small medium large ${HUGE:+huge}; do json $preset; done

small=$(find $out/small -name '*.json' | head -n 1)
$out/measure 51 "$PWD/$out/trivial" "$xdscope --version" "$xdscope --help" "$xdscope lint $small" >$out/last
awk 'NR == 1 { t = $1 } { $1 = sprintf("%.2f ms", $1); ms = $1 + 0; $2 = ""; printf "start-up  %-60s %s  %.2fx trivial\n", $3 " " $4, $1, ms / t }' $out/last

# RPCs a second on one core with 10,000 routes: through the index, and by the plain scan.
explain=$out/explain
[ -f $explain/one.jsonl ] || python3 cli/bench/gen_requests.py $explain
ask="$xdscope explain -o /dev/null $PWD/$explain/snapshot.json"
$out/measure "$rounds" "$ask --requests $PWD/$explain/one.jsonl" "$ask --requests $PWD/$explain/many.jsonl" \
    "$ask --all --requests $PWD/$explain/few.jsonl" >$out/last
awk -v many="$(wc -l <$explain/many.jsonl)" -v few="$(wc -l <$explain/few.jsonl)" 'NR == 1 { one = $1 } NR == 2 { index_ms = $1 - one; mb = $2 / 1024 } NR == 3 { scan_ms = $1 - one }
    END { i = many / index_ms * 1000; s = few / scan_ms * 1000
          printf "explain  10000 routes  %8.0f RPC/s with the index   %8.0f RPC/s by the plain scan   %.0fx   %.1f MB\n", i, s, i / s, mb }' $out/last

# A million events of a scenario: two priorities that fail over and back again.
play=$out/scenario.json
[ -f $play ] || awk 'BEGIN {
    print "{\"scenario\": \"fail over and back\", \"subject\": \"priority\", \"steps\": ["
    print "{\"at\": \"0s\", \"event\": {\"type\": \"config_update\", \"config\": {\"children\": {\"p0\": {}, \"p1\": {}}, \"priorities\": [\"p0\", \"p1\"]}}}"
    for (i = 1; i < 1000000; i++)
        printf ",{\"at\": \"%dms\", \"event\": {\"type\": \"child_state\", \"child\": \"p%d\", \"state\": \"%s\"}}\n", 100 * i, i % 3 == 2,
            i % 3 == 1 ? "TRANSIENT_FAILURE" : "READY"
    print "]}" }' >$play
$out/measure "$rounds" "$xdscope simulate -f json -o /dev/null $PWD/$play" "$xdscope simulate -o /dev/null $PWD/$play" >$out/last
awk 'NR == 1 { json = $1; mb = $2 / 1024 } NR == 2 { text = $1 }
    END { printf "simulate 1000000 events %8.0f events/s as JSON   %8.0f events/s as text   %.1f MB\n", 1e9 / json, 1e9 / text, mb }' $out/last

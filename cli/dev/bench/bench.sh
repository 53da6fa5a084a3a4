#!/bin/sh
# bench.sh PROGRAM - every goal for time and memory, beside programs that only read or parse
# the same file, in one run.
#
# Takes:  PROGRAM as seen from the top folder; what `make bench-anchors bench-data` puts into build/bench;
#         ROUNDS=7, so many alternating rounds; HUGE=1, 500 MB too; CLOCK=cpu, see report.py;
#         PARTS="start_up commands", only these of the functions below.
# Gives:  tables in Markdown on standard output, what it does now on standard error, every
#         number with its spread in build/bench/results.json.
# Fails:  when a command does. What this machine cannot measure is told in the tables.
set -eu
program=$1
cd "$(dirname "$0")/../../.."
out=build/bench
rounds=${ROUNDS:-7}
lint="lint --bootstrap cli/dev/bench/bootstrap.json"
one_rpc="--target xds:///catalog-1.globex.svc.cluster.local:8081 --authority catalog-1-0 \
    --path /acme.identity.v3.MessageService/GetInvoice"
static=
raw=$out/raw.tsv
: >$raw

say() { printf '  BENCH\t%s\n' "$*" >&2; }
measure() { $out/measure "$@" >>$raw; }
fact() { printf 'fact\t%s\t%s\t%s\n' "$1" "$2" "$3" >>$raw; }
missing() { printf 'note\t%s\t%s\n' "$1" "$2" >>$raw && say "$1: $2"; }
can_make() { "${MAKE:-make}" -s --no-print-directory "$1" >$out/make.log 2>&1; }
has_node() { [ -e $out/node/ready ] && command -v node >/dev/null; }
has_go() { [ -x $out/go/clusters ]; }
has_static() { [ -n "$static" ]; }
has_jobs() { $program lint --help | grep -q -- --jobs; }

# The lines "NAME VALUE UNIT [VALUE UNIT]" of a program, as facts.
facts_of() {
    prefix=$1
    shift
    "$@" >$out/last
    awk -v OFS='\t' -v prefix="$prefix" '{ print "fact", prefix $1, $2, $3 }
        NF > 4 { print "fact", prefix $1 "/" $5, $4, $5 }' $out/last >>$raw
}

sizes() {
    for form in json yaml pb; do
        [ ! -f "$out/$1/snapshot.$form" ] || fact "$1/$form/bytes" "$(wc -c <"$out/$1/snapshot.$form")" bytes
    done
    fact "$1/resources" "$(tr -d '{} "' <"$out/$1/counts.json" | tr ',' '\n' |
        awk -F: '/^.ds:/ { n += $2 } END { print n }')" resources
}

# A snapshot in every form, linted and beside its anchors.
snapshot() {
    at=$out/$1/snapshot
    say "$1, $rounds rounds of everything"
    sizes "$1"
    set -- "$1" \
        "$1/json/read=$out/read $at.json" "$1/json/lint=$program $lint $at.json" \
        "$1/json/simdjson=$out/simdjson_dom $at.json" "$1/json/cjson=$out/cjson $at.json" \
        "$1/json/protobuf=$out/protobuf_json $at.json" "$1/json/jq=jq -c . $at.json" \
        "$1/yaml/lint=$program $lint $at.yaml" "$1/yaml/libyaml=$out/yaml_events $at.yaml" \
        "$1/pb/lint=$program $lint $at.pb" "$1/pb/protobuf=$out/protobuf_parse $at.pb"
    has_jobs && set -- "$@" "$1/json/alone=$program $lint --jobs 1 $at.json"
    has_node && set -- "$@" "$1/pb/node=node cli/dev/bench/node/decode.js $out/node cli/dev/bench/bootstrap.json $at.pb"
    has_static && set -- "$@" "$1/json/static=$static $lint $at.json"
    shift
    measure "$rounds" "$@"
}

snapshots() {
    snapshot medium
    snapshot large
    [ -z "${HUGE:-}" ] || huge
}

huge() {
    at=$out/huge/snapshot.json
    say "huge, $rounds rounds"
    sizes huge
    measure "$rounds" "again/json/lint=$program $lint $out/large/snapshot.json" "huge/json/lint=$program $lint $at" \
        "huge/json/alone=$program $lint --jobs 1 $at" "huge/json/simdjson=$out/simdjson_dom $at" "huge/json/read=$out/read $at"
}

jobs() {
    has_jobs || { missing jobs "lint has no --jobs" && return; }
    say "large with several jobs"
    at=$out/large/snapshot.json
    measure "$rounds" "jobs/1=$program $lint --jobs 1 $at" "jobs/2=$program $lint --jobs 2 $at" \
        "jobs/4=$program $lint --jobs 4 $at"
}

start_up() {
    say "starting up"
    sizes small
    at=$out/small/snapshot
    set -- "start/trivial=$out/trivial" "start/version=$program --version" "start/help=$program --help" \
        "small/json/lint=$program $lint $at.json" "small/json/simdjson=$out/simdjson_dom $at.json" \
        "small/json/alone=$program $lint --jobs 1 $at.json" \
        "small/yaml/lint=$program $lint $at.yaml" "small/pb/lint=$program $lint $at.pb"
    has_static && set -- "$@" "start/static-version=$static --version" "start/static-help=$static --help" \
        "start/static-lint=$static $lint $at.json"
    measure 51 "$@"
}

# The releases of three years beside one.
releases() {
    say "lint for many releases"
    at=$out/medium/snapshot.json
    measure "$rounds" "releases/one=$program $lint --client core $at" "releases/many=$program $lint --client all@3y $at"
}

# What a control plane's test does.
library() {
    can_make build/release/bench-library || { missing library "bench-library cannot be built" && return; }
    say "judging through the library"
    facts_of library/ build/release/bench-library $out/medium/snapshot.pb
    has_go || return 0
    facts_of library/ $out/go/clusters cli/dev/bench/bootstrap.json $out/medium/snapshot.pb
}

# Each shape at each size, in one thread: what two take depends on what they share.
growth() {
    has_jobs || return 0
    say "cost against the number of routes, clusters and findings"
    set --
    for file in "$out"/growth/*/*; do
        name=${file#"$out"/}
        set -- "$@" "${name%.*}=$program $lint --jobs 1 $file"
    done
    measure "$rounds" "$@"
}

routes() {
    can_make build/release/bench-routes || { missing routes "bench-routes cannot be built" && return; }
    say "looking up routes"
    facts_of routes/ build/release/bench-routes
    has_node || return 0
    say "looking up routes in the Node client"
    mkdir -p $out/routes
    build/release/bench-routes --dump $out/routes
    $program convert -q -f binary -o $out/routes/routes.pb $out/routes/routes-10000.json
    facts_of routes/ node cli/dev/bench/node/routes.js $out/node $out/routes/routes.pb $out/routes/calls-10000.jsonl
}

# Each command on one file, beside a lint of it in one thread; convert writes JSON too.
commands() {
    say "every command, $rounds rounds"
    for size in medium large; do
        at=$out/$size/snapshot
        tests=$out/tests/$size.yaml
        mkdir -p $out/tests
        $program test --init -q -o $tests $at.json
        set -- "commands/$size/lint=$program $lint --jobs 1 $at.json" \
            "commands/$size/init=$program test --init -o /dev/null $at.json" "commands/$size/test=$program test $tests"
        [ $size = medium ] || set -- "$@" "commands/$size/diff=$program diff $at.json $at.json" \
            "commands/$size/changed=$program diff $at.json $out/$size/changed.json" \
            "commands/$size/explain=$program explain $one_rpc $at.json" "commands/$size/show=$program show $at.json" \
            "commands/$size/json=$program convert -f json -o /dev/null $at.json" \
            "commands/$size/yaml=$program convert -f yaml -o /dev/null $at.json" \
            "commands/$size/text=$program convert -f textproto -o /dev/null $at.json" \
            "commands/$size/binary=$program convert -f binary -o /dev/null $at.json"
        measure "$rounds" "$@"
    done
}

# Every shape for each command but lint. Each RPC of a test is an RPC to explain, so that tests take the smaller sizes.
growth_of_commands() {
    say "cost of every command against the number of routes, clusters and findings"
    set --
    mkdir -p $out/tests
    for file in "$out"/growth/*/10000.json "$out"/growth/*/100000.json; do
        shape=${file#"$out"/growth/} && shape=${shape%.json}
        set -- "$@" "growth-diff/$shape=$program diff $file $file" "growth-show/$shape=$program show $file" \
            "growth-explain/$shape=$program explain --path /pkg.Service5/Get $file"
        for form in yaml textproto binary; do
            set -- "$@" "growth-$form/$shape=$program convert -f $form -o /dev/null $file"
        done
    done
    for file in "$out"/growth/*/1000.json "$out"/growth/*/10000.json; do
        shape=${file#"$out"/growth/} && shape=${shape%.json}
        tests=$out/tests/${shape%/*}-${shape#*/}.yaml
        # No RPC gets to the routes of some shapes.
        $program test --init -q -o "$tests" "$file" 2>/dev/null || continue
        set -- "$@" "growth-init/$shape=$program test --init -o /dev/null $file" "growth-test/$shape=$program test $tests"
    done
    measure "$rounds" "$@"
}

# RPCs a second on one core with 10,000 routes: through the index, and by the plain scan.
explain() {
    say "explain --requests"
    at=$out/explain
    ask="$program explain -o /dev/null $at/snapshot.json"
    fact explain/many "$(wc -l <$at/many.jsonl)" RPCs
    fact explain/few "$(wc -l <$at/few.jsonl)" RPCs
    measure "$rounds" "explain/one=$ask --requests $at/one.jsonl" "explain/many=$ask --requests $at/many.jsonl" \
        "explain/scan=$ask --all --requests $at/few.jsonl"
}

# RPCs a second that arrive at a server with 1,000 policies of RBAC, one thread.
servers() {
    can_make build/release/bench-servers || { missing servers "bench-servers cannot be built" && return; }
    say "RPCs to a server"
    facts_of servers/ build/release/bench-servers
}

simulate() {
    say "simulate"
    fact simulate/events 1000000 events
    measure "$rounds" "simulate/json=$program simulate -f json -o /dev/null $out/scenario.json" \
        "simulate/text=$program simulate -o /dev/null $out/scenario.json"
}

stages() {
    can_make build/release/bench-stages || { missing stages "bench-stages cannot be built" && return; }
    say "stages of a lint"
    for form in json yaml pb; do
        facts_of "stages/$form/" build/release/bench-stages $out/medium/snapshot.$form
    done
}

[ -n "${HUGE:-}" ] || missing huge "make bench HUGE=1 adds 500 MB"
if can_make static; then static=build/xdscope-static; else missing static "make static does not work here"; fi
has_node || missing node "the Node client is not installed, see $out/node/log"
has_go || missing go "the Go client is not built, see $out/go/log"
for part in ${PARTS:-start_up routes snapshots jobs releases library commands growth growth_of_commands explain servers simulate \
    stages}; do
    $part
done
python3 cli/dev/bench/report.py $raw $out/results.json

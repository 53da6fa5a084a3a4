#!/bin/sh
# check_trouble.sh PROGRAM - what goes wrong outside of the input: readers that go away, full
# disks, limits on files, streams that are closed, files that cannot be read. Each time the
# exit code and the one line of the message are compared, a file that was there before stays
# as it was, and nothing is left beside it.
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../../.." || exit
snapshot=$PWD/testdata/snapshots/shop
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0 failed=0
formats_of() { sed -n "s/^FORMAT_$1(\"\([a-z]*\)\".*/\1/p" cli/formats.def; } # LINT

# name, exit code, standard error
expect() {
    count=$((count + 1))
    [ "$status" -eq "$2" ] && [ "$(cat "$work/err")" = "$3" ] && return
    failed=$((failed + 1))
    printf '%s: exit %d, not %d; standard error:\n%s\ninstead of\n%s\n' "$1" "$status" "$2" "$(cat "$work/err")" "$3"
}
run() { # STDOUT ARGUMENTS...
    out=$1
    shift
    "$program" "$@" >"$out" 2>"$work/err"
    status=$?
}

# ---- a full disk -----------------------------------------------------------------------
requests=$work/requests.jsonl
echo '{"path": "/shop.Cart/Add"}' >"$requests"
full() { # NAME IN MESSAGES, ARGUMENTS...
    name=$1
    shift
    run /dev/full "$@"
    expect "$*, to a full disk" 3 "xdscope: ${name}standard output: No space left on device"
}
full '' --version
full '' --help
full '' lint --help
full '' explain --version
for format in $(formats_of LINT); do
    full 'lint: ' lint -f $format --client all "$snapshot"
done
full 'lint: ' lint --statistics --client all "$snapshot"
full 'lint: ' lint --write-baseline - --client all "$snapshot"
for format in $(formats_of EXPLAIN); do
    full 'explain: ' explain -f $format --target xds:///shop.example.com --path /shop.Cart/Add "$snapshot"
done
full 'lint: ' lint --stream "$requests"
full 'explain: ' explain --target xds:///shop.example.com --requests "$requests" "$snapshot"
full 'show: ' show "$snapshot"
full 'service-config: ' service-config --target xds:///shop.example.com "$snapshot"
full 'lb-config: ' lb-config "$snapshot"
full 'rule: ' rule
full 'completion: ' completion bash
full 'cookie: ' cookie encode 10.0.0.1:80
full 'convert: ' convert -f yaml "$snapshot"
full 'diff: ' diff "$snapshot" "$snapshot/../shop-next"

# ---- a limit on the size of files ----------------------------------------------------------
mkdir "$work/there"
echo before >"$work/there/report"
(ulimit -f 1 && exec "$program" lint -f sarif -o "$work/there/report" "$snapshot") 2>"$work/err"
status=$?
expect 'a file over the limit' 3 "xdscope: lint: $work/there/report: File too large"
[ "$(ls "$work/there")" = report ] && [ "$(cat "$work/there/report")" = before ] ||
    { echo "a failed write leaves: $(ls "$work/there")"; failed=$((failed + 1)); }

# ---- a limit on the stack --------------------------------------------------------------------
# shellcheck disable=SC3045 # dash and bash have -s; a shell without it fails the case
(ulimit -s 64 && exec "$program" lint "$snapshot") >"$work/out" 2>"$work/err"
status=$?
expect 'a small stack' 3 'xdscope: the stack is limited to 64 KiB; expected at least 256 KiB, see ulimit -s'
# shellcheck disable=SC3045 # dash and bash have -S; a shell without it fails the case
(ulimit -S -s 64 && exec "$program" lint --exit-zero -f gcc "$snapshot") >"$work/out" 2>"$work/err"
status=$?
expect 'a small stack that may grow' 0 ''

# ---- a limit on open files: an answer is whole, or the file is named and there is none -----------
"$program" test --init "$snapshot" -o "$work/shop.tests.yaml" 2>"$work/err"
"$program" simulate --init "$snapshot" -o "$work/shop.scenario.yaml" 2>"$work/err"
few_files() { # NUMBER, ARGUMENTS...
    n=$1
    shift
    rm -f "$work/made"
    run "$work/whole" "$@"
    whole=$status
    [ ! -f "$work/made" ] || mv "$work/made" "$work/whole"
    # shellcheck disable=SC3045 # dash and bash have -n; a shell without it fails the case
    (ulimit -n "$n" && exec "$program" "$@") >"$work/out" 2>"$work/err"
    status=$?
    [ ! -f "$work/made" ] || mv "$work/made" "$work/out"
    count=$((count + 1))
    if [ "$status" -eq "$whole" ] && cmp -s "$work/whole" "$work/out"; then
        answered=$((answered + 1))
        return
    fi
    [ "$status" -eq 3 ] && cat "$work/err" "$work/out" | grep -q '[./]shop.*: Too many open files' &&
        ! grep -qvE '^first|^subject |Too many open files|not run|^0 cases: 0 passed|see: xdscope rule|shop\.tests\.yaml$' "$work/out" && return
    failed=$((failed + 1))
    printf '%s: with %d open files, exit %d; standard error:\n%s\n' "$*" "$n" "$status" "$(cat "$work/err")"
}
shop='--target xds:///shop.example.com'
answered=0
for files in 4 5 6 8 12; do
    for words in "lint $snapshot" "lint -j1 -f json $snapshot" "lint -f html -o $work/made $snapshot" "lint --fix --diff $snapshot" \
        "lint --write-baseline $work/made $snapshot" "lint --stream $requests" "show $snapshot" "show -f dot -o $work/made $snapshot" \
        "explain $shop --path /shop.Cart/Add $snapshot" "explain $shop --requests $requests $snapshot" \
        "diff $snapshot $snapshot/../shop-next" "convert -f yaml $snapshot" "convert -f json -o $work/made $snapshot" \
        "service-config $shop $snapshot" "lb-config $snapshot" "test $work/shop.tests.yaml" "test --init $snapshot -o $work/made" \
        "simulate $work/shop.scenario.yaml" "simulate --init $snapshot" "rule no-resources" "rule --from-log $requests" \
        "cookie encode 10.0.0.1:80" "completion bash"; do
        # shellcheck disable=SC2086 # words
        few_files $files $words
    done
done
[ "$answered" -ge 100 ] || { echo "a limit on open files: only $answered answers"; failed=$((failed + 1)); }

# ---- readers that go away --------------------------------------------------------------------
for ignored in '' 'trap "" PIPE;'; do
    sh -c "$ignored"' "$1" rule --man 2>"$2"; echo $? >"$3"' sh "$program" "$work/err" "$work/status" | head -c 1 >/dev/null
    status=$(cat "$work/status")
    expect "a reader that goes away ($ignored)" 141 ''
done

yes '{}' | sh -c '"$1" lint --stream - 2>"$2"; echo $? >"$3"' sh "$program" "$work/err" "$work/status" | head -c 1 >/dev/null
status=$(cat "$work/status")
expect 'a reader of a stream that goes away' 141 ''

# ---- closed streams ------------------------------------------------------------------------
"$program" lint "$snapshot" 2>"$work/err" >&-
status=$?
expect 'standard output closed' 3 'xdscope: lint: standard output: Bad file descriptor'
"$program" lint - >"$work/out" 2>"$work/err" <&-
status=$?
expect 'standard input closed' 3 'xdscope: lint: -: Bad file descriptor'
"$program" lint -o "$work/out" "$snapshot" "$work/absent" 2>&-
status=$?
: >"$work/err"
expect 'standard error closed' 3 ''
grep -q absent "$work/out" && { echo 'a message stands in the report'; failed=$((failed + 1)); }

# ---- what cannot be read -----------------------------------------------------------------------
run "$work/out" lint "$work/absent"
expect 'no such file' 3 "xdscope: lint: $work/absent: No such file or directory"
ln -s loop.yaml "$work/loop.yaml"
run "$work/out" lint "$work/loop.yaml"
expect 'a link to itself' 3 "xdscope: lint: $work/loop.yaml: Too many levels of symbolic links"
run "$work/out" lint --stream /proc/self/mem
expect 'a read of a stream that fails' 3 'xdscope: lint: /proc/self/mem: Input/output error'
run "$work/out" lint --stream "$snapshot"
expect 'a folder as a stream' 3 "xdscope: lint: $snapshot: Is a directory"
run "$work/out" lint /proc/self/mem
expect 'a read that fails' 3 'xdscope: lint: /proc/self/mem: Input/output error'
run "$work/out" lint -f gcc /proc/self/mem "$snapshot"
expect 'a read that fails, and a good file' 3 'xdscope: lint: /proc/self/mem: Input/output error'
[ -s "$work/out" ] || { echo 'the other files are not judged'; failed=$((failed + 1)); }
run "$work/out" lint -o "$work/no/such/folder/report" "$snapshot"
expect 'a folder that is not there' 3 "xdscope: lint: $work/no/such/folder/report: No such file or directory"
run "$work/out" lint -o "$work" "$snapshot"
expect 'a folder as output' 3 "xdscope: lint: $work: Is a directory"

# ---- a folder in a folder that cannot be read; root reads any -------------------------------
nobody=
[ "$(id -u)" -ne 0 ] || nobody='setpriv --reuid=65534 --clear-groups'
mkdir -p "$work/us/sub"
echo '{name: a, type: EDS, nonsense: 1}' >"$work/us/z.clusters.yaml"
chmod 755 "$work" "$work/us" && chmod 000 "$work/us/sub"
if $nobody test -x "$program" -a ! -r "$work/us/sub" 2>/dev/null; then
    $nobody "$program" lint --no-config -q -f json "$work/us" >"$work/out" 2>"$work/err"
    status=$?
    expect 'a folder in a folder' 3 "xdscope: lint: $work/us/sub: Permission denied"
    grep -q unknown-field "$work/out" && grep -q '"message":"Permission denied"' "$work/out" ||
        { failed=$((failed + 1)) && echo 'a folder in a folder: the rest was not judged'; }
fi
chmod 755 "$work/us/sub"

echo "  TROUBLE	$count runs, $failed wrong"
[ "$failed" -eq 0 ]

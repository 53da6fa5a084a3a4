#!/bin/sh
# check_fast.sh TESTS [BASE] - what tells most in little time of what has changed since BASE,
# a commit (HEAD when there is none): format, include direction, and the cases and C tests of
# the rooms that have changed. Without a doubt about a file, its row below says what is run;
# with one, all of it.
set -u
cd "$(dirname "$0")/../../.." || exit
tests=$1
base=${2:-HEAD}
fail=0

# ROOM: the folders of testdata that it decides, then the rooms whose C tests are run.
of_room() {
    case $1 in
    rules) echo "rules settings formats alloc : rules catalogue check cli" ;;
    lint) echo "rules settings formats stream cli : lint check" ;;
    catalogue) echo "rules cli formats : catalogue rules cli" ;;
    baseline) echo "settings rules cli : baseline" ;;
    route | session) echo "explain scenario suite diff service_config : route session explain scenario" ;;
    lb) echo "explain scenario suite diff lb_config : lb explain scenario" ;;
    generate) echo "service_config lb_config scenario explain : generate" ;;
    explain) echo "explain diff suite html cli : explain suite" ;;
    scenario) echo "scenario cli : scenario" ;;
    diff) echo "diff html : diff" ;;
    suite) echo "suite rules html : suite" ;;
    convert) echo "convert stream : convert check" ;;
    regex) echo "rules explain : regex rules route" ;;
    fuzz) echo "fuzz : fuzz" ;;
    *) echo all ;; # and so for base, report, source, decode, model, check, print and what is new
    esac
}

of_file() {
    case $1 in
    testdata/fixtures/*) grep -rlE "^-- use ${1#testdata/fixtures/}( |\$)" testdata --include='*.case' | sed 's|^testdata/||' ;;
    testdata/*.case) [ ! -f "$1" ] || echo "${1#testdata/}" ;;
    libvalidate/*_test.[ch]) room=${1#libvalidate/} && echo ": ${room%%/*}" ;;
    libvalidate/*.*) room=${1#libvalidate/} && of_room "${room%%/*}" ;;
    cli/dev/test/case*) echo all ;;
    cli/dev/*_test.c) echo ": cli" ;;
    cli/dev/*) ;;
    cli/*) echo "cli settings stream : cli" ;;
    man/* | README.md | *.md | debian/* | mk/* | .ci/*) ;; # check-rules reads the manual pages
    *) echo all ;;
    esac
}

# The names of Criterion for the C tests of these rooms.
suites() {
    for room in $1; do
        case $room in cli) folder=cli ;; *) folder=libvalidate/$room ;; esac
        [ ! -d "$folder" ] || grep -rhoE '^(Test\(|ParameterizedTest\([^,]*, )[a-z0-9_]+' "$folder" --include='*_test.c'
    done | sed 's/.*[( ]//' | grep -vx cases | sort -u
}

git rev-parse --quiet --verify "$base^{commit}" >/dev/null || { echo "$base is not a commit" >&2; exit 2; }
changed=$( (git diff --name-only "$base" && git ls-files --others --exclude-standard) | sort -u)
if [ -z "$changed" ]; then
    echo "  FAST	nothing has changed since $base; BASE=HEAD~1 takes the last commit too"
    exit 0
fi

ours=$(printf '%s\n' "$changed" | grep -E '^(cli|libvalidate)/.*\.([ch]|cc)$' | while read -r file; do [ ! -f "$file" ] || echo "$file"; done)
if [ -n "$ours" ]; then
    # shellcheck disable=SC2086 # names of our files have no blanks
    clang-format --dry-run --Werror $ours || fail=1
fi
sh cli/dev/test/lint.sh rooms || fail=1

rows=$(printf '%s\n' "$changed" | while read -r file; do of_file "$file"; done | sort -u)
if printf '%s\n' "$rows" | grep -qx all; then
    echo "  FAST	all cases and C tests"
    "$tests" || fail=1
else
    cases=$(printf '%s\n' "$rows" | sed 's/:.*//' | tr ' ' '\n' | grep . | sort -u | sed 's|^|testdata/|')
    rooms=$(printf '%s\n' "$rows" | sed -n 's/.*://p' | tr ' ' '\n' | grep . | sort -u)
    filter=$( ([ -z "$cases" ] || echo cases) && suites "$rooms")
    # shellcheck disable=SC2086
    echo "  FAST	cases:" $cases "C tests:" $rooms
    [ -z "$filter" ] || CASES=$cases "$tests" --filter "@($(printf '%s' "$filter" | tr '\n' '|'))/*" || fail=1
fi
exit $fail

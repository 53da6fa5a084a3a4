#!/bin/sh
# check_releases.sh - what real clients have answered, testdata/releases, is about the rule cases
# of this tree: each case is in each file once, with its verdicts or with the reason why it was
# left out, and the files are sorted. Then the tests of the scripts that write them. Exit 1 when
# not. `make check-clients RELEASES=all UPDATE=1 NEW=1` asks about new cases; without clients,
# `check_releases.sh update` removes cases that are gone and adds new ones as not asked yet.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit
fail=0
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

(cd testdata/rules && find . -name '*.case') | sed 's|^\./||; s|\.case$||' | sort >"$work/there"
if [ "${1:-}" = update ]; then
    for file in testdata/releases/*.tsv; do
        case $file in */open.tsv | */from_log.tsv) continue ;; esac
        awk -F '\t' -v there="$work/there" '
            BEGIN { while ((getline name <there) > 0) missing[name] = 1 }
            NR == 1 { print; next }
            { name = $1; sub(/^# /, "", name) }
            name in missing { print; delete missing[name] }
            END { for (name in missing) print "# " name "\tnot asked yet" }' "$file" >"$work/new"
        { head -n 1 "$work/new"; tail -n +2 "$work/new" | grep -v '^# ' | sort
          tail -n +2 "$work/new" | grep '^# ' | sort -t '	' -k 1,1; } >"$file"
    done
fi
for file in testdata/releases/*.tsv; do
    case $file in */open.tsv | */from_log.tsv) continue ;; esac # see check_history.sh, nack_rules_test.c
    head -n 1 "$file" | grep -qE '^# releases:( [0-9]+\.[0-9]+\.[0-9]+)+$' ||
        { echo "$file: the first line has to list the releases"; fail=1; }
    tail -n +2 "$file" | grep -v '^# ' | cut -f 1 >"$work/asked"
    tail -n +2 "$file" | sed -n 's/^# //p' | cut -f 1 >"$work/left"
    for list in asked left; do
        sort -c -u "$work/$list" 2>/dev/null || { echo "$file: not sorted"; fail=1; }
    done
    sort "$work/asked" "$work/left" >"$work/known"
    uniq -d "$work/known" | sed "s|^|$file: asked and left out: |" | grep . && fail=1
    comm -13 "$work/there" "$work/known" | sed "s|^|$file: no such case: |" | grep . && fail=1
    comm -23 "$work/there" "$work/known" | sed "s|^|$file: not in it: |" | grep . && fail=1
    # A verdict, the release from which on it holds, and so on; the reason of those left out.
    tail -n +2 "$file" | grep -vE \
        '^(# [^	]+	.+|[^	]+	(ACK|NACK|CRASH|-) [0-9.]+( (ACK|NACK|CRASH|-) [0-9.]+)*)$' |
        sed "s|^|$file: cannot be read: |" | grep . && fail=1
done
for file in testdata/releases/*.nack; do
    sort -c -u "$file" 2>/dev/null || { echo "$file: not sorted"; fail=1; }
    cut -f 1 "$file" | sort -u | comm -13 "$work/there" - |
        sed "s|^|$file: no such case: |" | grep . && fail=1
done
python3 -B cli/dev/clients/test_clients.py -q 2>"$work/tests" || { cat "$work/tests"; fail=1; }
set -- testdata/releases/*.nack
[ $fail -eq 0 ] && echo "  RELEASES	$(wc -l <"$work/there") cases in $# files"
exit $fail

#!/bin/sh
# check_rules.sh PROGRAM - the rule table keeps its promises: rows sorted, slugs unique, each
# id fired from exactly one place, each slug with a bad and a near-miss good case, each row of
# the catalogues with a rule or a reason, and the committed man page equal to the generated
# one. Exit 1 when one is broken.
set -u
program=$1
fail=0
say() { printf '%s\n' "$*"; fail=1; }

defs=$(find libvalidate -name '*.def' ! -name rule_list.def ! -name 'log_*.def' ! -name readings.def | sort)
rows=$(sed -n 's/^XDS_\(RULE\|CHECK\|SYNTAX\)(\([A-Z0-9_]*\), "\([a-z0-9-]*\)".*/\2 \3/p' $defs)

for file in $defs; do
    ids=$(sed -n 's/^XDS_[A-Z]*(\([A-Z0-9_]*\),.*/\1/p' "$file")
    [ "$ids" = "$(printf '%s\n' "$ids" | LC_ALL=C sort)" ] || say "$file: rows are not sorted by id"
    grep -q "\"${file#libvalidate/}\"" libvalidate/catalogue/rule_list.def || say "$file is not in rule_list.def"
done
for file in libvalidate/catalogue/log_*.def; do
    grep '^XDS_LOG' "$file" | LC_ALL=C sort -c 2>/dev/null || say "$file: lines are not sorted"
    sed -n 's/^XDS_LOG_ROW("\([^"]*\)".*/\1/p' "$file" | sort -u >build/log_rows
    cat testdata/catalogue/*.ids | grep -vxFf - build/log_rows | sed "s|^|$file: no row of the catalogue: |" | grep . && fail=1
done
[ "$(printf '%s\n' "$rows" | wc -l)" -eq "$(cat $defs | grep -cE '^XDS_(RULE|CHECK|SYNTAX)\(')" ] ||
    say "a row does not begin with XDS_...(ID, \"slug\" on one line"
printf '%s\n' "$rows" | cut -d' ' -f2 | sort | uniq -d | sed 's/^/slug used twice: /' | grep . && fail=1

code=$(find libvalidate -name '*.c' ! -name '*_test.c' ! -name '*kit*' ! -path '*/catalogue/*')
printf '%s\n' "$rows" | {
    bad=0
    while read -r id slug; do
        n=$(cat $code | grep -oE "XDS_R_$id([^A-Z0-9_]|\$)" | wc -l)
        [ "$n" -eq 1 ] || { echo "$id is named in $n places of the code, not in one"; bad=1; }
        cases="testdata/rules/$slug"
        grep -lq -e "\[$slug\]" -e "\"rule\":\"$slug\"" "$cases"/*.case 2>/dev/null || { echo "$slug: no bad case in $cases"; bad=1; }
        grep -LF "[$slug]" "$cases"/*.case 2>/dev/null | grep -q . || { echo "$slug: no good case in $cases"; bad=1; }
    done
    exit $bad
} || fail=1

for folder in testdata/rules/*/; do
    slug=$(basename "$folder")
    printf '%s\n' "$rows" | grep -q " $slug\$" || say "$folder belongs to no rule"
done

awk -f cli/test/account_rows.awk testdata/catalogue/*.ids $defs \
    $(find testdata/catalogue/no_rule -name '*.tsv' | LC_ALL=C sort) || fail=1

if [ -f man/xdscope-rules.7 ]; then
    "$program" rule --man | cmp -s - man/xdscope-rules.7 || say "man/xdscope-rules.7: run '$program rule --man >man/xdscope-rules.7'"
else
    say "man/xdscope-rules.7 is missing"
fi
[ $fail -eq 0 ] && echo "  RULES	$(printf '%s\n' "$rows" | wc -l) rules ok"
exit $fail

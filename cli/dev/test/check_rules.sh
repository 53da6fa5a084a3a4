#!/bin/sh
# check_rules.sh PROGRAM - the rule table keeps its promises: rows sorted, slugs unique, each
# id fired from exactly one place, each slug with a bad and a near-miss good case, each row of
# man/spec with a rule or a reason and each citation with a row, and what is installed has each
# man page, those that are made as this program makes them. Exit 1 when one is broken.
set -u
program=$1
fail=0
say() { printf '%s\n' "$*"; fail=1; }

defs=$(find libvalidate -name '*.def' -exec grep -lE '^XDS_(RULE|CHECK|SYNTAX)\(' {} + | sort)
rows=$(sed -n 's/^XDS_\(RULE\|CHECK\|SYNTAX\)(\([A-Z0-9_]*\), "\([a-z0-9-]*\)".*/\2 \3/p' $defs)

for file in $defs; do
    ids=$(sed -n 's/^XDS_[A-Z]*(\([A-Z0-9_]*\),.*/\1/p' "$file")
    [ "$ids" = "$(printf '%s\n' "$ids" | LC_ALL=C sort)" ] || say "$file: rows are not sorted by id"
    grep -q "\"${file#libvalidate/}\"" libvalidate/catalogue/rule_list.def || say "$file is not in rule_list.def"
done
for file in libvalidate/catalogue/log_*.def; do
    grep '^XDS_LOG' "$file" | LC_ALL=C sort -c 2>/dev/null || say "$file: lines are not sorted"
    sed -n 's/^XDS_LOG_ROW("\([^"]*\)".*/\1/p' "$file" | sort -u >build/log_rows
    sed -n 's/^= \(cluster \)\{0,1\}//p' man/spec/*.spec | grep -vxFf - build/log_rows |
        sed "s|^|$file: no row of man/spec: |" | grep . && fail=1
done
[ "$(printf '%s\n' "$rows" | wc -l)" -eq "$(cat $defs | grep -cE '^XDS_(RULE|CHECK|SYNTAX)\(')" ] ||
    say "a row does not begin with XDS_...(ID, \"slug\" on one line"
printf '%s\n' "$rows" | cut -d' ' -f2 | sort | uniq -d | sed 's/^/slug used twice: /' | grep . && fail=1

# How often the code names each id, and which rules have a bad and a good case.
code=$(find libvalidate -name '*.[ch]' ! -name '*_test.[ch]' ! -name '*kit*' ! -path '*/catalogue/*')
cat $code | grep -oE 'XDS_R_[A-Z0-9_]+' | LC_ALL=C sort | uniq -c >build/rules.fired
awk 'FNR == 1 { n = split(FILENAME, part, "/"); slug = part[n - 1]; if (n) seen[FILENAME] = slug }
    index($0, "[" slug "]") || index($0, "\"rule\":\"" slug "\"") { bad[slug] = 1 }
    index($0, "[" slug "]") { is_bad[FILENAME] = 1 }
    END { for (file in seen) if (!(file in is_bad)) good[seen[file]] = 1
        for (slug in bad) print "bad", slug
        for (slug in good) print "good", slug }' testdata/rules/*/*.case >build/rules.cases
printf '%s\n' "$rows" | awk '
    FILENAME ~ /fired$/ { times[substr($2, 7)] = $1; next }
    FILENAME ~ /cases$/ { has[$1, $2] = 1; next }
    times[$1] != 1 { print $1 " is named in " times[$1] + 0 " places of the code, not in one"; broken = 1 }
    !(("bad", $2) in has) { print $2 ": no bad case in testdata/rules/" $2; broken = 1 }
    !(("good", $2) in has) { print $2 ": no good case in testdata/rules/" $2; broken = 1 }
    END { exit broken }' build/rules.fired build/rules.cases - || fail=1

ls testdata/rules | while read -r slug; do
    printf '%s\n' "$rows"
    echo "folder $slug"
done | awk '$1 != "folder" { known[$2] = 1; next } !($2 in known) { print "testdata/rules/" $2 " belongs to no rule"; broken = 1 } END { exit broken }' || fail=1

# What is cited, wherever it is.
texts=$(find libvalidate cli proto mk -type f \( -name '*.[ch]' -o -name '*.cc' -o -name '*.def' -o -name '*.proto' -o -name '*.sh' -o -name '*.awk' \) |
    grep -vE '(account_rows\.awk|check_proto\.sh)$')
pages=$(printf '%s\n' man/*.[1357])
LC_ALL=C awk -f "$(dirname "$0")/account_rows.awk" man/spec/*.spec $texts $pages README.md Makefile || fail=1
# A document is cited by what is in this tree, or by what anybody can read: gRPC's own doc/.
outside=$(grep -nE '(^|[^A-Za-z0-9_/.-])[A-Za-z0-9_/-]+\.md([^A-Za-z0-9_]|$)|conventions [A-Z][0-9]|CLI contract' \
    $texts $pages man/spec/*.spec README.md Makefile $(find testdata -name "README*") /dev/null |
    grep -vE '(README|CONTRIBUTING|CHANGELOG|mk/BENCH|doc/[a-z_-]+)\.md|grpc/proposal/|check_rules\.sh')
[ -z "$outside" ] || say "cites a document that is not in this tree: $outside"
for grfc in $(find libvalidate -name '*.def' -exec cat {} + | grep -oE '(gRFC |, |draft )A[0-9]+\b' | grep -oE '[0-9]+' | sort -un); do
    grep -q "^XDS_GRFC($grfc," libvalidate/catalogue/grfc.def || say "gRFC A$grfc is not in catalogue/grfc.def"
done

# The man pages: all that a package has, beside those of the tree and those that are made anew.
[ -d build/pages ] && rm -r build/pages
mkdir -p build/pages/wanted
cp man/*.[1357] build/pages/wanted
"$program" rule --man >build/pages/wanted/xdscope-rules.7
sh mk/spec_pages.sh build/pages/wanted
make -s install-program PROGRAM="$program" RUN="$program" KEEP_SYMBOLS=1 DESTDIR="$PWD/build/pages" PREFIX=/usr >/dev/null || say "make install-program fails"
mkdir build/pages/packed
cp build/pages/usr/share/man/man[1357]/* build/pages/packed
diff -rq build/pages/wanted build/pages/packed || say "a package has other man pages: remove build/man, run make pages"
[ $fail -eq 0 ] && echo "  RULES	$(printf '%s\n' "$rows" | wc -l) rules, $(grep -h '^= ' man/spec/*.spec | wc -l) rows ok"
exit $fail

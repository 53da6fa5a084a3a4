#!/bin/sh
# check_documents.sh - the tables of what the documents say, testdata/documents/*.tsv: each row
# has a section, a line, a statement, cases that are there or a reason, and maybe the facts of
# man/spec that it is about; the rows are in the order of the document; and each case below
# testdata/documents holds a statement. Exit 1 when not.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit
fail=0
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

(cd testdata && find . -name '*.case') | sed 's|^\./||' | sort >"$work/there"
awk -F '\t' -v there="$work/there" '
    function say(text) { print FILENAME ":" FNR ": " text; failed = 1 }
    BEGIN { while ((getline name <there) > 0) is_there[name] = 1 }
    FNR == 1 {
        last = 0
        if ($0 != "# section\tline\tstatement\theld by\tfacts") say("not the heading of such a table")
        next
    }
    NF != 4 && NF != 5 { say("needs four columns, or five"); next }
    NF == 5 && $5 !~ /^spec / { say("facts are cited as in a rule, spec ...: " $5) }
    $2 !~ /^[0-9]+$/ || $2 < last { say("line " $2 " after line " last) }
    { last = $2; n++ }
    $1 == "" || $3 !~ /\.$/ { say("needs a section, and a statement that ends in a period") }
    $4 ~ /^- / {
        reasons++
        if ($4 !~ /^- (internal|differs|not played|undecided)[^:]*(: .+)?$/) say("needs a reason: " $4)
        next
    }
    {
        count = split($4, names, " ")
        if (count == 0) say("needs a case or a reason")
        for (i = 1; i <= count; i++) {
            if (!(names[i] in is_there)) say("no such case: " names[i])
            named[names[i]] = 1
        }
    }
    END {
        for (name in is_there)
            if (name ~ /^documents\// && !(name in named)) {
                print "testdata/" name ": holds no statement of a table"
                failed = 1
            }
        if (!failed) printf "  DOCUMENTS\t%d statements, %d held by cases\n", n, n - reasons
        exit failed
    }' testdata/documents/A*.tsv || fail=1
exit $fail

# statement_rows.awk FILE... - the tables of testdata/documents as rows of C, a line each. The
# fifth column, the facts of man/spec that a statement is about, may be absent.

function quoted(text) {
    gsub(/[\\"?]/, "\\\\&", text) # a question mark for the sake of trigraphs
    return "\"" text "\""
}

BEGIN { FS = "\t" }
FNR == 1 {
    number = FILENAME
    sub(/^.*\/A/, "", number)
    sub(/[.]tsv$/, "", number)
    next
}
{
    n++
    print "XDS_STATEMENT(" number ", " $2 ", " quoted($1) ", " quoted($3) ", " quoted($4) ", " quoted($5) ")"
}
# A tree without testdata/ builds, too, and an array of C has a member: gRFC 0 is none.
END { if (n == 0) print "XDS_STATEMENT(0, 0, \"\", \"\", \"\", \"\")" }

# spec_man.awk FILE... - the first file, a page of man/spec, as source of man(7). SEE ALSO
# names the others.

# Text as roff reads it back: dashes stay dashes, and no line is a request.
function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return (text ~ /^[.']/ ? "\\\\&" : "") text
}

# A sentence on each line; an ellipsis ends none.
function put(text,    sentence, i, count) {
    gsub(/[.][.][.] /, "...\001", text)
    count = split(text, sentence, /[.] +/)
    for (i = 1; i <= count; i++) {
        gsub(/\001/, " ", sentence[i])
        print roff(sentence[i]) (i < count ? "." : "")
    }
}

function put_page() {
    name = "xdscope\\-spec\\-" roff(value[1])
    print ".\\\" Made from man/spec/" value[1] ".spec by mk/spec_man.awk. Do not edit."
    print ".TH " toupper(name) " 7 2026-11-22 xdscope \"Miscellaneous Information Manual\""
    print ".SH NAME"
    print name " \\- facts about gRPC clients: " roff(value[2])
    print ".SH DESCRIPTION"
    put(value[3])
    print ".PP"
    print "Each fact is a row with an id, by which the sources of rules name it"
    print "(\"spec ID\");"
    print ".BI \"xdscope rule \\-\\-spec \" ID"
    print "prints one."
    print "A row says what it is about, when, what each client does, and where that is from."
    print ".B documents"
    print "is what the gRFCs ask for."
}

function put_section() {
    gsub(/"/, "\\(dq", title)
    print ".SH \"" toupper(substr(id, 1, 1)) substr(id, 2) ": " roff(title) "\""
    if (fields > 0)
        put("Sources: " value[1] ".")
    fresh = fields == 0 # .PP directly after .SH does nothing
}

function put_text(    i, was_kept) {
    for (i = 1; i <= fields; i++) {
        kept = value[i] ~ /^  /
        if (kept != was_kept)
            print kept ? (fresh ? "" : ".PP\n") ".nf" : ".fi"
        else if (!kept && !fresh)
            print ".PP"
        fresh = 0
        if (kept)
            print roff(value[i])
        else
            put(value[i])
        was_kept = kept
    }
    if (was_kept)
        print ".fi"
}

function put_row(    i) {
    print ".TP\n.B " roff(id)
    for (i = 1; i <= fields; i++) {
        if (i > 1)
            print ".br"
        put(key[i] ": " value[i])
    }
    fresh = 0
}

function flush() {
    if (kind == "page")
        put_page()
    else if (kind == "section")
        put_section()
    else if (kind == "row")
        put_row()
    else if (kind == "text")
        put_text()
    kind = ""
    fields = 0
}

function begin(line) {
    if (sub(/^== /, "", line)) {
        kind = "section"
        match(line, /^[^ ]+ [^ ]+/)
        id = substr(line, 1, RLENGTH)
        title = substr(line, RLENGTH + 2)
    } else if (sub(/^= /, "", line)) {
        kind = "row"
        id = line
    } else {
        kind = line ~ /^page: / ? "page" : "text"
        add(line)
    }
}

function add(line) {
    if (kind == "text") {
        if (fields == 0 || line ~ /^  / || value[fields] ~ /^  /)
            value[++fields] = line
        else
            value[fields] = value[fields] " " line
    } else if (sub(/^    /, "", line)) {
        value[fields] = value[fields] " " line
    } else {
        key[++fields] = substr(line, 1, index(line, ":") - 1)
        value[fields] = substr(line, length(key[fields]) + 3)
    }
}

FNR == 1 && NR > 1 { flush(); exit }
/^$/ { flush(); next }
kind == "" { begin($0); next }
# Text may follow a heading at once.
kind == "section" && !/^(source: |    )/ { flush(); begin($0); next }
{ add($0) }
END {
    flush()
    print ".SH SEE ALSO\n.BR xdscope\\-rule (1),\n.BR xdscope\\-rules (7)" (ARGC > 2 ? "," : "")
    for (i = 2; i < ARGC; i++) {
        other = ARGV[i]
        gsub(/^.*\/|\.spec$/, "", other)
        print ".BR xdscope\\-spec\\-" roff(other) " (7)" (i < ARGC - 1 ? "," : "")
    }
}

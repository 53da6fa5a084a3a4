# spec_rows.awk FILE... - the pages of man/spec as rows of C: a line for each page, section,
# paragraph and row, in their order. What goes on over several lines becomes one line; lines
# of text that begin with two blanks stay as they are.

function quoted(text) {
    gsub(/[\\"?]/, "\\\\&", text) # a question mark for the sake of trigraphs
    gsub(/\n/, "\\n\"\n    \"", text)
    return "\"" text "\""
}

# Longer literals are not portable.
function put(kind, id, title, text) {
    text = quoted(text)
    if (length(text) > 4000) {
        print file ": " kind " of over 4,000 bytes near " id >"/dev/stderr"
        failed = 1
    }
    print "XDS_SPEC_ENTRY(XDS_SPEC_" kind ", " quoted(id) ", " quoted(title) ",\n    " text ")"
}

function flush() {
    if (kind == "page")
        put("PAGE", value["page"], value["title"], value["about"])
    else if (kind == "section")
        put("SECTION", id, title, body)
    else if (kind == "row")
        put("ROW", id, "", body)
    else if (kind == "text")
        put("TEXT", "", "", body)
    if (kind == "page")
        id = value["page"]
    kind = body = key = ""
    split("", value)
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
    } else if (line ~ /^page: /) {
        kind = "page"
        add_key(line)
    } else {
        kind = "text"
        body = line
        kept = line ~ /^  /
    }
}

function add_key(line) {
    if (sub(/^    /, "", line)) {
        value[key] = value[key] " " line
        body = body " " line
        return
    }
    key = substr(line, 1, index(line, ":") - 1)
    value[key] = substr(line, length(key) + 3)
    body = body (body == "" ? "" : "\n") line
}

FNR == 1 { flush(); file = FILENAME }
/^$/ { flush(); next }
kind == "" { begin($0); next }
kind == "text" {
    body = body (kept || /^  / ? "\n" : " ") $0
    kept = /^  /
    next
}
# Text may follow a heading at once.
kind == "section" && !/^(source: |    )/ { flush(); begin($0); next }
{ add_key($0) }
END { flush(); exit failed }

# read_fields.awk FILE... - who reads which message and field, from the comments of the
# .proto files (README.md beside this file), as rows of C:
#
#   XDS_MESSAGE_READ(descriptor, clients, index of its first field row)
#   XDS_FIELD_READ(field, clients, remark, hint)    in the order of the descriptor
#
# A comment that cannot be read is an error with file and line. Which clients there are is
# not known here: a client that does not exist is left to the compiler, which #line leads
# to the comment.

function fail(where, text) {
    print where ": " text >"/dev/stderr"
    failed = 1
}

# As protoc-c does it: RBACPerRoute -> rbacper_route, a.v1 -> a__v1.
function lower(name,    i, c, out, after_upper) {
    after_upper = 1
    for (i = 1; i <= length(name); i++) {
        c = substr(name, i, 1)
        if (c == ".")
            out = out "__"
        else if (c == tolower(c))
            out = out c
        else
            out = out (after_upper ? "" : "_") tolower(c)
        after_upper = c == "." || c != tolower(c)
    }
    return out
}

# "core node" -> XDS_CLIENT_BIT(XDS_CLIENT_CORE) | ...
function bits(ids,    n, i, words, out) {
    n = split(ids, words, " ")
    for (i = 1; i <= n; i++)
        out = out (i > 1 ? " | " : "") "XDS_CLIENT_BIT(XDS_CLIENT_" toupper(words[i]) ")"
    return out
}

# What "read by" says. grfc stands for the documents, which a client that is added later
# follows: it is not named in a list, but part of all.
function clients(text) {
    if ((" " text " ") ~ / grfc /)
        fail(here, "lists name clients, not grfc: what the documents read is read by \"all\" or \"all but ...\"")
    if (text == "all")
        return "XDS_ALL_CLIENTS"
    if (text ~ /^all but ./)
        return "XDS_ALL_CLIENTS & ~(" bits(substr(text, 9)) ")"
    return bits(text)
}

# Errors of the compiler in the next row are errors of this line.
function located(row) {
    return row ~ /XDS_CLIENT_/ ? "#line " FNR " \"" FILENAME "\"\n" row : row
}

function open_block(what, name,    outer) {
    outer = depth++ ? path[depth - 1] : package
    path[depth] = outer "." name
    kind[depth] = what
    message[depth] = what == "oneof" ? depth - 1 : depth
    if (what == "message") {
        readers[depth] = n_fields[depth] = 0
        read_message(note)
    }
}

function read_message(text) {
    if (text == "")
        return
    sub(/ \([^()]*\)$/, "", text)
    if (text !~ /^read by [a-z][a-z0-9_ ]*$/)
        fail(here, "\"" text "\": after a message write \"read by CLIENTS\" or nothing")
    readers[depth] = located(sprintf("XDS_MESSAGE_READ(%s__descriptor, %s, ", lower(path[depth]), clients(substr(text, 9))))
}

# A hint is about the next field.
function read_field(name, number, text,    m, who, remark) {
    m = message[depth]
    if (!readers[m]) {
        if (text != "" || hint != "")
            fail(here, name ": its message has no \"read by CLIENTS\"")
        return
    }
    sub(/ \([^()]*\)$/, "", text)
    remark = "XDS_NO_REMARK"
    if (sub(/^not read, cosmetic$/, "not read", text))
        remark = "XDS_COSMETIC"
    else if (sub(/^not read, decides$/, "not read", text))
        remark = "XDS_DECIDES"
    else if (/\[deprecated = true\]/ && sub(/, current$/, "", text))
        remark = "XDS_CURRENT"

    if (text == "read")
        who = "XDS_ALL_CLIENTS"
    else if (text == "not read")
        who = "0"
    else if (text ~ /^read by [a-z][a-z0-9_ ]*$/)
        who = clients(substr(text, 9))
    else
        fail(here, name ": write \"read\", \"read by CLIENTS\" or \"not read\", not \"" text "\"")
    if (hint != "" && (text == "read" || text == "read by all" || remark == "XDS_COSMETIC"))
        fail(here, name ": a hint is what follows from a field that is not read")
    keep_field(m, number, located(sprintf("XDS_FIELD_READ(%s, %s, %s, %s)", name, who, remark, hint == "" ? "NULL" : "\"" hint "\"")))
}

# Descriptors list fields by number.
function keep_field(m, number, row,    i) {
    for (i = ++n_fields[m]; i > 1 && numbers[m, i - 1] > number; i--) {
        numbers[m, i] = numbers[m, i - 1]
        rows[m, i] = rows[m, i - 1]
    }
    numbers[m, i] = number
    rows[m, i] = row
}

function close_block(    i) {
    if (kind[depth] == "message" && readers[depth]) {
        print readers[depth] n_rows ")"
        for (i = 1; i <= n_fields[depth]; i++)
            print rows[depth, i]
        n_rows += n_fields[depth]
    }
    depth--
}

BEGIN { n_rows = depth = 0 }

{
    here = FILENAME ":" FNR
    code = $0
    note = ""
    if (match(code, / *\/\/ */)) {
        note = substr(code, RSTART + RLENGTH)
        code = substr(code, 1, RSTART - 1)
    }
    gsub(/^ +| +$/, "", code)
    split(code, word, " ")
}

code == "" && tolower(note) ~ /^hint/ {
    if (note ~ /^hint: ./)
        hint = substr(note, 7)
    else
        fail(here, "write \"hint: TEXT\"")
    gsub(/["\\]/, "\\\\&", hint)
    next
}
code == "" { next }
word[1] == "package" { package = substr(word[2], 1, length(word[2]) - 1) }
code ~ /^(message|enum|oneof) / { open_block(word[1], word[2]) }
code ~ / = [0-9]+( \[.*\])?;$/ && kind[depth] != "enum" {
    match(code, / = [0-9]+/)
    number = substr(code, RSTART + 3, RLENGTH - 3) + 0
    name = substr(code, 1, RSTART - 1)
    sub(/.* /, "", name)
    read_field(name, number, note)
    hint = ""
    next
}
hint != "" { fail(here, "the hint above is not followed by a field"); hint = "" }
code ~ /}$/ { close_block() }

END {
    if (depth != 0)
        fail(here, "a block is not closed")
    exit failed
}

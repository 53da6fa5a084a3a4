# account_rows.awk FILE... - the rows of man/spec and what cites them. First the pages
# (*.spec), then every file that may cite: each citation has a row or a section, and each
# row is accounted for by a rule or a reading of a .def file, or by a reason, "no rule: ...",
# but not by a rule and a reason. What clients do at run time is no rule's: a row of those
# pages is also accounted for where the code cites it. Prints what does not add up; exit 1 then.

function complain(text) { print text; bad = 1 }

# ---- pages -----------------------------------------------------------------------

function end_row(    i, clients) {
    if (id == "")
        return
    split("core go java node", clients, " ")
    for (i = 1; i <= 4; i++)
        if (says[clients[i]] + says["all"] + (says[clients[i]] ? 0 : says["others"]) != 1)
            complain(id ": says of " clients[i] " nothing, or twice")
    if (!("field" in says) || !("from" in says))
        complain(id ": needs field: and from:")
    id = ""
    split("", says)
}

function begin_row(text) {
    end_row()
    if (text in row || text in section)
        complain(text ": two rows have this id")
    id = text
    row[id] = ++rows
    name[rows] = id
    at_run_time[id] = FILENAME ~ /(routing|balancing|service-config)\.spec$/
}

function begin_section(text) {
    end_row()
    match(text, /^(listener|cluster|routing|bootstrap) [0-9.]+/)
    if (RLENGTH < 0)
        complain(FILENAME ": " text ": not the id of a section")
    else
        section[substr(text, 1, RLENGTH)] = 1
}

function read_key(line,    key, i, n, list) {
    key = substr(line, 1, index(line, ":") - 1)
    if (key == "no rule")
        reason[id] = 1
    if (key == "see")
        see[id] = substr(line, 6)
    if (key ~ /^(field|when|core says|go says|java says|node says|guard|from|see|no rule)$/) {
        says[key]++
        return
    }
    n = split(key, list, /, */)
    for (i = 1; i <= n; i++) {
        says[list[i]]++
        if (list[i] !~ /^(all|documents|core|go|java|node|others)$/)
            complain(id ": does not know the key " key)
    }
}

FILENAME ~ /\.spec$/ {
    if (/[^ -~]/)
        complain(FILENAME ":" FNR ": not plain ASCII")
    if (FNR == 1)
        end_row()
    if (sub(/^== /, ""))
        begin_section($0)
    else if (sub(/^= /, ""))
        begin_row($0)
    else if (/^$/)
        end_row()
    else if (id != "" && !/^    /)
        read_key($0)
    next
}

# ---- citations -------------------------------------------------------------------

# rule: the slug that cites it, "a reading", or "".
function note(where, rule, what) {
    if (!(what in row || what in section))
        complain(where ": cites spec " what ", which is not in man/spec")
    if (rule == "a reading" || rule == "" && at_run_time[what] && where ~ /^libvalidate/ && where !~ /_test\.c/)
        read[what] = 1
    else if (rule != "" && rule != "see")
        cited[what] = rule
}

# "G31", "1.4", "1.4/5" or each row of "1.7/8-17".
function cite_item(where, rule, item,    part, bounds, i) {
    if (item !~ /^[0-9]/) {
        note(where, rule, item)
        return
    }
    split(item, part, "/")
    split(part[2], bounds, "-")
    if (item !~ /-/)
        note(where, rule, document " " item)
    for (i = bounds[1] + 0; item ~ /-/ && i <= bounds[2] + 0; i++)
        note(where, rule, document " " part[1] "/" i)
}

# "PR-b" to "PR-g", "G55" to "G61": those between the two.
function cite_between(where, rule, from, to,    i, prefix) {
    prefix = from
    sub(/([0-9]+|[a-z])$/, "", prefix)
    if (prefix == "" || index(to, prefix) != 1)
        return
    for (i = 1; i < 200; i++) {
        from = (from ~ /[0-9]$/) ? prefix (substr(from, length(prefix) + 1) + 1) : \
            prefix substr(letters, index(letters, substr(from, length(from))) + 1, 1)
        if (from == to)
            return
        cite_item(where, rule, from)
    }
}

# The length of the item at the front of text, or 0.
function item_length(text) {
    if (!match(text, /^([0-9]+([.][0-9]+)*(\/[0-9]+(-[0-9]+)?)?|[A-Z]+[0-9]+[a-z]?|[A-Z]+-[0-9a-z]+)/))
        return 0
    return substr(text, RLENGTH + 1) ~ /^([A-Za-z0-9_\/]|[.][0-9])/ ? 0 : RLENGTH
}

# Items with ", ", " and " or " to " between them; their number. Numbers are of the document
# that was named last, at first of listener.
function cite(where, rule, text,    count, len, item, before, is_range) {
    document = "listener"
    for (count = 0;; count++) {
        sub(/^spec /, "", text)
        if (match(text, /^(listener|cluster|routing) /)) {
            document = substr(text, 1, RLENGTH - 1)
            text = substr(text, RLENGTH + 1)
        } else if (count == 0 && rule == "" && text ~ /^[0-9]/)
            complain(where ": spec " substr(text, 1, 20) ": of listener, cluster or routing?")
        len = item_length(text)
        if (len == 0)
            return count
        item = substr(text, 1, len)
        cite_item(where, rule, item)
        if (is_range)
            cite_between(where, rule, before, item)
        before = item
        text = substr(text, len + 1)
        is_range = text ~ /^ to /
        if (!sub(/^(, and |, | and | to )/, "", text))
            return count + 1
    }
}

# Without what makes it a comment, a part of a string, or roff.
function plain(line) {
    sub(/^[ \t]*(\*|\/\*|\/\/|#|\.\\"|")?[ \t]*/, "", line)
    sub(/"?[ \t]*\\?$/, "", line)
    gsub(/\\-/, "-", line)
    return line
}

function scan(text,    at) {
    gsub(/[ \t]+/, " ", text)
    while (match(text, /(^|[ ("`])spec /)) {
        text = substr(text, RSTART + RLENGTH)
        if (text ~ citation && !cite(where, "", text))
            complain(where ": spec " substr(text, 1, 30) ": not the id of a row or section")
    }
}

# The two strings that matter: a slug or a variable, but not of a reading, and the source. Strings that are
# side by side are one.
function read_row(text,    n, part, i, literal, k) {
    n = split(text, part, "\"")
    k = 1
    for (i = 2; i <= n && k <= 2; i += 2) {
        literal[k] = literal[k] part[i]
        if (part[i + 1] !~ /^[ \t]*$/)
            k++
    }
    if (literal[1] ~ /^(gRFC|draft|spec) /)
        read_source("a reading", literal[1])
    else if (literal[1] ~ /^GRPC_/)
        read_source("a reading", literal[2])
    else
        read_source(literal[1], literal[2])
}

function read_source(rule, source) {
    if (rule != "" && match(source, /(^|, )spec /))
        cite(macro_at, rule, substr(source, RSTART + RLENGTH))
}

function flush() {
    if (macro != "")
        read_row(macro)
    if (held != "")
        scan(held)
    macro = held = ""
}

FNR == 1 { end_row(); flush() }

FILENAME ~ /\.def$/ && (macro != "" || /^XDS_/) {
    if (/^XDS_/) {
        if (macro != "")
            read_row(macro)
        macro = ""
        macro_at = FILENAME ":" FNR
    }
    macro = macro " " $0
}

# A citation may go on in the next two lines.
BEGIN { letters = "abcdefghijklmnopqrstuvwxyz" }
BEGIN { citation = "^([A-Z]+-?[0-9a-z]|[0-9]|(listener|cluster|routing|section|common)[ ,])" }
/(^|[ ("`])spec( |"?$)/ {
    if (held == "")
        where = FILENAME ":" FNR
    held = held " " plain($0)
    left = 2
    next
}
held != "" {
    held = held " " plain($0)
    if (--left == 0) {
        scan(held)
        held = ""
    }
}

END {
    end_row()
    flush()
    for (i = 1; i <= rows; i++) {
        id = name[i]
        if (id in cited && id in reason)
            complain(id ": has a reason to need no rule, but " cited[id] " cites it")
        else if (!(id in cited || id in read || id in reason))
            complain(id ": no rule and no reading cites it, and it has no reason (no rule: ...)")
        if (id in see)
            cite(id, "see", see[id])
    }
    exit bad
}

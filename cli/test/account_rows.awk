# account_rows.awk - every row of the catalogues of client behaviour is a rule or is known
# to need none. Reads *.ids (the rows), *.def (the rules, whose sources cite rows) and
# *.tsv (id<TAB>reason: the rows without a rule). Prints what does not add up; exit 1 then.

function complain(text) { print text; bad = 1 }

# The two strings that matter: slug and source. Strings that stand side by side are one.
function read_rule(text,    n, part, i, literal, k) {
    n = split(text, part, "\"")
    k = 1
    for (i = 2; i <= n && k <= 2; i += 2) {
        literal[k] = literal[k] part[i]
        if (part[i + 1] !~ /^[ \t]*$/)
            k++
    }
    if (literal[1] != "")
        cite(literal[1], literal[2])
}

# "1.7/8-17" are the rows from 1.7/8 to 1.7/17.
function cite_range(slug, range,    part, bounds, i) {
    split(range, part, "/")
    split(part[2], bounds, "-")
    for (i = bounds[1] + 0; i <= bounds[2] + 0; i++)
        if ((part[1] "/" i) in row)
            cited[part[1] "/" i] = slug
        else
            complain(slug ": cites " part[1] "/" i ", which is in no catalogue")
}

# "gRFC A36, spec L12, L13, spec cluster 1.2/3, 12.3": ids follow the word spec; numbers
# alone are sections, not rows.
function cite(slug, source,    n, item, i, within, id) {
    n = split(source, item, /, */)
    for (i = 1; i <= n; i++) {
        id = item[i]
        if (id ~ /^gRFC /)
            within = 0
        if (sub(/^spec (cluster )?/, "", id))
            within = 1
        if (!within && id in row)
            complain(slug ": cites " id " without the word spec")
        if (within && id in row)
            cited[id] = slug
        else if (within && id ~ /^[0-9.]+\/[0-9]+-[0-9]+$/)
            cite_range(slug, id)
        else if (within && id !~ /^[0-9]+(\.[0-9]+)*$/)
            complain(slug ": cites " id ", which is in no catalogue")
    }
}

FNR == 1 { flush() }
function flush() {
    if (rule != "")
        read_rule(rule)
    rule = ""
}

FILENAME ~ /\.ids$/ {
    if ($0 in row)
        complain(FILENAME ": " $0 " stands in it twice")
    row[$0] = ++rows
    next
}

FILENAME ~ /\.def$/ {
    if (/^XDS_/)
        flush()
    if (/^XDS_/ || rule != "")
        rule = rule " " $0
    next
}

/^#/ || /^$/ { next }
{
    tab = index($0, "\t")
    id = tab ? substr($0, 1, tab - 1) : $0
    reason = tab ? substr($0, tab + 1) : ""
    gsub(/[ \t]/, "", reason)
    if (!(id in row))
        complain(FILENAME ": " id " is in no catalogue")
    if (reason == "")
        complain(FILENAME ": " id " without a reason")
    if (id in excused)
        complain(FILENAME ": " id " stands in " excused[id] " already")
    excused[id] = FILENAME
}

END {
    flush()
    for (id in row)
        name[row[id]] = id
    for (i = 1; i <= rows; i++) {
        id = name[i]
        if (id in cited && id in excused)
            complain(excused[id] ": " id " needs no rule, but " cited[id] " cites it")
        else if (!(id in cited) && !(id in excused))
            complain(id " is in no rule's source and not among the rows that need none")
    }
    exit bad
}

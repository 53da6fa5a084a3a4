# examples.awk CASE... - for each rule a bad and a good example of its own cases, as rows of C:
# the shortest input that has the finding, and the shortest one that only looks alike. A case
# whose inputs are plain text is an example; of others only the name is given. Several inputs
# follow each other, each after a line with its name.

function quoted(text) {
    gsub(/[\\"?]/, "\\\\&", text) # a question mark for the sake of trigraphs
    gsub(/\t/, "\\t", text)
    gsub(/\n/, "\\n\"\n    \"", text)
    return "\"" text "\""
}

# ---- inputs ----------------------------------------------------------------------

# "NAME", "use NAME" or "use FIXTURE as NAME": what other cases have too is a fixture, of which
# the lines after "< " are replaced by those after "> ".
function begin_input(name,    word, line) {
    fixture = content = old = new = ""
    if (split(name, word, " ") > 1) {
        fixture = "testdata/fixtures/" word[2]
        name = word[4] == "" ? word[2] : word[4]
        while ((getline line <fixture) > 0)
            content = content (content == "" ? "" : "\n") line
        close(fixture)
    }
    if (name != input_name) {
        inputs++
        all_inputs = all_inputs (inputs > 1 ? "\n" : "") "-- " name " --"
        last_input = ""
    }
    has_hex = has_hex || name ~ /\.(hex|repeat)$/
    input_name = name
}

function replace_lines(    at) {
    at = index("\n" content "\n", "\n" old "\n")
    if (old != "" && at)
        content = substr(content, 1, at - 1) new substr(content, at + length(old))
    old = new = ""
}

function add_line(line) {
    if (fixture == "")
        content = content (content == "" ? "" : "\n") line
    else if (sub(/^< /, "", line)) {
        if (new != "")
            replace_lines()
        old = old (old == "" ? "" : "\n") line
    } else if (sub(/^> /, "", line))
        new = new (new == "" ? "" : "\n") line
}

function end_input() {
    if (input_name == "" || section == "" || section in not_input)
        return
    if (fixture != "")
        replace_lines()
    last_input = last_input (last_input == "" ? "" : "\n") content
    all_inputs = all_inputs "\n" content
}

# ---- cases -----------------------------------------------------------------------

# How far a case is from being an example: its size, after whether it can be shown, is about
# the rule alone, and, of a good one, holds for today's clients and has no fault for any.
function cost(is_bad) {
    return length(input) + (is_bad ? 200 * others : 500 * one_client + 1e4 * !clean + 2e4 * old + 1e5 * errors) + 1e6 * odd + 1e7 * !is_text
}

function flush(    is_bad, n, lines) {
    if (path == "")
        return
    end_input()
    is_bad = index(output, "[" slug "]") || index(output, "\"rule\":\"" slug "\"")
    input = inputs == 1 ? last_input : all_inputs
    is_text = inputs > 0 && !has_hex && split(input, lines, "\n") <= 40 && length(input) <= 3000 && input !~ /[^\t\n -~]/
    odd = args ~ /--(ignore|select|level|baseline|against|partial)|-q/ || input ~ /# xdscope:/ && slug !~ /^suppress/
    errors = output !~ /: 0 errors,|errors: 0,/ && output != ""
    clean = output ~ /: 0 errors, 0 warnings, 0 notes|errors: 0, warnings: 0(, notes: 0)?(\n|$)/ || output == ""
    old = args ~ /--client [^ ]*@/
    one_client = args ~ /--client (go|java|node)/
    n = cost(is_bad)
    if (!((slug, is_bad) in best) || n < best[slug, is_bad]) {
        best[slug, is_bad] = n
        name[slug, is_bad] = path
        shown[slug, is_bad] = is_text ? input : ""
    }
}

function example(slug, is_bad) {
    if (!((slug, is_bad) in name))
        return "\"\", \"\""
    return quoted(name[slug, is_bad]) ", " quoted(shown[slug, is_bad])
}

BEGIN {
    for (n = split("args env stdout stderr findings exit", part, " "); n > 0; n--)
        not_input[part[n]] = 1
}
FNR == 1 {
    flush()
    path = FILENAME
    n = split(path, part, "/")
    slug = part[n - 1]
    if (slug != last)
        slugs[++rules] = last = slug
    section = output = args = input_name = all_inputs = last_input = ""
    inputs = has_hex = others = 0
}
/^-- .+ --$/ {
    end_input()
    section = substr($0, 4, length($0) - 6)
    if (!(section in not_input))
        begin_input(section)
    next
}
section == "" { next }
section == "args" { args = args $0 }
section == "stdout" || section == "findings" {
    output = output $0 "\n"
    if (/: (error|warning|note): .*\]$/ && !index($0, "[" slug "]"))
        others++
}
!(section in not_input) { add_line($0) }
END {
    flush()
    for (i = 1; i <= rules; i++)
        print "XDS_EXAMPLE(" quoted(slugs[i]) ",\n    " example(slugs[i], 1) ",\n    " example(slugs[i], 0) ")"
}

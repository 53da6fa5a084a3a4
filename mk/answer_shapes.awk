# answer_shapes.awk - the members of explain's answers, by its JSON schema, as rows of suite/compare.c.
#
# Takes: man/schema/explain.schema.json.
# Gives: a table of struct shape for each of the three answers.
{ text = text $0 "\n" }

# A token of JSON, with its quotes.
function next_token() {
    sub(/^[ \t\n]+/, "", text)
    if (!match(text, /^("([^"\\]|\\.)*"|[-+.0-9A-Za-z]+|.)/))
        fail("it ends early")
    token = substr(text, 1, RLENGTH)
    text = substr(text, RLENGTH + 1)
    return token
}

function fail(what) {
    print "answer_shapes.awk: " FILENAME ": " what >"/dev/stderr"
    failed = 1
    exit 1
}

# The value that begins with a token, as the number of its node. Only strings have a text.
function read_value(first,    id, name, key) {
    id = ++n_nodes
    kind[id] = first
    if (first ~ /^"/)
        kind[id] = substr(first, 2, length(first) - 2)
    if (first != "{" && first != "[")
        return id
    name = next_token()
    while (name != "}" && name != "]") {
        if (name != ",") {
            key = ""
            if (first == "{") {
                key = substr(name, 2, length(name) - 2)
                next_token()
                name = next_token()
            }
            ++n_members[id]
            key_of[id, n_members[id]] = key
            member[id, n_members[id]] = read_value(name)
            if (key != "")
                by_name[id, key] = member[id, n_members[id]]
        }
        name = next_token()
    }
    return id
}

function get(id, name) {
    return (id, name) in by_name ? by_name[id, name] : 0
}

# The one alternative that is more than null; 0: there are several, or none.
function alternative(list,    i, one, found) {
    for (i = 1; i <= n_members[list]; i++) {
        one = member[list, i]
        if (get(one, "type") && kind[get(one, "type")] == "null")
            continue
        if (found)
            return 0
        found = one
    }
    return found
}

function is_object(id,    type, i) {
    type = get(id, "type")
    if (!type)
        return 0
    for (i = 1; i <= n_members[type]; i++)
        if (kind[member[type, i]] == "object")
            return 1
    return kind[type] == "object"
}

# within: the definitions around it, each between blanks.
function walk(path, id, within,    ref, list, properties, i, names) {
    ref = get(id, "$ref")
    if (ref) {
        sub(/.*\//, "", kind[ref])
        if (index(within, " " kind[ref] " ")) {
            printf "    {\"%s\", NULL},\n", path
            return
        }
        within = within kind[ref] " "
        walk(path, get(definitions, kind[ref]), within)
        return
    }
    list = get(id, "anyOf") ? get(id, "anyOf") : get(id, "oneOf")
    if (list)
        id = alternative(list)
    if (list && id) {
        walk(path, id, within)
        return
    }
    if (get(id, "items")) {
        walk(path, get(id, "items"), within)
        return
    }
    properties = get(id, "properties")
    if (!properties) {
        if (is_object(id))
            printf "    {\"%s\", NULL},\n", path
        return
    }
    for (i = 1; i <= n_members[properties]; i++)
        names = names (i > 1 ? ", " : "") "\"" key_of[properties, i] "\""
    printf "    {\"%s\", NAMES(%s)},\n", path, names
    for (i = 1; i <= n_members[properties]; i++)
        walk((path == "" ? "" : path ".") key_of[properties, i], member[properties, i], within)
}

END {
    if (failed)
        exit 1
    definitions = get(read_value(next_token()), "$defs")
    n = split("decision served ends", roots, " ")
    for (i = 1; i <= n; i++) {
        if (!get(definitions, roots[i]))
            fail("it has no " roots[i])
        printf "static const struct shape of_%s[] = {\n", roots[i]
        walk("", get(definitions, roots[i]), " " roots[i] " ")
        print "    {NULL, NULL},\n};\n"
    }
}

# pb_names.awk - typedefs of protobuf-c's headers as short names: pb_ and the name of the message
# without its package. A name that several packages have is for decode/pb.h to give.

function snake(name,    i, c, out) {
    for (i = 1; i <= length(name); i++) {
        c = substr(name, i, 1)
        if (i > 1 && c ~ /[A-Z]/ && (substr(name, i - 1, 1) ~ /[a-z0-9]/ || substr(name, i + 1, 1) ~ /[a-z]/))
            out = out "_"
        out = out tolower(c)
    }
    return out
}
FNR == 1 { print "#include \"" substr(FILENAME, match(FILENAME, /[^\/]*$/)) "\"" }
/^typedef struct [A-Za-z0-9_]+ [A-Za-z0-9_]+;/ {
    type = substr($4, 1, length($4) - 1)
    if (!match(type, /__V[0-9][a-z0-9]*__/) && !match(type, /^Google__Protobuf__/))
        next
    n = split(substr(type, RSTART + RLENGTH), part, "__")
    name = "pb"
    for (i = 1; i <= n; i++)
        name = name "_" snake(part[i])
    types[++n_types] = type
    name_of[type] = name
    times[name]++
}
END {
    for (i = 1; i <= n_types; i++)
        if (times[name_of[types[i]]] == 1)
            print "typedef " types[i] " " name_of[types[i]] ";"
}

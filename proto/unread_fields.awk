# unread_fields.awk FILE - the lines of unread_fields.txt as rows of C:
#
#   XDS_UNREAD_MESSAGE(name, index of its first field row, number of fields)
#   XDS_UNREAD_FIELD(number, type, label, index of its message or enum row, 1 + oneof, name)
#   XDS_UNREAD_ENUM(name, index of its first value row, number of values)
#   XDS_UNREAD_VALUE(number, name)
#   XDS_UNREAD_NAME(text)
#
# The name of a field or value is where its text begins when all of them follow each other,
# each with a NUL.

/^#/ { next }

{
    if (substr($1, 1, 1) == "&")
        row[$1] = n_enums++
    else
        row[$1] = n_messages++
    line[n++] = $0
}

# Where the name is; 0, that of "", when there is none.
function name_at(name) {
    if (!(name in place)) {
        place[name] = names_len + 0
        names[n_names++] = name
        names_len += length(name) + 1
    }
    return place[name]
}

function field_row(message, part,    text, arm, mark, label, type) {
    text = part[3]
    arm = 0
    if (split(text, half, "@") == 2) {
        text = half[1]
        arm = half[2] + 1
    }
    mark = substr(text, 1, 1)
    label = mark == "*" ? "REPEATED" : mark == "%" ? "MAP" : "SINGULAR"
    if (label != "SINGULAR")
        text = substr(text, 2)
    type = substr(text, 1, 1) == "&" ? "ENUM" : index(text, ".") ? "MESSAGE" : toupper(text)
    if (index(text, ".") && !(text in row)) {
        print FILENAME ": " message " holds " text ", which has no line" >"/dev/stderr"
        exit 1
    }
    return "XDS_UNREAD_FIELD(" part[1] ", " type ", " label ", " row[text] + 0 ", " arm ", " name_at(part[2]) ")"
}

END {
    name_at("")
    for (i = 0; i < n; i++) {
        words = split(line[i], word, " ")
        is_enum = substr(word[1], 1, 1) == "&"
        if (is_enum)
            print "XDS_UNREAD_ENUM(\"" substr(word[1], 2) "\", " values + 0 ", " words - 1 ")"
        else
            print "XDS_UNREAD_MESSAGE(\"" word[1] "\", " fields + 0 ", " words - 1 ")"
        for (k = 2; k <= words; k++) {
            split(word[k], part, ":")
            if (is_enum)
                value[values++] = "XDS_UNREAD_VALUE(" part[1] ", " name_at(part[2]) ")"
            else
                field[fields++] = field_row(word[1], part)
        }
    }
    for (i = 0; i < fields; i++)
        print field[i]
    for (i = 0; i < values; i++)
        print value[i]
    for (i = 0; i < n_names; i++)
        print "XDS_UNREAD_NAME(\"" names[i] "\")"
    if (names_len > 65535) {
        print FILENAME ": the names do not fit into 64 KiB" >"/dev/stderr"
        exit 1
    }
}

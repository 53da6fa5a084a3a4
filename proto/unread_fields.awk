# unread_fields.awk FILE - the lines of unread_fields.txt as rows of C:
#
#   XDS_UNREAD_MESSAGE(name, index of its first field row, number of fields)
#   XDS_UNREAD_FIELD(number, kind, label, index of its message row)

/^#/ { next }

{
    row[$1] = n
    line[n++] = $0
}

# A type that is no message, as a kind.
function kind(type) {
    return index(type, ".") ? "MESSAGE" : toupper(type)
}

END {
    for (i = 0; i < n; i++) {
        words = split(line[i], word, " ")
        print "XDS_UNREAD_MESSAGE(\"" word[1] "\", " first + 0 ", " words - 1 ")"
        for (k = 2; k <= words; k++) {
            split(word[k], part, ":")
            mark = substr(part[2], 1, 1)
            label = mark == "*" ? "REPEATED" : mark == "%" ? "MAP" : "SINGULAR"
            type = label == "SINGULAR" ? part[2] : substr(part[2], 2)
            if (index(type, ".") && !(type in row)) {
                print FILENAME ": " word[1] " holds " type ", which has no line" >"/dev/stderr"
                exit 1
            }
            field[fields++] = "XDS_UNREAD_FIELD(" part[1] ", " kind(type) ", " label ", " row[type] + 0 ")"
        }
        first = fields
    }
    for (i = 0; i < fields; i++)
        print field[i]
}

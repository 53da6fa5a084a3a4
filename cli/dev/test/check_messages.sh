#!/bin/sh
# check_messages.sh [ROOM...] - each message of a finding names its subject, so that it makes sense
# alone in one line of a CI log. The messages are those that the cases in testdata expect, in text
# and in JSON. With rooms only the rules of these folders of libvalidate count. Exit 1 with the
# list of messages that name nothing.
set -u
LC_ALL=C
export LC_ALL
rooms=${*:-.}
for room in $rooms; do
    find "libvalidate/$room" -name '*.def'
done | sort -u | xargs sed -n 's/^XDS_\(RULE\|CHECK\|SYNTAX\)([A-Z0-9_]*, "\([a-z0-9-]*\)".*/\2/p' |
    sort -u >build/message_rules

grep -rhE ': (error|warning|note): .* \[[a-z0-9-]+\]$|"message": ?"|"rule": ?"' testdata --include='*.case' --exclude-dir=rule --exclude='nack-*' |
    awk '
    # What a message is about: a quoted text, a field or a path, a type, a value of an enum or a
    # name of a format, a part of a list.
    function has_subject(text) {
        if (text ~ /"[^"]*"/) return 1
        if (text ~ /[a-z0-9]_[a-z0-9]/ || text ~ /[a-z]\.[a-z_]/ || text ~ /[a-z]\[[0-9]+\]/) return 1
        if (text ~ /(^|[^A-Za-z])[A-Za-z]+[a-z][A-Z][a-zA-Z]*/) return 1
        gsub(/RPCs?|NACK|UNAVAILABLE|HTTP|MiB/, "", text)
        if (text ~ /(^|[^A-Za-z])[A-Z][A-Z0-9_][A-Z0-9_]+([^a-z]|$)/) return 1
        if (text ~ /(^|[^A-Za-z])(Listener|Cluster|Router?|Any|Duration|Timestamp|Struct|Value|Secret)([^A-Za-z]|$)/) return 1
        if (text ~ /filter (override )?[A-Z][a-z]/) return 1
        # fields of one word, formats and folders, as the first words say
        return text ~ /^(the )?(\{?field\}?|address|name|domains?|routes?|route|headers?|port|ttl|path|prefix|regex|action|type|match|cluster|clusters|priority [0-9]+|seconds|nanos|weight|filter|config|extension|category|percentage|timeout|locality|contains|suffix|rules|url|sni|crl|matcher|priority) (is|are|has|must|may|exceeds|[0-9])/ ||
               text ~ /^(name|key|value|url|sum) of [a-z]/ || text ~ /^(endpoint|locality) weights/ || text ~ /^the (resource|Resource wrapper) / ||
               text ~ /^invalid text proto: / || text ~ /^(the |this )?(input|line|folder|file) /
    }
    function take(rule, text) {
        if (!((rule, text) in seen)) {
            seen[rule, text] = 1
            if (!has_subject(text)) print rule "\t" text
        }
    }
    match($0, /: (error|warning|note): .* \[[a-z0-9-]+\]$/) && !/"rule"/ {
        text = substr($0, RSTART)
        sub(/^: [a-z]+: /, "", text)
        rule = text
        sub(/^.* \[/, "", rule)
        sub(/\]$/, "", rule)
        sub(/ \[[a-z0-9-]+\]$/, "", text)
        take(rule, text)
        next
    }
    /^"crash":/ { next } # of explain: its rule has no message there
    {
        rest = $0
        while (match(rest, /"(rule|message)": ?"([^"\\]|\\.)*"/)) {
            text = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART + RLENGTH)
            is_rule = text ~ /^"rule"/
            sub(/^"[a-z]+": ?"/, "", text)
            sub(/"$/, "", text)
            gsub(/\\"/, "\"", text)
            if (is_rule)
                last = text
            else if (last != "")
                take(last, text)
            if (!is_rule) last = ""
        }
    }' | sort | awk -F '\t' 'NR == FNR { known[$1] = 1; next } $1 in known' build/message_rules - >build/message_subjects
n=$(wc -l <build/message_subjects)
if [ "$n" -gt 0 ]; then
    sed 's/\t/: no subject in: /' build/message_subjects
    echo "$n messages name no subject"
    exit 1
fi
echo "  MESSAGES	each names its subject"

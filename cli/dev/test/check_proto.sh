#!/bin/sh
# check_proto.sh - the comments of proto/ become the right rows, and a mistake in one is an error with
# file and line. Exit 1 when not.
set -u
fail=0
n=0
proto=build/comments.proto

# expect STATUS WANTED: how read_fields.awk ends, and what it says of $proto; of errors, without the rows.
expect() {
    n=$((n + 1))
    got=$(awk -f proto/read_fields.awk "$proto" 2>&1 >build/comments.inc)
    [ "$?:${got:-$(cat build/comments.inc)}" = "$1:$2" ] && return
    printf 'wanted: %s\ngot: %s\nfrom:\n' "$2" "${got:-$(cat build/comments.inc)}"
    cat "$proto"
    fail=1
}

cat >"$proto" <<'END'
package a.v1;
message HTTPRule {  // read by all
  message Inner {  // read by all but go (spec X1)
    string a = 1;  // read
  }
  oneof kind {
    // free
    map<string, Inner> b = 9;  // read by core java (spec X1)
    // hint: say "no"
    Inner c = 10;  // not read
  }
  uint32 d = 2 [deprecated = true];  // read, current (gRFC A1)
  string e = 3;  // not read, cosmetic
}
message Unread {
  string x = 1;
  enum E {
    ZERO = 0;  // free
  }
}
message Empty {}  // read by node
END
# Fields by number, and a nested message before its parent.
expect 0 "#line 3 \"$proto\"
XDS_MESSAGE_READ(a__v1__httprule__inner__descriptor, XDS_ALL_CLIENTS & ~(XDS_CLIENT_BIT(XDS_CLIENT_GO)), 0)
XDS_FIELD_READ(a, XDS_ALL_CLIENTS, XDS_NO_REMARK, NULL)
XDS_MESSAGE_READ(a__v1__httprule__descriptor, XDS_ALL_CLIENTS, 1)
XDS_FIELD_READ(d, XDS_ALL_CLIENTS, XDS_CURRENT, NULL)
XDS_FIELD_READ(e, 0, XDS_COSMETIC, NULL)
#line 8 \"$proto\"
XDS_FIELD_READ(b, XDS_CLIENT_BIT(XDS_CLIENT_CORE) | XDS_CLIENT_BIT(XDS_CLIENT_JAVA), XDS_NO_REMARK, NULL)
XDS_FIELD_READ(c, 0, XDS_NO_REMARK, \"say \\\"no\\\"\")
#line 21 \"$proto\"
XDS_MESSAGE_READ(a__v1__empty__descriptor, XDS_CLIENT_BIT(XDS_CLIENT_NODE), 5)"

# wrong LINES ERROR [LINE]: the lines of a message, from line 2 on, and the error.
wrong() {
    printf 'message M {  // read by all\n%s\n}\n' "$1" >"$proto"
    expect 1 "$proto:${3:-2}: $2"
}
grammar='write "read", "read by CLIENTS" or "not read", not'
hint='a hint is what follows from a field that is not read'
wrong '  string a = 1;' "a: $grammar \"\""
wrong '  string a = 1;  // raed' "a: $grammar \"raed\""
wrong '  string a = 1;  // read by' "a: $grammar \"read by\""
wrong '  string a = 1;  // read by Go' "a: $grammar \"read by Go\""
wrong '  string a = 1;  // read by core, go' "a: $grammar \"read by core, go\""
wrong '  string a = 1;  // read, cosmetic' "a: $grammar \"read, cosmetic\""
wrong '  string a = 1;  // read, current' "a: $grammar \"read, current\""
wrong '  string a = 1;  // read by grfc go' 'lists name clients, not grfc: what the documents read is read by "all" or "all but ..."'
wrong '  // Hint: no' 'write "hint: TEXT"'
wrong '  // hint: no
  reserved 2;' 'the hint above is not followed by a field' 3
wrong '  // hint: no
  string a = 1;  // read' "a: $hint" 3
wrong '  // hint: no
  string a = 1;  // not read, cosmetic' "a: $hint" 3
wrong '  message N {
    string a = 1;  // read
  }' 'a: its message has no "read by CLIENTS"' 3
wrong '  message N {  // read
  }' '"read": after a message write "read by CLIENTS" or nothing'
wrong '  message N {' 'a block is not closed' 3

# A client that does not exist is an error of the compiler, in the line of the comment.
n=$((n + 1))
printf 'package envoy.config.core.v3;\nmessage Pipe {}  // read by all but nod\n' >"$proto"
{
    echo '#include "include/xdscope.h"'
    echo '#define XDS_MESSAGE_READ(message, clients, first) enum { row = (clients) };'
    awk -f proto/read_fields.awk "$proto"
} >build/comments.c
${CC:-cc} -fsyntax-only -Ilibvalidate build/comments.c 2>&1 | grep -q "^$proto:2:.*XDS_CLIENT_NOD" || {
    echo 'a client that does not exist is not found in its line'
    fail=1
}

[ $fail -eq 0 ] && echo "  PROTO	$n comments ok"
exit $fail

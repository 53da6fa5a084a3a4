#!/bin/sh
# check_man.sh PROGRAM - every example of a manual page that shows output is a case of its
# own: testdata/cli/man/*.case with the same arguments and the same stdout; a file that is shown
# before it with "$ cat FILE" is the one of the case. What the README
# shows of `make demo` is what it prints.
set -u
fail=0
mkdir -p build/man
rm -f build/man/*
# One file per example: the command in the first line, then its output.
for page in man/*.[15]; do
    sed -n '/^\.SH EXAMPLE/,/^\.SH [^E]/p' "$page" | sed 's/\\-/-/g; s/\\e/\\/g; s/^\\&//' |
        awk -v page="$(basename "$page")" '
            /^\.nf/ { inside = 1; next } /^\.fi/ { inside = 0; next }
            inside && /^\$ / { n++ }
            inside && sub(/ \\$/, "") { printf "%s", $0 > ("build/man/" page "." n); joined = 1; next }
            inside { if (joined) sub(/^ */, " "); joined = 0; print > ("build/man/" page "." n) }'
done
for example in build/man/*; do
    [ "$(wc -l <"$example")" -gt 1 ] && grep -q '^\$ xdscope ' "$example" || continue
    args=$(sed -n '1s/^\$ xdscope //p' "$example")
    case_file=$(grep -lxF -e "$args" testdata/cli/man/*.case 2>/dev/null | head -n 1)
    if [ -z "$case_file" ]; then
        echo "$example: no case testdata/cli/man/*.case has the arguments: $args"
        fail=1
        continue
    fi
    number=${example##*.}
    shown=${example%.*}.$((number - 1))
    if [ -f "$shown" ] && file=$(sed -n '1s/^\$ cat //p' "$shown") && [ -n "$file" ]; then
        sed 1d "$shown" >build/man.want
        awk -v name="-- $file --" '/^-- .* --$/ { on = $0 == name; next } on' "$case_file" >build/man.got
        cmp -s build/man.want build/man.got || {
            echo "$shown differs from $file of $case_file"
            diff build/man.got build/man.want
            fail=1
        }
    fi
    sed 1d "$example" >build/man.want
    sed '1,/^-- stdout --$/d; /^-- \(stderr\|exit\) --$/,$d' "$case_file" >build/man.got
    cmp -s build/man.want build/man.got || {
        echo "$example differs from $case_file"
        diff build/man.got build/man.want
        fail=1
    }
done
sh testdata/snapshots/demo.sh "$1" | sed 1d >build/man.want
awk '/^## What it answers/ { on = 1 } on && /^```/ { n++; next } on && n == 1' README.md >build/man.got
cmp -s build/man.want build/man.got || {
    echo "README.md does not show what make demo prints:"
    diff build/man.got build/man.want
    fail=1
}
# The other blocks of the README that begin with a command are what it prints; those that are
# "live" need a server: fetch/check_readme.py.
rm -rf build/readme && mkdir -p build/readme
awk '/^```/ { open = !open; inside = open && !/live/; next } inside && /^\$ xdscope / { file = "build/readme/" ++n; print >file; next }
    !inside { file = "" } file { print >file }' README.md
for block in build/readme/*; do
    sed -n '1s/^\$ xdscope //p' "$block" >build/man.args
    xargs "$1" <build/man.args >build/man.got 2>/dev/null # findings and differences are meant
    sed -e 1d "$block" | sed -e '${/^$/d}' >build/man.want
    cmp -s build/man.want build/man.got || {
        echo "README.md does not show what this prints: $(cat build/man.args)"
        diff build/man.got build/man.want
        fail=1
    }
done
[ $fail -eq 0 ] && echo "  MAN	examples ok"
exit $fail

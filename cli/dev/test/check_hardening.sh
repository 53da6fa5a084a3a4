#!/bin/sh
# check_hardening.sh FILE|FOLDER... - programs and libraries as they are installed, and folders of
# objects that are linked: bound at their start, read-only relocations, no stack that can run,
# position-independent, no run path; fortified calls; a canary in each function with a large frame,
# which holds arrays; no frame that steps over the guard page; and for jumps of the processor
# (CET) a mark at whatever is called by its address. A static program has code of others in
# itself, so what the compiler adds is looked for in its objects.
# The code is read of x86-64 only. Of CET, a program has the property that its processor asks for
# only where all that is linked has it; the start files of Debian's C library do not.
# check_hardening.sh self-test: a library that is built without one of these is found out.
set -u
fail() { echo "$file $*"; status=1; }
status=0
code() { objdump -d --no-show-raw-insn "$@"; }
is_here() { readelf -hW "$1" | grep -q 'Machine:.*X86-64'; }

# Of the code on stdin: a frame of 512 bytes has a canary near its begin, and none is larger than
# a page at once. Says what is wrong, for the first of each.
check_frames() {
    awk '
        function hex(text, n) { for (n = 0; text != ""; text = substr(text, 2)) n = n * 16 + index("0123456789abcdef", substr(text, 1, 1)) - 1; return n }
        /%fs:0x28/ { due = 0 }
        due && ++since > 40 && !bare { bare = place }
        $2 == "sub" && match($0, /\$0x[0-9a-f]+,%rsp/) {
            size = hex(substr($0, RSTART + 3, RLENGTH - 8))
            if (size >= 512 && size < 2147483648) { frames++; due = 1; since = 0; place = $1 }
            if (size > 4096 && size < 2147483648 && !large) large = $1 " " size
        }
        END {
            if (due && !bare) bare = place
            if (bare) print "has no stack protector at " bare
            if (large) print "steps over the guard page at " large
            if (!frames && need) print "has no frame that could be looked at"
        }' need="$1"
}

# Addresses that are called through a pointer: exported functions, and code that relocations name.
# All begin with the mark.
check_marks() { # FILE
    { readelf -SW "$1" | sed -n 's/.* \.text *PROGBITS *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/text \1 \2/p'
        readelf -sW --dyn-syms "$1" | awk '$4 == "FUNC" && $5 == "GLOBAL" && $7 != "UND" && $8 != "_start" { print "called", $2 }'
        readelf -rW "$1" | awk '$3 == "R_X86_64_RELATIVE" { print "called", $4 }'
        code -j .text "$1" | awk '$2 == "endbr64" { sub(":", "", $1); print "mark", $1 }'
    } | awk '
        function full(text) { sub(/^0x/, "", text); return substr("0000000000000000" text, length(text) + 1) }
        function hex(text, n) { for (n = 0; text != ""; text = substr(text, 2)) n = n * 16 + index("0123456789abcdef", substr(text, 1, 1)) - 1; return n }
        $1 == "text" { begin = full($2); end = sprintf("%016x", hex($2) + hex($3)) }
        $1 == "called" { called[full($2)] = 1 }
        $1 == "mark" { marks[full($2)] = 1 }
        END {
            for (address in called)
                if (address >= begin && address < end) { n++; if (!(address in marks)) { bad++; first = address } }
            if (bad) print "has no mark for jumps at " bad " of " n " functions, such as " first
            if (!n) print "has no function that could be looked at"
        }'
}

check_file() {
    dynamic=$(readelf -dW "$file")
    parts=$(readelf -lW "$file")
    symbols=$(readelf -sW --dyn-syms "$file")
    case $parts in *GNU_RELRO*) ;; *) fail 'has no RELRO' ;; esac
    case $parts in *GNU_STACK*RWE*) fail 'has a stack that can run' ;; esac
    case $dynamic in *RPATH* | *RUNPATH*) fail 'has a run path' ;; esac
    readelf -hW "$file" | grep -q 'Type: *DYN' || fail 'is not position-independent'
    case $dynamic in
    *NEEDED*)
        case $dynamic in *BIND_NOW* | *Flags:*NOW*) ;; *) fail 'is not bound at its start' ;; esac
        case $symbols in *_chk@*) ;; *) fail 'is not fortified' ;; esac
        if is_here "$file"; then
            said=$(code -j .text "$file" | check_frames 1; check_marks "$file")
            [ -z "$said" ] || fail "$said"
        else
            case $symbols in *__stack_chk_fail*) ;; *) fail 'has no stack protector' ;; esac
        fi
        ;;
    *) case $parts in *INTERP*) fail 'is not static' ;; esac ;;
    esac
}

# What the objects of a folder have that are linked, and all of them.
check_folder() {
    objects=$(find "$file" -name '*.o' ! -path '*/cli/dev/*' ! -name '*_test.o' | sort)
    [ -n "$objects" ] || { fail 'has no objects'; return; }
    # shellcheck disable=SC2086 # a list of names without blanks
    nm -u $objects >"$work/undefined"
    grep -q '__[a-z]*_chk$' "$work/undefined" || fail 'is not fortified'
    grep -q '__stack_chk_fail' "$work/undefined" || fail 'has no stack protector'
    for object in $objects; do
        is_here "$object" || continue
        readelf -nW "$object" | grep -q 'IBT, SHSTK' || fail "has no marks for jumps in ${object#"$file"/}"
    done
    first=$(printf '%s\n' "$objects" | head -n 1)
    # shellcheck disable=SC2086
    is_here "$first" && said=$(code $objects | check_frames 1) && [ -n "$said" ] && fail "$said"
    return 0
}

# A library with all of it, and without each.
self_test() {
    cat >"$work/a.c" <<'C'
#include <string.h>
extern void use(char *text);
void use_array(const char *text, unsigned n) { char room[6000]; memcpy(room, text, n); use(room); }
void use_small(const char *text, unsigned n) { char room[900]; memcpy(room, text, n); use(room); }
void (*const table[])(const char *, unsigned) = {use_array, use_small};
C
    set -- -O2 -fPIC -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -D_FORTIFY_SOURCE=3 -Wl,-z,relro,-z,now,-z,noexecstack
    build() { # FLAG... the last word of two that contradict each other is taken
        rm -rf "$work/o" && mkdir "$work/o"
        "$cc" "$@" -c "$work/a.c" -o "$work/o/a.o" && "$cc" "$@" -shared "$work/o/a.o" -o "$work/liba.so" 2>/dev/null
    }
    expect() { # WORDS FILE
        said=$(sh "$0" "$2")
        case $said in *"$1"*) ;; *) echo "check_hardening.sh: of a ${2##*/} that $1 it says: $said"; status=1 ;; esac
    }
    cc=${CC:-cc}
    build "$@" && expect HARDENED "$work/liba.so"
    expect HARDENED "$work/o"
    for without in '-fno-stack-protector:has no stack protector' '-fno-stack-clash-protection:steps over the guard page' \
        '-fcf-protection=none:for jumps' '-U_FORTIFY_SOURCE:is not fortified'; do
        build "$@" "${without%%:*}"
        expect "${without#*:}" "$work/liba.so"
        expect "${without#*:}" "$work/o"
    done
    for without in '-Wl,-z,norelro:has no RELRO' '-Wl,-z,lazy:is not bound' '-Wl,-z,execstack:has a stack that can run' '-Wl,-rpath,/x:has a run path'; do
        build "$@" "${without%%:*}"
        expect "${without#*:}" "$work/liba.so"
    done
    echo 'int main(void) { return 0; }' >"$work/b.c"
    "$cc" -no-pie "$work/b.c" -o "$work/b" && expect 'is not position-independent' "$work/b"
    [ $status -ne 0 ] || echo "  HARDENED	self-test: ok"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "$1" != self-test ] || { self_test; exit $status; }
for file in "$@"; do
    if [ -d "$file" ]; then check_folder; else check_file; fi
done
[ $status -eq 0 ] && echo "  HARDENED	$#: ok"
exit $status

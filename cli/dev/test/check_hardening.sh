#!/bin/sh
# check_hardening.sh FILE... - programs and libraries as they are installed: bound at their
# start, read-only relocations, no stack that can run, stack protector, fortified calls,
# position-independent, no run path. A static program has all its symbols in itself.
set -u
fail() { echo "$file $*"; status=1; }
status=0
for file in "$@"; do
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
        case $symbols in *__stack_chk_fail*) ;; *) fail 'has no stack protector' ;; esac
        case $symbols in *_chk@*) ;; *) fail 'is not fortified' ;; esac
        ;;
    *)
        case $parts in *INTERP*) fail 'is not static' ;; esac
        # Only of this machine's processor, whose instructions objdump knows.
        ! objdump -f "$file" 2>/dev/null | grep -q x86-64 ||
            objdump -d --no-show-raw-insn "$file" | grep -q '%fs:0x28' || fail 'has no stack protector'
        ;;
    esac
done
[ $status -eq 0 ] && echo "  HARDENED	$#: ok"
exit $status

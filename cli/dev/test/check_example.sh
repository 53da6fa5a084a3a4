#!/bin/sh
# check_example.sh [STAGE] - the example of libxdscope(3) is a program: it compiles with the
# headers and libraries that are installed (below STAGE, or in the system), as C and as C++,
# shared and static, and prints what testdata/snapshots/libxdscope.txt holds.
# UPDATE=1 writes that file anew. The page speaks of every part of xdscope.h.
set -eu
cd "$(dirname "$0")/../../.."
stage=${1-}
work=${AUTOPKGTEST_TMP:-build/example}
wanted=testdata/snapshots/libxdscope.txt
mkdir -p "$work"
for header in libvalidate/include/xdscope/*.h; do
    grep -qx "\.I xdscope/$(basename "$header")" man/libxdscope.3 || {
        echo "man/libxdscope.3 does not say what xdscope/$(basename "$header") is for"
        exit 1
    }
done
sed -n '/^\.SH EXAMPLES/,/^\.SH SEE ALSO/p' man/libxdscope.3 | sed '1,/^\.nf/d; /^\.fi/,$d; s/\\-/-/g; s/\\e/\\/g' >"$work/example.c"

libdir=
if [ -n "$stage" ]; then
    libdir=$(dirname "$(dirname "$(find "$stage" -name xdscope.pc)")")
    export PKG_CONFIG_PATH="$libdir/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$stage"
fi
flags=$(pkg-config --cflags xdscope)
shared=$(pkg-config --libs xdscope)
static=$(pkg-config --static --libs xdscope | sed 's/-lxdscope/-l:libxdscope.a/')

# NAME COMPILER LIBRARIES... - compile, run, compare; it rejects something, so status 1.
try() {
    name=$1 compiler=$2
    shift 2
    status=0
    # shellcheck disable=SC2086 # both are lists of words
    $compiler -Wall -Wextra -Werror $flags -o "$work/$name" "$work/example.c" "$@"
    LD_LIBRARY_PATH=$libdir "$work/$name" testdata/snapshots/shop >"$work/$name.out" || status=$?
    [ -z "${UPDATE-}" ] || cp "$work/$name.out" $wanted
    diff -u $wanted "$work/$name.out" || exit 1
    [ $status -eq 1 ] || { echo "$name ended with $status, not with 1"; exit 1; }
}
# shellcheck disable=SC2086 # all are lists of words
{
    try shared 'gcc -std=c11' $shared
    try static 'gcc -std=c11' $static
    try cxx 'g++ -std=c++11 -x c++' $shared
}
! readelf -d "$work/static" | grep -q libxdscope || { echo "the static example needs the shared library"; exit 1; }
echo "  EXAMPLE	ok"

#!/bin/sh
# check_abi.sh LIBRARY [update] - the shared library exports what xdscope.h and its parts
# declare, and nothing else; debian/libxdscope0.symbols lists the same. With "update" new
# functions are written there, under the version that brings them.
set -u
symbols=debian/libxdscope0.symbols
fail=0
declared=$(cat libvalidate/include/xdscope.h libvalidate/include/xdscope/*.h | tr '\n' ' ' | grep -oE 'XDS_API[^;]*;' |
    grep -oE 'xds_[a-z0-9_]+\(' | tr -d '(' | LC_ALL=C sort -u)
exported=$(nm -D --defined-only "$1" | awk '{print $3}' | grep -v '^_' | LC_ALL=C sort -u)
listed() { sed -n 's/^ \(xds_[a-z0-9_]*\)@.*/\1/p' $symbols; }

# What the two lists do not share.
compare() {
    printf '%s\n' "$declared" >build/abi.declared
    printf '%s\n' "$2" | diff build/abi.declared - | sed -n "s|^<|declared only:|p; s|^>|$1 only:|p" | grep .
}

if [ "${2-}" = update ]; then
    version=$(dpkg-parsechangelog -S Version)
    {
        sed -n '/^[^ ]/p' $symbols
        printf '%s\n' "$declared" | while read -r name; do
            grep "^ $name@" $symbols || echo " $name@Base $version"
        done
    } >build/abi.symbols
    cp build/abi.symbols $symbols
fi
compare exported "$exported" && fail=1
compare "$symbols" "$(listed)" && {
    echo "$symbols: run 'sh cli/dev/test/check_abi.sh $1 update'"
    fail=1
}
[ $fail -eq 0 ] && echo "  ABI	$(printf '%s\n' "$exported" | wc -l) functions ok"
exit $fail

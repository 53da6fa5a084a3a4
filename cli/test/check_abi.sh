#!/bin/sh
# check_abi.sh LIBRARY - the shared library exports what xdscope.h and its parts declare, and
# nothing else.
set -u
declared=$(cat libvalidate/include/xdscope.h libvalidate/include/xdscope/*.h | tr '\n' ' ' | grep -oE 'XDS_API[^;]*;' |
    grep -oE 'xds_[a-z0-9_]+\(' | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$1" | awk '{print $3}' | grep -v '^_' | sort -u)
if [ "$declared" = "$exported" ]; then
    echo "  ABI	$(printf '%s\n' "$exported" | wc -l) functions ok"
    exit 0
fi
printf '%s\n' "$declared" >build/abi.declared
printf '%s\n' "$exported" | diff build/abi.declared - | sed 's/^</declared only:/; s/^>/exported only:/'
exit 1

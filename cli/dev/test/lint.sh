#!/bin/sh
# lint.sh [rooms] - what the compiler does not say: include direction, banned names, cppcheck,
# clang-tidy and gcc's analyzer. Exit 1 when any of them has something to say. "rooms" stops
# after what takes no time: direction, names, length.
set -u
fail=0
say() { printf '%s\n' "$*"; fail=1; }

# What a room may use besides itself and include/.
allowed() { sed -n "s/^$1: *\([^#]*\).*/\1/p" libvalidate/rooms.txt; }

# Test files and the test kits beside them may look further.
for file in $(find libvalidate -name '*.[ch]' ! -name '*_test.[ch]' | sort); do
    room=${file#libvalidate/}
    room=${room%%/*}
    ok=" $room include xdscope $(allowed "$room") "
    for seen in $(sed -n 's/^#include "\([a-z_]*\)\/.*/\1/p' "$file" | sort -u); do
        case $ok in
        *" $seen "*) ;;
        *) say "$file: $room/ may not include $seen/" ;;
        esac
    done
done
for file in $(find cli -name '*.[ch]' ! -path 'cli/live/*' ! -path 'cli/dev/*' | sort); do
    sed -n 's/^#include "\(.*\)"/\1/p' "$file" | grep -vE '^(cli/|include/xdscope(\.h|/clients\.def)$)' |
        while read -r bad; do echo "$file: cli/ may include only xdscope.h, clients.def and itself, not $bad"; done
done | grep . && fail=1

# The network has a room of its own, which knows nothing of the program around it.
for file in cli/live/*.[ch]; do
    sed -n 's/^#include "\(.*\)"/\1/p' "$file" | grep -vE '^(cli/live/|include/xdscope\.h$)' |
        while read -r bad; do echo "$file: cli/live/ may include only xdscope.h and itself, not $bad"; done
done | grep . && fail=1
grep -ln '<nghttp2/\|<openssl/\|<netdb.h>\|<sys/socket.h>' $(find libvalidate cli -name '*.[ch]') | grep -v -e '^cli/live/' -e '^cli/files/windows/' -e '^cli/dev/fuzz/offline.c' &&
    say "the network is in cli/live/ alone, see above"

banned='strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atof|gets|alloca|setlocale|rand|srand'
grep -nE "(^|[^a-z_])($banned)\(" $(find libvalidate cli -name '*.c' ! -name '*_test.c' ! -path 'cli/dev/test/*' ! -path 'cli/dev/bench/*') &&
    say "banned names of libc, see above"
grep -nE '(^|[^a-z_])(getenv|time|clock_gettime|gettimeofday)\(' $(find libvalidate -name '*.c' ! -name '*_test.c') &&
    say "no clock and no environment below cli/, see above"
grep -ln '<pthread.h>\|<threads.h>\|<stdatomic.h>' $(find libvalidate cli -name '*.[ch]') |
    grep -vx -e libvalidate/check/workers.c -e libvalidate/catalogue/spec.c -e cli/dev/test/alloc/shim.c \
        -e cli/dev/test/plain/threads.c &&
    say "threads meet in check/workers.c alone (and once in catalogue/spec.c, and in two tests), see above"
# gcc allows more conversions in a format than print/write/out.c has.
awk '
FNR == 1 { call = "" }
/xds_(out_format|out_line|page_line|picture_text|picture_node|picture_edge_text|(html|xml|roff)_format|json_parts|json_key_parts)\(/ { call = " "; odd = "%[-0-9.*]*([^-0-9.*scduz\" ]|z[^u])" }
/xds_json_(members|object|row)\(/ { call = " "; odd = "%([^sdguz.\"]|z[^u]|[.][^*]|[.][*][^s])" }
call != "" {
    call = call $0
    if (/;$/) {
        gsub(/%%/, "", call)
        if (call ~ odd) { print FILENAME ":" FNR ": " $0; bad = 1 }
        call = ""
    }
}
END { exit bad }' $(find libvalidate -name '*.c') || say "conversions that xds_out_format() does not have, see above"
for file in $(find libvalidate cli -name '*.[ch]' | sort); do
    lines=$(wc -l <"$file")
    [ "$lines" -le 1000 ] || say "$file: $lines lines, split it"
done

/usr/bin/python3 cli/dev/test/check_sizes.py || fail=1
/usr/bin/python3 cli/dev/test/check_words.py || fail=1

if [ "${1:-}" = rooms ]; then
    [ $fail -eq 0 ] && echo "  ROOMS	ok"
    exit $fail
fi

pkg=$(pkg-config --cflags libnghttp2 libssl libprotobuf-c libcjson libpcre2-8 yaml-0.1 libxxhash zlib libzstd | sed 's/-I/-isystem /g')
flags="-std=c11 -D_XOPEN_SOURCE=700 -DXDS_VERSION=\"0\" -DXDS_PROGRAM=\"x\" -DXDS_LOADS_ZSTD -Ilibvalidate -I. -isystem build/gen $pkg"
# LINT_FILES: these alone, while you work on them.
sources=${LINT_FILES:-$(find libvalidate cli -name '*.c' ! -name '*_test.c' ! -path '*/test/*' ! -path '*/fuzz/*' ! -path '*/bench/*' ! -path '*/windows/*' | sort)}

cppcheck --quiet --std=c11 --error-exitcode=1 --enable=warning,portability,performance \
    --inline-suppr --suppress=missingIncludeSystem --suppress=unusedStructMember -j2 -Ilibvalidate -I. \
    -DXDS_VERSION='"0"' -DXDS_LOADS_ZSTD $sources || say "cppcheck: see above"

# The analyzer follows each function for a part of its usual number of steps, in a sixteenth
# of the time; LINT_NODES=225000 gives it all.
printf '%s\n' $sources | xargs -P2 -I{} clang-tidy --quiet {} --warnings-as-errors='*' \
    --checks='-*,bugprone-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,-bugprone-macro-parentheses,-bugprone-branch-clone,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-bugprone-reserved-identifier,-clang-analyzer-optin.performance.Padding,-bugprone-sizeof-expression,-bugprone-narrowing-conversions,-bugprone-not-null-terminated-result' \
    -- $flags -Xclang -analyzer-config -Xclang "max-nodes=${LINT_NODES:-10000}" 2>build/tidy.err || { grep -v 'warnings generated' build/tidy.err; say "clang-tidy: see above"; }

# Large tables take gcc a minute and more each, for a few functions beside them.
printf '%s\n' $sources | grep -vx -e libvalidate/catalogue/status.c -e libvalidate/decode/unread.c |
    xargs -P2 -I{} gcc $flags -O1 -fanalyzer -Werror -c {} -o /dev/null ||
    say "gcc -fanalyzer: see above"

[ $fail -eq 0 ] && echo "  LINT	ok"
exit $fail

#!/bin/sh
# check_limits.sh - each limit of base/limits.h is named by a case or a test that reaches it,
# on a line with "limit:", and what is so named is a limit. Exit 1 otherwise.
set -u
cd "$(dirname "$0")/../../.." || exit
fail=0
say() { printf 'limits: %s\n' "$*" && fail=1; }

defined=$(sed -n 's/^#define \(XDS_[A-Z0-9_]*\) .*/\1/p' libvalidate/base/limits.h)
named=$( (grep -rh '^limit: ' testdata --include='*.case' &&
    grep -rh '^/\* limit: .* \*/$' libvalidate cli --include='*_test.c') |
    grep -oE 'XDS_[A-Z0-9_]+' | sort -u)

# Two gigabytes of results are more than a test should keep.
out_of_reach=XDS_MAX_RESULT_BYTES

listed() { printf '%s\n' "$1" | grep -qx "$2"; }

for limit in $defined; do
    listed "$named" "$limit" || [ "$limit" = $out_of_reach ] || say "no case or test reaches $limit"
    grep -rqw "$limit" libvalidate --include='*.c' || say "nothing uses $limit"
done
for limit in $named; do
    listed "$defined" "$limit" || say "$limit is none of base/limits.h"
done
[ $fail -eq 0 ] && echo "  LIMITS	$(echo "$defined" | wc -l) limits, each reached by a case or test"
exit $fail

#!/bin/sh
# coverage.sh FOLDER - line and branch coverage per room, from gcov's summaries.
set -u
cd "$(dirname "$0")/../.." || exit 1
find "$1/libvalidate" -name '*.gcda' ! -name '*_test.gcda' | sort | while read -r data; do
    gcov -b -n "$data" 2>/dev/null | awk -v file="$data" '
        /^File/ { ours = $0 ~ /libvalidate\/.*\.c/ && $0 !~ /build\// }
        ours && /^Lines executed/ { sub(/.*:/, ""); split($0, p, "% of "); lines = p[2]; hit = p[1] * p[2] / 100 }
        ours && /^Taken at least/ { sub(/.*:/, ""); split($0, p, "% of "); print file, lines, hit, p[2], p[1] * p[2] / 100; ours = 0 }'
done | awk '{ room = $1; sub(/.*libvalidate\//, "", room); sub(/\/.*/, "", room)
    l[room] += $2; h[room] += $3; b[room] += $4; t[room] += $5 }
    END { for (r in l) printf "%-12s lines %5.1f %%  branches %5.1f %%\n", r, 100 * h[r] / l[r], b[r] ? 100 * t[r] / b[r] : 100 }' | sort

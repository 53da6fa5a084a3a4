#!/bin/sh
# coverage.sh FOLDER - line and branch coverage per room, from gcov's summaries, files that
# no test ran included. Exit 1 when rules/ as a whole falls below 95 % of its lines or 90 %
# of its branches; its files below that are named.
set -u
cd "$(dirname "$0")/../.." || exit 1
find "$1/libvalidate" -name '*.gcno' ! -name '*_test.gcno' | sort | while read -r notes; do
    gcov -b -n "$notes" 2>/dev/null | awk -v file="$notes" '
        /^File/ { ours = $0 ~ /libvalidate\/.*\.c/ && $0 !~ /build\// }
        ours && /^Lines executed/ { sub(/.*:/, ""); split($0, p, "% of "); lines = p[2]; hit = p[1] * p[2] / 100 }
        ours && /^Taken at least/ { sub(/.*:/, ""); split($0, p, "% of "); branches = p[2]; taken = p[1] * p[2] / 100 }
        ours && /^No branches/ { branches = taken = 0 }
        ours && /^(No calls|Calls executed)/ { print file, lines, hit, branches, taken; ours = 0 }'
done | awk '
    function percent(part, all) { return all ? 100 * part / all : 100 }
    function line(name, lines, branches) {
        printf "%-44s lines %5.1f %%  branches %5.1f %%\n", name, lines, branches | "sort"
    }
    { file = $1; sub(/.*libvalidate\//, "", file); sub(/\.gcno$/, ".c", file); room = file; sub(/\/.*/, "", room)
      l[room] += $2; h[room] += $3; b[room] += $4; t[room] += $5; rooms[room]
      if (room == "rules" && (percent($3, $2) < 95 || percent($5, $4) < 90))
          weak[file] = sprintf("%f %f", percent($3, $2), percent($5, $4)) }
    END {
        for (room in rooms) line(room, percent(h[room], l[room]), percent(t[room], b[room]))
        close("sort")
        for (file in weak) { split(weak[file], p, " "); line("  " file, p[1], p[2]) }
        close("sort")
        if (percent(h["rules"], l["rules"]) < 95 || percent(t["rules"], b["rules"]) < 90) {
            print "rules/ must reach 95 % of its lines and 90 % of its branches"
            exit 1
        }
    }'

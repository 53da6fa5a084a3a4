#!/bin/sh
# coverage.sh FOLDER - line and branch coverage per room and of all, from gcov's summaries;
# files that no test ran count too. Exit 1 when all together falls below 95 % of the lines,
# or rules/ below 90 % of its branches; the files that pull them down are named.
set -u
cd "$(dirname "$0")/../../.." || exit 1
find "$1/libvalidate" "$1/cli" -name '*.gcno' ! -name '*_test.gcno' ! -path '*/test/*' ! -path '*/fuzz/*' \
    ! -path '*/bench/*' | sort | while read -r notes; do
    gcov -b -n "$notes" 2>/dev/null | awk -v file="$notes" '
        /^File/ { ours = $0 ~ /(libvalidate|cli)\/.*\.c/ && $0 !~ /build\// }
        ours && /^Lines executed/ { sub(/.*:/, ""); split($0, p, "% of "); lines = p[2]; hit = p[1] * p[2] / 100 }
        ours && /^Taken at least/ { sub(/.*:/, ""); split($0, p, "% of "); branches = p[2]; taken = p[1] * p[2] / 100 }
        ours && /^No branches/ { branches = taken = 0 }
        ours && /^(No calls|Calls executed)/ { print file, lines, hit, branches, taken; ours = 0 }'
done | awk -v folder="$1/" '
    function percent(part, all) { return all ? 100 * part / all : 100 }
    function line(name, lines, branches) {
        printf "%-44s lines %5.1f %%  branches %5.1f %%\n", name, lines, branches | "sort"
    }
    { file = substr($1, length(folder) + 1); sub(/\.gcno$/, ".c", file); sub(/^libvalidate\//, "", file)
      room = file; sub(/\/.*/, "", room)
      lines += $2; lines_hit += $3; branches += $4; branches_hit += $5
      l[room] += $2; h[room] += $3; b[room] += $4; t[room] += $5; rooms[room]
      if (percent($3, $2) < 95 || (room == "rules" && percent($5, $4) < 90))
          weak[file] = sprintf("%f %f", percent($3, $2), percent($5, $4)) }
    END {
        for (room in rooms) line(room, percent(h[room], l[room]), percent(t[room], b[room]))
        close("sort")
        for (file in weak) { split(weak[file], p, " "); line("  " file, p[1], p[2]) }
        close("sort")
        line("all", percent(lines_hit, lines), percent(branches_hit, branches))
        close("sort")
        if (percent(lines_hit, lines) < 95 || percent(t["rules"], b["rules"]) < 90) {
            print "95 % of all lines and 90 % of the branches of rules/ must be reached"
            exit 1
        }
    }'

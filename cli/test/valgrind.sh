#!/bin/sh
# valgrind.sh PROGRAM - lint and explain our snapshots under memcheck.
set -u
status=0
for snapshot in testdata/snapshots/*/; do
    valgrind --quiet --error-exitcode=99 --leak-check=full "$1" lint --client all "$snapshot" >build/valgrind.out 2>&1
    [ $? -ne 99 ] || { cat build/valgrind.out; status=1; }
done
[ $status -eq 0 ] && echo "  VALGRIND	ok"
exit $status

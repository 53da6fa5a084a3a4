#!/bin/sh
# check_cases.sh - what text cases share: every fixture is used by a case, and no two are the
# same. Exit 1 otherwise. That each fixture a case names exists, its own run shows.
set -u
cd "$(dirname "$0")/../../.." || exit
fail=0
mkdir -p build

grep -rhoE '^-- use [^ ]+' testdata --include='*.case' | cut -c8- | sort -u >build/fixtures.used
(cd testdata/fixtures && find . -type f | cut -c3- | sort) >build/fixtures.there
comm -13 build/fixtures.used build/fixtures.there | sed 's|^|no case uses testdata/fixtures/|' | grep . && fail=1
(cd testdata/fixtures && find . -type f -exec sha256sum {} + | sort | uniq -w 64 -D | cut -c67- |
    sed 's|^\./|one of several with the same text: testdata/fixtures/|') | grep . && fail=1
[ $fail -eq 0 ] && echo "  CASES	$(wc -l <build/fixtures.there) fixtures, all used"
exit $fail

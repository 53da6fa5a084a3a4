#!/bin/sh
# check_packaging.sh PROGRAM - where people meet xdscope: hooks, the Action, completions,
# what is installed, the example of libxdscope(3), the packages of Debian.
set -u
cd "$(dirname "$0")/../../.." || exit
program=$1
stage=$PWD/build/stage-packaging
status=0
mkdir -p build

# File names of this tree have no blanks; quotes inside $flags are for gcc.
{ echo .ci/run; find cli mk testdata libvalidate debian/tests -type f \( -name '*.sh' -o -name lint -o -name example \); } |
    xargs shellcheck --severity=warning --exclude=SC2046,SC2089,SC2090 && echo "  SHELL	ok" || status=1
sh cli/dev/test/completions.sh "$program" || status=1
sh cli/dev/test/check_install.sh "$stage" || status=1
make -s install DESTDIR="$stage" PREFIX=/usr || status=1
sh cli/dev/test/check_hardening.sh "$stage/usr/bin/xdscope" "$stage"/usr/lib/libxdscope.so.0 || status=1
sh cli/dev/test/check_hardening.sh self-test || status=1
sh cli/dev/test/check_older.sh || status=1
sh cli/dev/test/check_static.sh build/xdscope-static build/release || status=1
sh cli/dev/test/check_example.sh "$stage" || status=1
sh cli/dev/test/check_version.sh || status=1
/usr/bin/python3 -B cli/bindings/test/check_entries.py || status=1
python3 -B cli/dev/test/action.py "$program" || status=1
python3 -B cli/dev/test/gitlab.py "$program" || status=1
sh cli/dev/test/precommit.sh "$program" || status=1
sh cli/dev/test/check_deb.sh build/deb-check || status=1
exit $status

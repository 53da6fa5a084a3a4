#!/bin/sh
# check_deb.sh FOLDER - the packages of Debian, built without their tests in FOLDER: lintian
# has nothing to say, the program runs, the example of libxdscope(3) compiles with what they
# install, all is hardened. With TWICE=1 a build in another folder gives the same bytes, too,
# which check-dist asks and the gate has no time for.
set -eu
cd "$(dirname "$0")/../../.."
mkdir -p "$1"
folder=$(cd "$1" && pwd)
other=$(mktemp -d)
trap 'rm -rf "$other"' EXIT
fail() { printf '%s\n' "$*"; exit 1; }

[ "$(sed -n 's/^VERSION *:= *//p' Makefile)" = "$(dpkg-parsechangelog -S Version)" ] ||
    fail "debian/changelog has another version than the Makefile"
export DEB_BUILD_OPTIONS=nocheck
sh mk/build_deb.sh "$folder/here" >"$folder/packages"
if [ "${TWICE:-}" = 1 ]; then
    sh mk/build_deb.sh "$other/elsewhere" >/dev/null
    while read -r package; do
        cmp "$folder/here/$package" "$other/elsewhere/$package" || fail "$package depends on the folder of its build"
    done <"$folder/packages"
fi

said=$(lintian --allow-root --info --display-info --tag-display-limit 0 "$folder"/here/*.changes 2>&1 | grep '^[EWI]:') &&
    fail "$said"

for package in "$folder"/here/*.deb; do
    dpkg -x "$package" "$folder/root"
done
for page in man/*.[1357] build/man/*.[1357]; do
    name=$(basename "$page")
    gzip -cd "$folder/root/usr/share/man/man${name##*.}/$name.gz" | cmp - "$page" || fail "the package has another $name"
done
program=$folder/root/usr/bin/xdscope
"$program" lint --client core testdata/snapshots/shop >/dev/null || fail "the packaged program does not run"
sh cli/dev/test/check_example.sh "$folder/root" >"$folder/example" || fail "$(cat "$folder/example")"
library=$(find "$folder/root/usr/lib" -name 'libxdscope.so.0')
sh cli/dev/test/check_hardening.sh "$program" "$library" >"$folder/hardened" || fail "$(cat "$folder/hardened")"
echo "  DEB	$(wc -l <"$folder/packages") packages ok${TWICE:+, twice the same}"

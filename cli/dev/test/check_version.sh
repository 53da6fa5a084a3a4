#!/bin/sh
# check_version.sh - all that names the version of this tree names the same one.
set -u
cd "$(dirname "$0")/../../.." || exit
version=$(sed -n 's/^VERSION *:= *//p' Makefile)
status=0
is() { # FILE WHAT FOUND
    [ "$3" = "$version" ] && return
    echo "$1: $2 '$3', but the Makefile has $version"
    status=1
}
is CHANGELOG.md 'the first entry is of' "$(sed -n 's/^## \([^ ]*\).*/\1/p' CHANGELOG.md | head -n 1)"
is debian/changelog 'the first entry is of' "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)"
is mk/dist/xdscope.gitlab-ci.yml 'XDSCOPE_VERSION is' "$(sed -n 's/^ *XDSCOPE_VERSION: "\(.*\)"/\1/p' mk/dist/xdscope.gitlab-ci.yml)"
is .pre-commit-hooks.yaml 'the image is' "$(sed -n 's/^  entry: xdscope:\([^ ]*\) .*/\1/p' .pre-commit-hooks.yaml)"
is cli/bindings/node/package.json 'the version is' "$(sed -n 's/^  "version": "\(.*\)",/\1/p' cli/bindings/node/package.json)"
is cli/bindings/vscode/package.json 'the version is' "$(sed -n 's/^  "version": "\(.*\)",/\1/p' cli/bindings/vscode/package.json)"
is cli/bindings/java/pom.xml 'the version is' "$(sed -n 's/^  <version>\(.*\)<.*/\1/p' cli/bindings/java/pom.xml)"
for page in go python; do
    for named in $(grep -oE '(xdscope\\-|xdscope@v|xdscope==)[0-9]+\.[0-9]+\.[0-9]+' man/xdscope-$page.7 | sed 's/.*[^0-9.]//' | sort -u); do
        is "man/xdscope-$page.7" 'an example names' "$named"
    done
done
# Releases of clients, "as client go@1.85.0", are not ours.
for file in action.yml .pre-commit-hooks.yaml mk/dist/xdscope.gitlab-ci.yml README.md; do
    for named in $(sed 's/[a-z]*client [a-z]*@[0-9.]*//g' "$file" | grep -oE '(@|rev: |/|xdscope[:-])v?[0-9]+\.[0-9]+\.[0-9]+' | sed 's/.*[^0-9.]//' | sort -u); do
        is "$file" 'an example names' "$named"
    done
done
# The shared library's name changes with its functions, see "Versions" in CONTRIBUTING.md.
soversion=$(sed -n 's/^SOVERSION *:= *//p' Makefile)
for package in "libxdscope$soversion" "libxdscope$soversion.symbols"; do
    grep -qs "^Package: $package\$" debian/control || [ -e "debian/$package" ] || { echo "debian/ has no $package"; status=1; }
done
[ $status -eq 0 ] && echo "  VERSION	$version"
exit $status

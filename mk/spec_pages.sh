#!/bin/sh
# spec_pages.sh FOLDER - the manual pages of man/spec into a folder.
set -eu
for page in man/spec/*.spec; do
    others=$(printf '%s\n' man/spec/*.spec | grep -vxF "$page")
    # shellcheck disable=SC2086 # a list of files
    LC_ALL=C awk -f mk/spec_man.awk "$page" $others >"$1/xdscope-spec-$(basename "$page" .spec).7"
done

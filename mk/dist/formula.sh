#!/bin/sh
# formula.sh FOLDER - the formula for Homebrew on Linux, from FOLDER/SHA256SUMS and RELEASE_URL,
# the place of the files. It installs what is in the archive; brew itself runs in no test here.
set -eu
cd "$(dirname "$0")/../.."
. mk/dist/common.sh
sum() { awk -v file="$NAME-linux-$1.tar.gz" '$2 == file { print $1 }' "$dist/SHA256SUMS"; }
dist=$1
sed -e "s|@VERSION@|$VERSION|; s|@URL@|$RELEASE_URL|; s|@HOME@|${PROJECT_URL:-$RELEASE_URL}|" \
    -e "s|@SHA256_AMD64@|$(sum amd64)|; s|@SHA256_ARM64@|$(sum arm64)|" mk/dist/xdscope.rb.in

#!/bin/sh
# formula.sh FOLDER - the formula for Homebrew, from FOLDER/SHA256SUMS and RELEASE_URL, the place of
# the files: for Linux, and for macOS if its files are there. It installs what is in the archive; brew itself runs in no test here.
set -eu
cd "$(dirname "$0")/../.."
. mk/dist/common.sh
sum() { awk -v file="$NAME-$1.tar.gz" '$2 == file { print $1 }' "$dist/SHA256SUMS"; }
dist=$1
for_macos='s/^#macos //'
[ -n "$(sum macos-arm64)" ] || for_macos='s/^#macos   depends_on macos: .*/  depends_on :linux/; /^#macos/d'
sed -e "$for_macos" -e "s|@VERSION@|$VERSION|; s|@URL@|$RELEASE_URL|; s|@HOME@|${PROJECT_URL:-$RELEASE_URL}|" \
    -e "s|@SHA256_AMD64@|$(sum linux-amd64)|; s|@SHA256_ARM64@|$(sum linux-arm64)|" \
    -e "s|@SHA256_MACOS_ARM64@|$(sum macos-arm64)|; s|@SHA256_MACOS_X86_64@|$(sum macos-x86_64)|" mk/dist/xdscope.rb.in

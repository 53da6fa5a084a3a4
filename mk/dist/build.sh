#!/bin/sh
# build.sh FOLDER ARCHITECTURE... - the files of a release in FOLDER, from the programs that
# `make dist` has put there: archives, packages, what is linked, checksums.
set -eu
cd "$(dirname "$0")/../.."
. mk/dist/common.sh
mkdir -p "$1"
dist=$(cd "$1" && pwd)
shift
find "$dist" -maxdepth 1 -type f ! -name '*-image.tar' -delete

# What git knows, or, from an archive, all there is. tar keeps the order of a list.
source_files() {
    if [ -e .git ]; then git ls-files -z; else find . -path ./build -prune -o ! -type d -printf '%P\0'; fi | LC_ALL=C sort -z
}

# A package of Debian for another processor needs its libraries, and runs no test here.
debian_packages() { # ARCHITECTURE
    rm -rf "$dist/$1/deb"
    XDSCOPE_HERE=$dist/amd64/obj/xdscope DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$(nproc)" sh mk/build_deb.sh "$dist/$1/deb" "$1" >/dev/null
    cp "$dist/$1"/deb/*.deb "$dist/"
}

rpm_of() { # ARCHITECTURE
    case $1 in amd64) cpu=x86_64 ;; arm64) cpu=aarch64 ;; esac
    rm -rf "$dist/$1/rpm"
    mkdir -p "$dist/$1/rpm"
    rpmbuild -bb --quiet --target "$cpu-linux" --define "_topdir $dist/$1/rpm" --define "_rpmdir $dist/$1/rpm" \
        --define "version_of_release $VERSION" --define "stage $dist/$1/stage" --define "_buildhost localhost" \
        --define 'use_source_date_epoch_as_buildtime 1' --define 'clamp_mtime_to_source_date_epoch 1' \
        mk/dist/xdscope.spec >"$dist/$1/rpm.log" 2>&1 || { cat "$dist/$1/rpm.log" >&2; exit 1; }
    cp "$dist/$1/rpm/$cpu"/*.rpm "$dist/"
}

source_files | tar_of . --null --no-recursion --transform "s,^,$NAME/,S" -T - | gzip -9n >"$dist/$NAME.tar.gz"
for arch in "$@"; do
    stage=$dist/$arch/stage
    python3 mk/dist/sbom.py "$arch" "$dist/$arch/obj" "$dist/$arch" "$dist/$NAME-linux-$arch.spdx.json"
    mkdir -p "$stage/usr/share/doc/xdscope"
    cp README.md CHANGELOG.md LICENSE "$stage/usr/share/doc/xdscope/"
    sort -u "$dist/$arch/linked" | xargs sh mk/third_party.sh >"$stage/usr/share/doc/xdscope/THIRD-PARTY"
    tar_of "$stage/usr" --transform "s,^\.,$NAME-linux-$arch," . | gzip -9n >"$dist/$NAME-linux-$arch.tar.gz"
    debian_packages "$arch"
    rpm_of "$arch"
done
checksums "$dist"
# Not one of the files of the release: it names their checksums.
[ -z "${RELEASE_URL:-}" ] || sh mk/dist/formula.sh "$dist" >"$dist/xdscope.rb"
[ -n "${RELEASE_URL:-}" ] || echo "no formula for Homebrew: RELEASE_URL is not set"
(cd "$dist" && find . -maxdepth 1 -type f -printf '%s\t%P\n' | sort -k 2)

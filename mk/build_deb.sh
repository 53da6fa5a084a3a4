#!/bin/sh
# build_deb.sh FOLDER [ARCHITECTURE] - the packages of Debian, built from a copy of this tree, in
# FOLDER; for another processor with its compiler and libraries, see deps-dist, and with
# XDSCOPE_HERE, a program of this version that runs here.
# DEB_BUILD_OPTIONS=nocheck leaves the test program out.
set -eu
cd "$(dirname "$0")/.."
folder=$1
[ "${2:-}" = "$(dpkg --print-architecture)" ] && cross='' || cross=,cross
version=$(dpkg-parsechangelog -S Version)
tree=$folder/xdscope-$version
rm -rf "$folder"
mkdir -p "$tree"
tar -c --exclude=./build --exclude=./.git . | tar -x -C "$tree"
cd "$tree"
# What make, CI or a shell has set is not of interest to the packages: flags in the environment
# would take the place of those of Debian.
env -i PATH="$PATH" HOME="$HOME" DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-}" XDSCOPE_HERE="${XDSCOPE_HERE:-}" \
    dpkg-buildpackage -us -uc -b ${2:+-a "$2" -P"nocheck$cross"} >../build.log 2>&1 || { tail -n 100 ../build.log >&2; exit 1; }
cd ../
ls -- *.deb

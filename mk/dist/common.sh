#!/bin/sh
# common.sh - sourced by the scripts beside it: names, the time of a release, archives that
# are the same for everybody.
: "${VERSION:?is set by make}"
export NAME=xdscope-$VERSION
# The time of the last entry of debian/changelog.
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -S Timestamp)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

# tar_of FOLDER WHAT...: the same bytes for the same content.
tar_of() {
    folder=$1
    shift
    tar -c -C "$folder" --format=gnu --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        --mode=u+rw,go+rX,go-w "$@"
}
sha256_of() { sha256sum "$1" | cut -d ' ' -f 1; }
# Of all files of a release; the formula has some of them in itself.
checksums() {
    (cd "$1" && find . -maxdepth 1 -type f ! -name SHA256SUMS ! -name xdscope.rb -printf '%P\n' | sort |
        xargs sha256sum >SHA256SUMS)
}

#!/bin/sh
# check_install.sh STAGE - `make install` into STAGE, in folders that a distribution may
# choose, puts everything there; `make uninstall` leaves no file of it.
set -eu
cd "$(dirname "$0")/../../.."
stage=$1
rm -rf "$stage"
for places in PREFIX=/opt/x 'PREFIX=/usr LIBDIR=/usr/lib/arch ZSHDIR=/usr/share/zsh/vendor MANDIR=/usr/man'; do
    # shellcheck disable=SC2086 # a list of words
    make -s install DESTDIR="$stage" $places
    find "$stage" ! -type d | sed "s|^$stage||" | LC_ALL=C sort >build/installed
    for file in bin/xdscope pkgconfig/xdscope.pc man/man1/xdscope.1 man/man3/libxdscope.3 xdscope/schema/lint.schema.json; do
        grep -q "/$file\$" build/installed || { echo "make install $places: no $file"; exit 1; }
    done
    for file in bin/xdscope lib*/libxdscope.so.0; do
        # shellcheck disable=SC2231
        for found in "$stage"/*/$file "$stage"/*/*/$file; do
            [ ! -f "$found" ] || [ -z "$(nm -a "$found" 2>/dev/null)" ] || { echo "make install: $found has its symbols"; exit 1; }
        done
    done
    # shellcheck disable=SC2086
    make -s uninstall DESTDIR="$stage" $places
    left=$(find "$stage" ! -type d -o -type d -name 'xdscope*')
    [ -z "$left" ] || { echo "make uninstall $places leaves:"; echo "$left"; exit 1; }
done
echo "  INSTALL	$(wc -l <build/installed) files come and go"

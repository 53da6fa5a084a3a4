#!/bin/sh
# third_party.sh WHAT... - the texts of the licenses of what is linked, each under its name. WHAT is a package of Debian that this
# machine has; a folder with unpacked sources of Debian, FOLDER/NAME/debian/copyright; or a file NAME.license.
set -eu
text() { # NAME FILE
    printf '==== %s\n\n' "$1"
    cat "$2"
    echo
}
for what in "$@"; do
    if [ -f "$what" ]; then
        name=${what##*/}
        text "${name%.license}" "$what"
    elif [ -d "$what" ]; then
        for file in "$what"/*/debian/copyright; do
            name=${file%/debian/copyright}
            text "${name##*/}" "$file"
        done
    else
        text "$what" "/usr/share/doc/${what%:*}/copyright"
    fi
done

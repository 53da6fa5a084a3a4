#!/bin/sh
# release.sh FOLDER BINDINGS WASI SYSTEM... - makes the files in FOLDER, which `make dist image` has put there, a release: with the packages
# for other languages from BINDINGS, what is linked into WASI/xdscope.wasm, the programs of mk/zig.mk for each SYSTEM, notes, and the checksums of all.
# In FOLDER/entries, which is no part of the release: what other projects are sent, with the addresses of mk/home.def.
set -eu
cd "$(dirname "$0")/../.."
. mk/dist/common.sh
dist=$1 bindings=$2 wasi=$3
shift 3
for system in "$@"; do
    python3 mk/dist/sbom.py "$system" "$bindings/../zig/$system" "$(ls "$dist/zig/$system"/xdscope*)" "$dist/$NAME-$system.spdx.json"
    stage=$dist/zig/stage/$NAME-$system
    rm -rf "$dist/zig/stage"
    mkdir -p "$dist/zig/stage"
    cp -r "$dist/amd64/stage/usr" "$stage"
    rm "$stage/bin/xdscope"
    mkdir -p "$stage/share/doc/xdscope"
    cp README.md CHANGELOG.md LICENSE "$dist/zig/$system/THIRD-PARTY" "$stage/share/doc/xdscope/"
    case $system in
    windows-*)
        cp "$dist/zig/$system/xdscope.exe" "$stage/"
        python3 mk/dist/zip.py "$dist/$NAME-$system.zip" "$dist/zig/stage" "$SOURCE_DATE_EPOCH"
        ;;
    *)
        cp "$dist/zig/$system/xdscope" "$stage/bin/"
        tar_of "$dist/zig/stage" "$NAME-$system" | gzip -9n >"$dist/$NAME-$system.tar.gz"
        ;;
    esac
done

cp "$bindings"/wheels/*.whl "$bindings/$NAME.tgz" "$bindings/$NAME-go.tar.gz" "$bindings/java/target/$NAME.jar" "$bindings"/vsix/*.vsix "$dist/"
cp mk/dist/xdscope.gitlab-ci.yml "$dist/"
python3 mk/dist/sbom.py wasm "$wasi" "$dist/$NAME-wasm.spdx.json"

rm -rf "$dist/entries"
mkdir -p "$dist/entries"
for entry in xdscope.lua mason.yaml schemastore.json; do
    sed "s|@VERSION@|$VERSION|; s|@PROJECT_URL@|$PROJECT_URL|; s|@SITE_URL@|${SITE_URL%/}|" "cli/bindings/editors/$entry" >"$dist/entries/$entry"
done
for address in PROJECT_URL SITE_URL RELEASE_URL; do
    eval "[ -n \"\$$address\" ]" || echo "mk/home.def: $address is empty, and so nothing names it"
done
python3 mk/dist/notes.py "$VERSION" "$dist" >"$dist/NOTES"
checksums "$dist"
[ -z "${RELEASE_URL:-}" ] || sh mk/dist/formula.sh "$dist" >"$dist/xdscope.rb"
(cd "$dist" && find . -maxdepth 1 -type f -printf '%s\t%P\n' | sort -k 2)

#!/bin/sh
# cross_deps.sh FOLDER [nghttp2] - the libraries that xdscope uses, and that of `fetch`, compiled to WebAssembly or for another
# system from the source packages of this machine's own Debian: FOLDER/include and FOLDER/libdeps.a. apt checks the signatures.
# WASM_CC and WASM_AR: the compiler, and what makes archives.
set -eu
more=${2:-}
: "${WASM_CC:?}" "${WASM_AR:?}"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
apt() { # the sources of this machine, and nothing of it is changed
    apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/sources" \
        -o Dir::State::lists="$folder/lists" -o Dir::Cache="$folder/cache" -o APT::Sandbox::User=root "$@"
}

mkdir -p "$folder/sources" "$folder/lists/partial" "$folder/cache/archives/partial"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [ -f "$file" ] && sed -E 's/^deb /deb-src /; s/^Types:.*/Types: deb-src/' "$file" >"$folder/sources/$(basename "$file")"
done
cd "$folder"
apt update || echo "not all sources of packages can be reached" >&2 # those of others are not needed
# The version that is installed, or else the newest that can be had: mirrors drop old ones.
fetch() {
    # shellcheck disable=SC2016 # fields of dpkg
    installed=$(dpkg-query -W -f='${source:Version}' "$2:$(dpkg --print-architecture)")
    others=$(apt-cache -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/sources" -o Dir::State::lists="$folder/lists" \
        -o Dir::Cache="$folder/cache" showsrc --only-source "$1" | sed -n 's/^Version: //p' | sort -rV)
    for version in "$installed" $others; do
        rm -f "$1"_*
        apt source --download-only "$1=$version" 2>"$folder/fetch.log" && return 0
    done
    cat "$folder/fetch.log" >&2
    return 1
}
fetch protobuf-c libprotobuf-c-dev
fetch cjson libcjson-dev
fetch pcre2 libpcre2-dev
fetch libyaml libyaml-dev
fetch xxhash libxxhash-dev
fetch zlib zlib1g-dev
fetch libzstd libzstd-dev
[ -z "$more" ] || fetch nghttp2 libnghttp2-dev
for package in protobuf-c cjson pcre2 libyaml xxhash zlib libzstd $more; do
    rm -rf "$package"
    dpkg-source --no-check -x "$package"_*.dsc "$package" >/dev/null
done

rm -rf include objects libdeps.a
mkdir -p include/protobuf-c include/cjson objects
cp protobuf-c/protobuf-c/protobuf-c.h include/protobuf-c/
cp cjson/cJSON.h include/cjson/
cp pcre2/src/pcre2.h.generic include/pcre2.h
cp pcre2/src/config.h.generic pcre2/src/config.h
cp pcre2/src/pcre2_chartables.c.dist pcre2/src/pcre2_chartables.c
cp libyaml/include/yaml.h xxhash/xxhash.h zlib/zlib.h zlib/zconf.h libzstd/lib/zstd.h libzstd/lib/zstd_errors.h include/

# compile NAME FLAGS... -- FILES...
compile() {
    name=$1 flags=
    shift
    while [ "$1" != -- ]; do flags="$flags $1" && shift; done
    shift
    for file in "$@"; do
        # shellcheck disable=SC2086
        $WASM_CC -w $flags -c "$file" -o "objects/$name-$(basename "$file" .c).o"
    done
}
compile protobuf-c -Iinclude -Iprotobuf-c -- protobuf-c/protobuf-c/protobuf-c.c
compile cjson -- cjson/cJSON.c
# Without the compiler of machine code, which WebAssembly does not have.
# shellcheck disable=SC2046
compile pcre2 -DHAVE_CONFIG_H -DPCRE2_CODE_UNIT_WIDTH=8 -DSUPPORT_UNICODE -DPCRE2_STATIC -Iinclude -Ipcre2/src -- \
    $(find pcre2/src -name 'pcre2_*.c' | LC_ALL=C sort | grep -vE 'pcre2_(dftables|fuzzsupport|jit_match|jit_misc|jit_test|printint|ucptables)\.c')
compile yaml -DYAML_VERSION_STRING='"0"' -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 -Iinclude -- \
    libyaml/src/api.c libyaml/src/emitter.c libyaml/src/parser.c libyaml/src/reader.c libyaml/src/scanner.c libyaml/src/writer.c
compile xxhash -- xxhash/xxhash.c
# Its headers take every macOS for one of 1999.
compile zlib -Dfdopen=fdopen -- zlib/adler32.c zlib/crc32.c zlib/inflate.c zlib/inffast.c zlib/inftrees.c zlib/zutil.c
compile zstd -DZSTD_DISABLE_ASM -DDEBUGLEVEL=0 -- libzstd/lib/common/*.c libzstd/lib/decompress/*.c
if [ -n "$more" ]; then
    cp -r nghttp2/lib/includes/nghttp2 include/
    version=$(sed -n 's/^AC_INIT(\[nghttp2\], \[\([0-9.]*\).*/\1/p' nghttp2/configure.ac)
    sed "s/@PACKAGE_VERSION@/$version/; s/@PACKAGE_VERSION_NUM@/$(echo "$version" | awk -F. '{ printf "0x%02x%02x%02x", $1, $2, $3 }')/" \
        nghttp2/lib/includes/nghttp2/nghttp2ver.h.in >include/nghttp2/nghttp2ver.h
    compile nghttp2 -DNGHTTP2_STATICLIB ${NGHTTP2_FLAGS--DHAVE_ARPA_INET_H -DHAVE_NETINET_IN_H} -DHAVE_TIME_H -Iinclude -Inghttp2/lib -- nghttp2/lib/*.c
fi
$WASM_AR rcs libdeps.a objects/*.o

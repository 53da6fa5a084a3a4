#!/bin/sh
# static_cjson.sh FOLDER - FOLDER/libcjson.a, which Debian's libcjson-dev does not hold, from the
# source package of the version that is installed. apt checks its signature.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
version=$(dpkg-query -W -f='${source:Version}' libcjson1)
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
apt source --download-only "cjson=$version"
rm -rf cjson
dpkg-source --no-check -x cjson_*.dsc cjson >/dev/null
${CC:-cc} -O2 -ffunction-sections -fdata-sections -fPIC -c cjson/cJSON.c -o cJSON.o
rm -f libcjson.a
ar rcs libcjson.a cJSON.o

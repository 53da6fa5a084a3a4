#!/bin/sh
# static_library.sh cjson|openssl FOLDER [TARGET] - in FOLDER the static library of a source
# package of Debian, of the version that is installed, NAME.version, which says which one it
# is, and NAME.license. apt checks its signature.
# cjson: libcjson.a, which Debian's libcjson-dev does not hold.
# openssl: a small libssl.a and libcrypto.a, and their headers, for TARGET, as OpenSSL calls it, such as linux-x86_64:
# TLS 1.2 and 1.3 of a client, a third of what links from Debian's. AES takes the same time for
# any key. As with the TLS of gRPC's clients, there is no DHE and no 3DES.
set -eu
name=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
target=${3:-}
: "${CC:=cc}" "${AR:=ar}"
apt() { # the sources of this machine, and nothing of it is changed
    "$@" -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/sources" \
        -o Dir::State::lists="$folder/lists" -o Dir::Cache="$folder/cache" -o APT::Sandbox::User=root
}
# The version of a library that is installed, the same for all processors.
installed() { dpkg-query -W -f='${source:Version}\n' "$1" | head -n 1; }

# As the Makefile hardens what is ours.
harden=-fstack-protector-strong
for flag in -fstack-clash-protection -fcf-protection=full; do
    ! $CC -Werror "$flag" -S -x c -o /dev/null /dev/null 2>/dev/null || harden="$harden $flag"
done

# Security updates may be gone from a mirror that still lists them. An older library, with the
# faults that they correct, is linked only where ALLOW_OLDER names it: the newest that is there.
fetch() { # LIBRARY
    version=$(installed "$1")
    apt apt-get source --download-only "$name=$version" && return
    case " ${ALLOW_OLDER:-} " in
    *" $name "*) ;;
    *)
        echo "$name $version, which is installed, cannot be fetched as a source; ALLOW_OLDER=$name links an older one" >&2
        exit 1
        ;;
    esac
    apt apt-cache showsrc "$name" | sed -n 's/^Version: //p' >versions
    others=$(while read -r other; do
        dpkg --compare-versions "$other" lt "$version" && echo "$other"
    done <versions | sort -rV)
    for version in $others; do
        apt apt-get source --download-only "$name=$version" || continue
        echo "$name $(installed "$1") cannot be fetched, so $version is linked, which is older" >&2
        return
    done
    exit 1
}

mkdir -p "$folder/sources" "$folder/lists/partial" "$folder/cache/archives/partial"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [ -f "$file" ] && sed -E 's/^deb /deb-src /; s/^Types:.*/Types: deb-src/' "$file" >"$folder/sources/$(basename "$file")"
done
cd "$folder"
apt apt-get update || echo "not all sources of packages can be reached" >&2 # those of others are not needed
case $name in cjson) fetch libcjson1 ;; openssl) fetch libssl3 ;; esac
rm -rf "$name" lib*.a
dpkg-source --no-check -x "${name}_${version#*:}.dsc" "$name" >/dev/null

case $name in
cjson)
    # shellcheck disable=SC2086 # a list of words
    $CC -O2 $harden -ffunction-sections -fdata-sections -fPIC -c cjson/cJSON.c -o cJSON.o
    $AR rcs libcjson.a cJSON.o
    ;;
openssl)
    # The time of the build is in the library, and so is the folder, where it is not told otherwise.
    SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -l openssl/debian/changelog -S Timestamp)
    export SOURCE_DATE_EPOCH
    (
        cd openssl
        without='shared tests engine dso module legacy cms ts ocsp ct srp psk srtp dtls ssl3 tls1 tls1_1 comp idea rc2 rc4 rc5
            md4 mdc2 whirlpool camellia seed aria cast bf sm2 sm3 sm4 gost siphash scrypt ocb rmd160 ec2m cmp async dh des
            autoload-config rfc3779 nextprotoneg multiblock siv blake2 dsa asm'
        # Flags of the make that has called this would take the place of these.
        unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS
        # shellcheck disable=SC2046,SC2086 # a list of words
        env AR="$AR" RANLIB="$AR -s" CC="$CC" perl Configure "$target" --openssldir=/usr/lib/ssl \
            $(printf 'no-%s ' $without) -DOPENSSL_AES_CONST_TIME -DOPENSSL_SMALL_FOOTPRINT \
            -fPIC -Os -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -fno-unwind-tables $harden
        make -s build_generated
        make -s ${JOBS:-} libcrypto.a libssl.a
    ) >openssl.log 2>&1 || { tail -n 30 openssl.log >&2; exit 1; }
    mv openssl/libcrypto.a openssl/libssl.a .
    rm -rf include
    mv openssl/include .
    ;;
esac
cp "$name/debian/copyright" "$name.license"
rm -rf "$name"
echo "$version" >"$name.version"

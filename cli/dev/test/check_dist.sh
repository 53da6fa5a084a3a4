#!/bin/sh
# check_dist.sh FOLDER - the files of a release in FOLDER: they have their checksums, the static
# programs are small, hardened, answer in an empty root and fetch from live systems, the archives
# and packages hold them, what is linked is listed. Then all is built once more, from the source
# archive, in another folder, at another time, with another environment: it gives the same bytes.
set -eu
cd "$(dirname "$0")/../../.."
dist=$(cd "$1" && pwd)
version=$(sed -n 's/^VERSION *:= *//p' Makefile)
most=6000000 # bytes of a program: 6 MB, as those count who download it
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { printf '%s\n' "$*"; exit 1; }

# fetch trusts the authorities of a system that has them elsewhere than Debian. Its peer only does
# TLS: once the certificate is accepted, nothing is answered.
check_authorities() { # PROGRAM
    root=$work/elsewhere
    mkdir -p "$root/etc/pki/tls/certs"
    cp "$1" "$root/xdscope"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/key" -out "$work/certificate" -days 2 \
        -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 2>/dev/null
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    openssl s_server -accept "$port" -key "$work/key" -cert "$work/certificate" -alpn h2 -quiet >/dev/null 2>&1 &
    server=$!
    sleep 1
    ask() { env -i /usr/sbin/chroot "$root" /xdscope fetch csds "127.0.0.1:$port" --tls 2>&1 || true; }
    unknown=$(ask)
    cp "$work/certificate" "$root/etc/pki/tls/certs/ca-bundle.crt"
    known=$(ask)
    kill $server
    case $unknown in *'is of an unknown authority'*) ;; *) fail "an unknown authority: $unknown" ;; esac
    case $known in *'without an answer'*) ;; *) fail "an authority of the system: $known" ;; esac
}

(cd "$dist" && sha256sum --check --quiet --strict SHA256SUMS) || fail "not the files of SHA256SUMS"
for arch in amd64 arm64; do
    case $arch in amd64) cpu=x86_64 emulator='' ;; arm64) cpu=aarch64 emulator=/usr/bin/qemu-aarch64-static ;; esac
    name=xdscope-$version-linux-$arch
    program=$dist/$arch/obj/xdscope
    size=$(stat -c %s "$program")
    [ "$size" -le $most ] || fail "$arch: the program has $size bytes"
    EMULATOR=$emulator sh cli/dev/test/check_static.sh "$program" "$dist/$arch/obj/objects"

    tar -xzf "$dist/$name.tar.gz" -C "$work"
    cmp "$work/$name/bin/xdscope" "$program" || fail "$name.tar.gz has another program"
    said=$($emulator "$work/$name/bin/xdscope" --version | head -n 1)
    [ "$said" = "xdscope $version" ] || fail "$name.tar.gz: --version says $said"
    for file in share/man/man1/xdscope.1 share/doc/xdscope/LICENSE share/doc/xdscope/THIRD-PARTY; do
        [ -s "$work/$name/$file" ] || fail "$name.tar.gz has no $file"
    done

    mkdir "$work/rpm-$arch" "$work/deb-$arch"
    rpm=$dist/xdscope-$version-1.$cpu.rpm
    (cd "$work/rpm-$arch" && rpm2cpio "$rpm" | cpio -id --quiet)
    cmp "$work/rpm-$arch/usr/bin/xdscope" "$program" || fail "$rpm has another program"
    needs=$(rpm -qp --requires "$rpm" | grep -v '^rpmlib(' || true)
    [ -z "$needs" ] || fail "$rpm needs $needs"

    for package in "$dist"/*_"$version"_"$arch".deb; do
        dpkg-deb -x "$package" "$work/deb-$arch"
    done
    sh cli/dev/test/check_hardening.sh "$work/deb-$arch/usr/bin/xdscope" >"$work/hardened" || fail "$(cat "$work/hardened")"
    $emulator "$work/deb-$arch/usr/bin/xdscope" lint --client core testdata/snapshots/shop >/dev/null || fail "$arch: the packaged program does not run"
    said=$(lintian --allow-root --info --display-info --tag-display-limit 0 "$dist/$arch"/deb/*.changes 2>&1 | grep '^[EWI]:') && fail "$said"

    python3 - "$dist/$name.spdx.json" "$program" <<'PY' || fail "$name.spdx.json is not the list that is promised"
import hashlib, json, sys
document = json.load(open(sys.argv[1], encoding="utf-8"))
own, *others = document["packages"]
names = {p["name"] for p in others}
assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0"
assert own["checksums"][0]["checksumValue"] == hashlib.sha256(open(sys.argv[2], "rb").read()).hexdigest(), "checksum"
assert {"cjson", "openssl", "libnghttp2-dev", "libpcre2-dev", "libprotobuf-c-dev", "libxxhash-dev", "libyaml-dev",
        "libzstd-dev", "zlib1g-dev"} <= names, names
assert all(p["versionInfo"] and p["licenseDeclared"] for p in others), "a package without version or license"
ids = [p["SPDXID"] for p in document["packages"]]
assert len(ids) == len(set(ids)) and {r["relatedSpdxElement"] for r in document["relationships"]} == set(ids), "relationships"
PY
done
python3 cli/dev/test/check_image.py "$dist"
if [ "$(id -u)" = 0 ]; then check_authorities "$dist/amd64/obj/xdscope"; else echo "  AUTHORITIES	not tried, which needs root"; fi
# What its OpenSSL lacks is not needed.
/usr/bin/python3 cli/dev/test/fetch/check_fetch.py "$dist/amd64/obj/xdscope" >"$work/fetch" || fail "$(cat "$work/fetch")"

elsewhere=$work/a-folder-with-a-longer-name
mkdir "$elsewhere"
tar -xzf "$dist/xdscope-$version.tar.gz" -C "$elsewhere"
(
    cd "$elsewhere/xdscope-$version"
    umask 077
    env -i PATH="$PATH" HOME="$work" TZ=Asia/Tokyo LANG=C.UTF-8 CFLAGS=-O0 LDFLAGS=-s LTO=1 \
        make dist image RELEASE_URL="${RELEASE_URL:-}" PROJECT_URL="${PROJECT_URL:-}" SITE_URL="${SITE_URL:-}" >"$work/log" 2>&1
) || fail "the source archive cannot be built: $(tail -n 50 "$work/log")"
diff "$dist/SHA256SUMS" "$elsewhere/xdscope-$version/build/dist/SHA256SUMS" || fail "another folder, another time: other bytes"
[ ! -e "$dist/xdscope.rb" ] || cmp "$dist/xdscope.rb" "$elsewhere/xdscope-$version/build/dist/xdscope.rb"
echo "  DIST	$(wc -l <"$dist/SHA256SUMS") files, twice the same"

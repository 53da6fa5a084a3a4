#!/bin/sh
# image.sh FOLDER ARCHITECTURE... - an OCI image from scratch, for all architectures, from the
# programs in FOLDER: the layout in FOLDER/image, and as one file that `docker load`,
# `podman load` and `skopeo copy oci-archive:` read.
# In it: the program, certificates of authorities for `fetch`, a /tmp. No shell, no root.
set -eu
cd "$(dirname "$0")/../.."
. mk/dist/common.sh
dist=$(cd "$1" && pwd)
shift
image=$dist/image
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
rm -rf "$image"
mkdir -p "$image/blobs/sha256"

# Puts a file among the blobs; its descriptor without the closing brace: others add members.
blob() { # FILE MEDIA-TYPE
    digest=$(sha256_of "$1")
    size=$(stat -c %s "$1")
    mv "$1" "$image/blobs/sha256/$digest"
    printf '{"mediaType":"application/vnd.oci.image.%s","digest":"sha256:%s","size":%s' "$2" "$digest" "$size"
}

layer_of() { # ARCHITECTURE: image/layer.tar
    root=$dist/$1/root
    rm -rf "$root"
    mkdir -p "$root/usr/bin" "$root/etc/ssl/certs" "$root/tmp" "$root/src"
    cp "$dist/$1/obj/xdscope" "$root/usr/bin/xdscope"
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    printf 'xdscope:x:65532:65532::/src:/usr/bin/xdscope\n' >"$root/etc/passwd"
    # The folder /tmp alone may be written by anybody.
    tar_of "$root" --no-recursion --exclude=./tmp -T - >"$image/layer.tar" <<END
$(cd "$root" && find . -mindepth 1 | sort)
END
    (cd "$root" && tar -r -f "$image/layer.tar" --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
        --numeric-owner --mode=1777 ./tmp)
}

config_of() { # ARCHITECTURE DIFF-ID
    labels='"org.opencontainers.image.title":"xdscope","org.opencontainers.image.version":"'$VERSION'","org.opencontainers.image.licenses":"Apache-2.0"'
    [ -z "${PROJECT_URL:-}" ] || labels=$labels',"org.opencontainers.image.source":"'$PROJECT_URL'"'
    printf '{"created":"%s","architecture":"%s","os":"linux","config":{' "$created" "$1"
    printf '"User":"65532:65532","WorkingDir":"/src","Entrypoint":["/usr/bin/xdscope"],'
    printf '"Env":["PATH=/usr/bin","SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"],"Labels":{%s}},' "$labels"
    printf '"rootfs":{"type":"layers","diff_ids":["sha256:%s"]},' "$2"
    printf '"history":[{"created":"%s","created_by":"mk/dist/image.sh"}]}' "$created"
}

manifests=
for arch in "$@"; do
    layer_of "$arch"
    diff_id=$(sha256_of "$image/layer.tar")
    gzip -9n "$image/layer.tar"
    layer=$(blob "$image/layer.tar.gz" layer.v1.tar+gzip)
    config_of "$arch" "$diff_id" >"$image/config"
    config=$(blob "$image/config" config.v1+json)
    printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":%s},"layers":[%s}]}' \
        "$config" "$layer" >"$image/manifest"
    manifest=$(blob "$image/manifest" manifest.v1+json)
    manifests=$manifests${manifests:+,}$manifest',"platform":{"architecture":"'$arch'","os":"linux"}}'
done
printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[%s]}' "$manifests" >"$image/index"
index=$(blob "$image/index" index.v1+json)
printf '{"imageLayoutVersion":"1.0.0"}' >"$image/oci-layout"
printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[%s,"annotations":{"org.opencontainers.image.ref.name":"%s","io.containerd.image.name":"docker.io/library/xdscope:%s"}}]}' \
    "$index" "$VERSION" "$VERSION" >"$image/index.json"
tar_of "$image" blobs index.json oci-layout >"$dist/$NAME-image.tar"
checksums "$dist"
printf '%s\t%s\n' "$(stat -c %s "$dist/$NAME-image.tar")" "$NAME-image.tar"

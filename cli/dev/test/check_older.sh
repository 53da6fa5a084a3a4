#!/bin/sh
# check_older.sh - a library that is older than this machine's is linked only where it is named.
# A mirror here lists an older source, and gives none: what is asked of it shows what would be linked.
set -u
cd "$(dirname "$0")/../../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
mkdir "$work/bin"
cat >"$work/bin/apt-get" <<'SH'
#!/bin/sh
for word in "$@"; do case $word in update) exit 0 ;; *=*-[0-9]*) echo "$word" >>"$ASKED" ;; esac; done
exit 100
SH
cat >"$work/bin/apt-cache" <<'SH'
#!/bin/sh
echo 'Version: 0.0.1-1'
SH
cat >"$work/bin/dpkg-query" <<'SH'
#!/bin/sh
echo '99.0.1-1'
SH
chmod +x "$work"/bin/*

asked_for() { # ALLOW_OLDER WORDS: the versions that were asked for
    : >"$work/asked"
    ALLOW_OLDER=$1 ASKED=$work/asked PATH=$work/bin:$PATH sh mk/static_library.sh cjson "$work/lib" >"$work/out" 2>&1 &&
        { echo "check_older.sh: a library is linked that cannot be had"; status=1; }
    [ "$(tr '\n' ' ' <"$work/asked")" = "$2" ] || { echo "check_older.sh: with ALLOW_OLDER=$1 it asks for $(cat "$work/asked")"; status=1; }
}

asked_for '' 'cjson=99.0.1-1 '
grep -q 'cjson 99.0.1-1, which is installed, cannot be fetched as a source; ALLOW_OLDER=cjson links an older one' "$work/out" ||
    { cat "$work/out"; status=1; }
asked_for openssl 'cjson=99.0.1-1 '
asked_for 'openssl cjson' 'cjson=99.0.1-1 cjson=0.0.1-1 '
[ $status -ne 0 ] || echo "  OLDER	ok"
exit $status

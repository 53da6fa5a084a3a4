#!/bin/sh
# hook_lint.sh ARGUMENTS... - xdscope lint, built on first use in the checkout that this file
# stands in: a hook of pre-commit for those who have no xdscope installed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
program=$root/build/release/xdscope
log=$root/build/hook.log

# What git and make say to their children is about another repository, another build.
in_checkout() {
    env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u VARIANT "$@"
}

build() {
    commit=$(in_checkout git -C "$root" rev-parse --short HEAD 2>/dev/null) || commit=
    in_checkout make -C "$root" -s -j"$(nproc)" "COMMIT=$commit" build/release/xdscope >"$log" 2>&1 && return
    tail -n 20 "$log" >&2
    echo "xdscope could not be built in $root; what it needs is installed by: make -C '$root' deps-build" >&2
    exit 2
}

if [ ! -x "$program" ]; then
    mkdir -p "$root/build"
    exec 9>"$root/build/hook.lock"
    flock 9
    [ -x "$program" ] || build
    exec 9>&-
fi
exec "$program" lint "$@"

#!/bin/sh
# precommit.sh PROGRAM - the hooks of .pre-commit-hooks.yaml, run by pre-commit in a git
# repository made for it: a bad snapshot fails, a good one passes. No network is needed, and no
# engine for containers: a script in its place runs PROGRAM for the image of this version, whose
# layers `make check-image` runs.
set -eu
cd "$(dirname "$0")/../../.."
program=$(readlink -f "$1")
work=$PWD/build/precommit
hooks=$work/hooks
rm -rf "$work"
mkdir -p "$hooks" "$work/bin" "$work/user"
ln -s "$program" "$work/bin/xdscope"
version=$(sed -n 's/^VERSION *:= *//p' Makefile)
cat >"$work/bin/docker" <<END
#!/bin/sh
[ "\$1" = run ] || exit 0
while [ "\$1" != "xdscope:$version" ]; do shift || { echo 'another image'; exit 125; }; done
shift
exec "$program" "\$@"
END
chmod +x "$work/bin/docker"
export PATH="$work/bin:$PATH" HOME="$work" PRE_COMMIT_HOME="$work/cache" CFLAGS=-O0
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost

commit_all() {
    git -C "$1" -c init.defaultBranch=main init -q
    git -C "$1" add -A
    git -C "$1" commit -q -m "$2"
}

tar -c --exclude=./build --exclude=./.git --exclude=./testdata . | tar -x -C "$hooks"
commit_all "$hooks" 'what pre-commit clones'
cp cli/dev/test/routes.yaml "$work/user/good.yaml"
sed 's/domains:.*/domains: []/' "$work/user/good.yaml" >"$work/user/bad.yaml"
cat >"$work/user/.pre-commit-config.yaml" <<END
repos:
- repo: $hooks
  rev: $(git -C "$hooks" rev-parse HEAD)
  hooks:
  - id: xdscope-lint
  - id: xdscope-lint-source
  - id: xdscope-lint-docker
  - id: xdscope-test
    args: [--help]
END
commit_all "$work/user" 'what is linted'

# HOOK FILE: its exit status; what it says is in $work/said.
run_hook() {
    (cd "$work/user" && pre-commit run "$1" --files "$2") >"$work/said" 2>&1
}
failed() {
    echo "$1, but pre-commit says:"
    cat "$work/said"
    exit 1
}

pre-commit validate-manifest .pre-commit-hooks.yaml
for hook in xdscope-lint xdscope-lint-docker xdscope-lint-source; do
    run_hook $hook good.yaml || failed "$hook should pass good.yaml"
    grep -q '^xdscope lint.*Passed' "$work/said" || failed "$hook should have run"
    ! run_hook $hook bad.yaml || failed "$hook should not pass bad.yaml"
    grep -q 'bad.yaml:5:' "$work/said" || failed "$hook should show the finding in bad.yaml"
done
run_hook xdscope-test good.yaml || failed "xdscope-test should run xdscope test"
echo "  HOOKS	ok"

#!/bin/sh
# check_pre_commit.sh WHEEL CONFIG - the hook of xdscope-python(7), whose file CONFIG is, in a repository of its own, with the
# wheel in place of its name: it fails for what clients reject, and passes else. pre-commit is that of PATH.
set -eu
wheel=$(realpath "$1") config=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PRE_COMMIT_HOME="$folder/home" GIT_CONFIG_GLOBAL=/dev/null
mkdir "$folder/repo" && cd "$folder/repo"
git init -q .
sed "s|xdscope==[0-9.]*|$wheel|" "$config" >.pre-commit-config.yaml
mkdir -p deploy/xds
cluster() { echo "{\"@type\": type.googleapis.com/envoy.config.cluster.v3.Cluster, name: c, type: $1, eds_cluster_config: {eds_config: {ads: {}}}}" >deploy/xds/c.yaml; }
cluster EDS && git add -A
pre-commit run --all-files >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
cluster STRICT_DNS && git add -A
if pre-commit run --all-files >"$folder/log" 2>&1 || ! grep -q cluster-discovery-type "$folder/log"; then
    cat "$folder/log"
    exit 1
fi
echo "  HOOK	language: python ok"

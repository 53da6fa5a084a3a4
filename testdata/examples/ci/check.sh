#!/bin/sh
# check.sh - what each CI system runs: do the clients accept the snapshot, and do RPCs go where they should?
set -eu
xdscope lint snapshot
xdscope test --fail-under 100 shop.tests.yaml

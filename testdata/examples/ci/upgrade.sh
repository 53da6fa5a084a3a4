#!/bin/sh
# upgrade.sh OLD NEW - what does another release of a client change, and does it reject anything?
set -eu
xdscope diff --exit-zero --client "$1" --client "$2" snapshot | sed '/^history/,/^$/d'
xdscope lint -q -f gcc --client "$2" snapshot

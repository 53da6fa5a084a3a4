#!/bin/sh
# valgrind.sh PROGRAM UNPACK - every command under memcheck, in every form of input and for every
# client: no read of what was not written, no invalid access, no leak. (MemorySanitizer would
# want the libraries rebuilt.)
set -u
cd "$(dirname "$0")/../../.." || exit
program=$1
unpack=$2
shop=testdata/snapshots/shop
next=testdata/snapshots/shop-next
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
runs=0 failed=0
formats_of() { sed -n "s/^FORMAT_$1(\"\([a-z]*\)\".*/\1/p" cli/formats.def; } # LINT

check() {
    runs=$((runs + 1))
    valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=all "$program" "$@" >"$work/out" 2>"$work/err"
    [ $? -ne 99 ] || { echo "xdscope $*:"; cat "$work/err"; failed=$((failed + 1)); }
}
# A case's arguments and files; what it prints is compared elsewhere.
check_case() {
    args=$("$unpack" "$1" "$work/case") || { failed=$((failed + 1)); return; }
    (cd "$work/case" && eval "set -- $args" && failed=0 && program=$OLDPWD/$program && check "$@" && exit "$failed")
    failed=$((failed + $?)) runs=$((runs + 1))
    rm -r "$work/case"
}

for form in json yaml textproto binary; do
    case $form in textproto) ending=txtpb ;; binary) ending=binpb ;; *) ending=$form ;; esac
    check convert -f $form -o "$work/shop.$ending" $shop
    check lint --client all "$work/shop.$ending"
    check convert -f json "$work/shop.$ending"
done
for format in $(formats_of LINT); do check lint --client all -f $format $shop; done
check lint --client all --statistics $shop
check lint --client all --write-baseline "$work/baseline" $shop
check lint --client all --baseline "$work/baseline" $shop
check lint --client all --against $next $shop
for client in $("$program" --version | sed '1d; /^\(commit\|protos\) /d; s/ .*//'); do
    check explain --client $client --all --target xds:///shop.example.com --path /shop.Cart/Checkout \
        --cookie-host 10.1.0.3:8443 --cookie-cluster cart -v $shop
    check service-config --client $client -f json --target xds:///shop.example.com $shop
    check lb-config --client $client $shop
done
for form in current a28 methods; do check service-config --form $form --target xds:///shop.example.com $shop; done
for format in $(formats_of EXPLAIN); do
    check explain -f $format --target xds:///shop.example.com --path /shop.Cart/Checkout $shop
done
check test --coverage testdata/snapshots/shop.tests.yaml
check test --coverage -f html testdata/snapshots/shop.tests.yaml
check lb-config -f html $shop
check simulate -f html testdata/fixtures/addresses-change.scenario.yaml
check show $shop
check show --routes --endpoints $shop
check show -f html $shop
check show -f json $shop
check show -f dot $shop
check diff -f html $shop $next
check diff $shop $next
check diff -f json --client go $shop $next
check rule
check rule weighted-clusters-sum-zero
check cookie encode 10.0.0.1:80 --cluster a
check cookie decode MTAuMC4wLjE6ODA=
check completion zsh
check lint --unknown
for session in testdata/lsp/*.lsp; do
    runs=$((runs + 1))
    LSP_UNDER='valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=all' \
        python3 cli/dev/test/lsp/check_lsp.py "$program" "$session" >"$work/err" || { cat "$work/err"; failed=$((failed + 1)); }
done
for scenario in $(find testdata/scenario -name '*.case' | LC_ALL=C sort | awk 'NR % 60 == 1'); do check_case "$scenario"; done
for rule in $(find testdata/rules -name '*.case' | LC_ALL=C sort | awk 'NR % 60 == 1'); do check_case "$rule"; done
echo "  VALGRIND	$runs runs, $failed with errors"
[ "$failed" -eq 0 ]

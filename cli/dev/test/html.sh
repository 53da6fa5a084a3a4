#!/bin/sh
# html.sh PROGRAM [FOLDER] - the HTML reports in a browser: chromium loads each page as it
# is, in a frame, and a script beside it clicks and writes down what is seen. With FOLDER
# screenshots are left there, for people.
set -eu
program=$1 shots=${2-}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

browser() {
    chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
        --allow-file-access-from-files --hide-scrollbars --virtual-time-budget=30000 "$@"
}

# check NAME: compares standard input with what came out.
check() {
    if diff -u - "$work/seen" >"$work/diff"; then
        echo "  HTML	$1: ok"
    else
        echo "  HTML	$1: what is wanted, and what was seen:"
        cat "$work/diff"
        failed=1
    fi
}

# What the script of a test sees of report.html; entities are those of the dump.
drive() {
    {
        echo '<!DOCTYPE html><meta charset="utf-8"><pre id="seen"></pre>'
        echo '<iframe id="report" src="report.html" width="1280" height="900"></iframe>'
        echo '<script>'
        cat "$here/html_page.js" "$here/$1"
        echo '</script>'
    } >"$work/driver.html"
    browser --dump-dom "file://$work/driver.html" 2>/dev/null |
        sed -n '/<pre id="seen">/,/<\/pre>/p' |
        sed 's/.*<pre id="seen">//; s/<\/pre>.*//; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g' >"$work/seen"
}

# Well-formed, but for style and script; and the browser has nothing to complain about,
# such as a script whose hash is not the one that the page allows. The tools may fail: what
# they write is compared, and grep fails where all is well.
inspect() {
    {
        sed -e '/<style>/,/<\/style>/d' -e '/<script>/,/<\/script>/d' "$work/report.html" | xmllint --noout - 2>&1 || true
        browser --enable-logging=stderr --dump-dom "file://$work/report.html" 2>&1 >/dev/null | grep CONSOLE || true
    } >"$work/seen"
    check "$1 is well-formed, and nothing in it is refused" </dev/null
}

# shoot NAME: by day, by night, on a phone.
shoot() {
    [ -n "$shots" ] || return 0
    mkdir -p "$shots"
    browser --window-size=1280,1600 --screenshot="$shots/$1.png" "file://$work/report.html" 2>/dev/null
    browser --window-size=1280,1600 --blink-settings=preferredColorScheme=0 \
        --screenshot="$shots/$1-dark.png" "file://$work/report.html" 2>/dev/null
    browser --window-size=500,1600 --screenshot="$shots/$1-phone.png" "file://$work/report.html" 2>/dev/null
}

# any NAME: what all pages have in common. Standard input: the answer, how many commands
# are on the page, and the first of them.
any() {
    read -r answer && read -r commands && read -r first
    inspect "$1"
    shoot "${1%% *}"
    drive html_any.js
    check "$1: at any width, with its commands" <<EOF
$answer
on top: true
390 pixels: wider than the window: false, scrolls without the keyboard: 0
1280 pixels: wider than the window: false, scrolls without the keyboard: 0
commands $commands, buttons $commands
Copied: $first
repeated ids 0, links out 0, injected undefined, secrets false
EOF
}

# ---- lint --------------------------------------------------------------------------

# These rules alone, so that a new one changes no count.
rules=lb-policy-unsupported,route-query-parameters,tls-certificates-unsupported,tls-no-ca
rules=$rules,http-filter-unknown,filter-override-unknown
"$program" lint --client grfc -f html -o "$work/report.html" --exit-zero --select "$rules" testdata/html/snapshot testdata/snapshots/shop
any "lint -f html" <<EOF
2 of 12 resources would be rejected by the documents: 3 errors, 1 warning, 2 notes
7
xdscope lint --client grfc -f html -o $work/report.html --exit-zero --select $rules testdata/html/snapshot testdata/snapshots/shop
EOF
drive html_lint.js
check "lint -f html: filters" <<'EOF'
all: 6 findings of 6 rules, "6 findings", 3/1/2, no hash
scripts 1, images 0, links out 0, dangling 0, handlers 0, repeated ids 0, injected undefined, secrets false
without notes: 4 findings of 4 rules, "4 of 6 findings", 3/1/2, #level=error,warning
errors only: 3 findings of 3 rules, "3 of 6 findings", 3/1/2, #level=error
reset: 6 findings of 6 rules, "6 findings", 3/1/2, no hash
not accepted by core: 4 findings of 4 rules, "4 of 6 findings", 3/1/0, #client=core
one rule: 1 findings of 1 rules, "1 of 6 findings", 0/1/0, #rule=route-query-parameters
clusters: 3 findings of 3 rules, "3 of 6 findings", 3/0/0, #type=Cluster
clusters with a text: 1 findings of 1 rules, "1 of 6 findings", 1/0/0, #type=Cluster&q=maglev
nothing: 0 findings of 0 rules, "0 of 6 findings", 0/0/0, #type=Cluster&q=nowhere
a link to what is hidden: 6 findings of 6 rules, "6 findings", 3/1/2, no hash
from a link: 1 findings of 1 rules, "1 of 6 findings", 0/1/1, #level=error,warning&type=RouteConfiguration
another link: 2 findings of 2 rules, "2 of 6 findings", 0/0/2, #q=session
a stale link: 0 findings of 0 rules, "0 of 6 findings", 3/1/2, #level=&rule=gone
without scripts: 6 findings, filters hidden
EOF

# ---- explain -----------------------------------------------------------------------

"$program" explain -f html -o "$work/report.html" --target xds:///shop.example.com --path /shop.Cart/Checkout \
    -H 'authorization: Bearer hunter2' --cookie-host 10.1.0.3:8443 --cookie-cluster cart testdata/snapshots/shop
any "explain -f html" <<EOF
the RPC goes to 10.1.0.3:8443 in cluster "cart"
1
xdscope explain -f html -o $work/report.html --target xds:///shop.example.com --path /shop.Cart/Checkout -H 'authorization: Bearer *******' --cookie-host 10.1.0.3:8443 --cookie-cluster cart testdata/snapshots/shop
EOF
drive html_explain.js
check "explain -f html: the way of the RPC" <<'EOF'
the RPC goes to 10.1.0.3:8443 in cluster "cart"
18 boxes, 0 overlap, 0 too narrow
bold: RPC /shop.Cart/Checkout as client core > listener shop.example.com > virtual host shop > route #1 cart path matches > cluster cart > priority 0 > locality eu/eu-1 > endpoint 10.1.0.3:8443 DRAINING
dotted: session cookie shop-session the host is used; it has no connection yet
last click: #step-session
steps: request, listener, virtual host, routes, cluster, timeout, retry, session, balancing, host, set-cookie, note
routes: 2, hosts: 0
scripts 1, credentials false
EOF

"$program" explain -f html -o "$work/report.html" --target xds:///shop.example.com --path /shop.Cart/Checkout \
    testdata/snapshots/shop
drive html_explain.js
check "explain -f html: an open choice" <<'EOF'
the RPC goes to one of 4 hosts in 2 clusters
19 boxes, 0 overlap, 0 too narrow
bold: RPC /shop.Cart/Checkout as client core > listener shop.example.com > virtual host shop > route #1 cart path matches
dotted: 
last click: #step-session
steps: request, listener, virtual host, routes, cluster, timeout, retry, session, hosts, set-cookie, note
routes: 2, hosts: 4
scripts 1, credentials false
EOF

# ---- test --------------------------------------------------------------------------

"$program" test -o "$work/results.txt" --coverage-html "$work/report.html" \
    testdata/html/coverage testdata/snapshots/shop.tests.yaml || [ $? -eq 1 ] # a case of the folder fails, as it should
inspect "test --coverage-html"
shoot coverage
drive html_coverage.js
check "test --coverage-html: only what is not covered" <<'EOF'
The cases cover 7 of 10 routes and 3 of 6 weighted targets: 62.5%
wider than the window: false, bar 62.5 of 100, scripts 1, links 0
all: 11 routes in 2 tables, "11 routes", 5 routes + 6 routes, no hash
only uncovered: 4 routes in 2 tables, "4 of 11 routes", 3 routes + 1 route, #covered=no
these: cards, beta, moved, reports
they say: not covered, not covered, not covered, not covered, not covered, not covered
again all: 11 routes in 2 tables, "11 routes", 5 routes + 6 routes, no hash
reset: 11 routes in 2 tables, "11 routes", 5 routes + 6 routes, no hash
cases of the first: card payments, testdata/html/coverage/payments.tests.yaml:4
from a link: 1 routes in 1 tables, "1 of 11 routes", 1 route, #covered=no&q=wallets
without scripts: 11 routes, filters hidden
EOF

# ---- other answers -----------------------------------------------------------------

"$program" test -f html --coverage -o "$work/report.html" \
    testdata/html/coverage testdata/snapshots/shop.tests.yaml || [ $? -eq 1 ]
any "test -f html" <<EOF
21 cases: 20 passed, 1 failed
1
xdscope test -f html --coverage -o $work/report.html testdata/html/coverage testdata/snapshots/shop.tests.yaml
EOF

"$program" diff -f html -o "$work/report.html" --exit-zero testdata/snapshots/shop testdata/snapshots/shop-next
any "diff -f html" <<EOF
2 resources changed; 2 kinds of requests change for core; 1 of 7 sessions breaks
4
xdscope diff -f html -o $work/report.html --exit-zero testdata/snapshots/shop testdata/snapshots/shop-next
EOF

"$program" simulate -f html -o "$work/report.html" testdata/fixtures/addresses-change.scenario.yaml
any "simulate -f html" <<EOF
1 scenario, 3 steps, 3 expectations: ok
1
xdscope simulate -f html -o $work/report.html testdata/fixtures/addresses-change.scenario.yaml
EOF

"$program" lb-config -f html -o "$work/report.html" testdata/snapshots/shop 2>/dev/null
any "lb-config -f html" <<EOF
print the tree of LB policies that a client builds for a cluster
3
xdscope lb-config -f html -o $work/report.html testdata/snapshots/shop
EOF

exit $failed

#!/bin/sh
# site.sh SITE [FOLDER] - the pages of `make site` in a browser, at 390 and 1280 pixels: nothing
# is wider than the window or loaded from elsewhere, the search and the filters work, and the
# browser refuses nothing. With FOLDER screenshots are left there, for people.
set -eu
site=$(realpath "$1") shots=${2-}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$site" "$work/site"

browser() {
    chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
        --allow-file-access-from-files --hide-scrollbars --host-resolver-rules='MAP * ~NOTFOUND' "$@"
}

# All pages but those of rules, and each twentieth of these.
pages=$({ cd "$site" && ls -- *.html spec/*.html documents/*.html agreement/*.html man/*.html reports/*.html rules/index.html && find rules -name '*-*.html' | sort | awk 'NR % 20 == 1'; } | sed 's/.*/"&",/')
{
    echo '<!DOCTYPE html><meta charset="utf-8"><pre id="seen"></pre>'
    echo '<iframe id="report" src="about:blank" width="1280" height="900"></iframe>'
    echo "<script>const pages = [$pages];"
    cat "$here/html_page.js" "$here/site_look.js"
    echo '</script>'
} >"$work/driver.html"
browser --virtual-time-budget=900000 --enable-logging=stderr --dump-dom "file://$work/driver.html" 2>"$work/log" |
    sed -n '/<pre id="seen">/,/<\/pre>/p' |
    sed 's/.*<pre id="seen">//; s/<\/pre>.*//; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g' >"$work/seen"
grep CONSOLE "$work/log" | sed 's/.*CONSOLE/CONSOLE/' >>"$work/seen" || true
failed=0
n=$(printf '%s\n' "$pages" | wc -l)
diff -u - "$work/seen" <<EOF || failed=1
looked at $n pages, loaded from elsewhere: 0
wider than the window: none
from the head of a page: ?q=domain-repeated, rules/domain-repeated.html
search max_stream_duration not read: route-timeout-not-read, rules/route-timeout-not-read.html
search G31: G31 StringMatcher.match_pattern, spec/common.html#G31
search unsupported cluster type: cluster-discovery-type, rules/cluster-discovery-type.html
search --fail-on: xdscope-lint(1) Options, man/xdscope-lint.1.html#OPTIONS
search xyzzy: 0 found
search <img src=x>: 0 found
rules: all of them true, fewer errors true, fewer of clusters true, #level=error&type=Cluster
answers of go: fewer differ true
EOF

# shoot NAME PAGE: by day, by night, on a phone. A window is no narrower than 500 pixels: a
# frame is.
shoot() {
    browser --virtual-time-budget=20000 --window-size=1280,1600 --screenshot="$shots/$1.png" "file://$site/$2" 2>/dev/null
    browser --virtual-time-budget=20000 --window-size=1280,1600 --blink-settings=preferredColorScheme=0 \
        --screenshot="$shots/$1-dark.png" "file://$site/$2" 2>/dev/null
    printf '<!DOCTYPE html><style>body{margin:0;background:#888}iframe{border:0}</style><iframe width="390" height="1600" src="%s"></iframe>' \
        "file://$site/$2" >"$work/phone.html"
    browser --virtual-time-budget=20000 --window-size=500,1600 --screenshot="$shots/$1-phone.png" "file://$work/phone.html" 2>/dev/null
}

if [ -n "$shots" ]; then
    mkdir -p "$shots"
    shoot site-front index.html
    shoot site-rules rules/index.html
    shoot site-rule rules/string-matcher-fold-regex.html
    shoot site-facts spec/cluster.html
    shoot site-agreement agreement/index.html
    shoot site-go agreement/go.html
    shoot site-man man/xdscope-lint.1.html
    shoot site-search 'search.html?q=regex'
fi
[ $failed -eq 0 ] && echo "  SITE	$n pages in a browser: ok"
exit $failed

#!/bin/sh
# completions.sh PROGRAM [SHELL...] - the completion scripts, asked in real shells (bash, zsh
# and fish, or those named) that have no terminal: after which words they offer what. Options
# are compared with the --help of every command, so a new row of a table is tested here too.
set -u
program=$(readlink -f "$1")
here=$(readlink -f "$(dirname "$0")")
shift
work=$PWD/build/completions
rm -rf "$work"
mkdir -p "$work/bin" "$work/files/folder"
ln -s "$program" "$work/bin/xdscope"
cat >"$work/files/snapshot.yaml" <<'END'
listeners:
- name: "shop:80"
  api_listener: {}
routes:
- name: shop-routes
  virtual_hosts: []
clusters:
- {name: cart, type: EDS}
- {name: $(touch ran), type: EDS}
endpoints:
- cluster_name: cart
  endpoints:
  - lb_endpoints:
    - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
END
PATH=$work/bin:$PATH
export PATH

# ---- what is asked: after "LINE|" the words that must be offered, all of them ----------

rules=$(xdscope rule -q | cut -d' ' -f1)
rules_from() { printf '%s\n' "$rules" | grep "^$1" | tr '\n' ' '; }
commands=$(xdscope --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' | tr '\n' ' ')
# Those for live systems are apart, where there are any.
options_of() { { xdscope "$1" --help; xdscope help "$1" live 2>/dev/null; } | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p' | tr '\n' ' '; }
files='folder snapshot.yaml'
{
    echo "|$commands help version"
    echo "lin|lint"
    echo "--vers|--version"
    for command in $commands; do
        echo "$command --|$(options_of "$command")"
        echo "$command --col|--color"
        echo "$command --color |always auto never"
        echo "$command --color=a|--color=always --color=auto"
        echo "$command -o |$files"
        echo "$command -q --output sn|snapshot.yaml"
    done
    echo "lint |$files"
    echo "lint sn|snapshot.yaml"
    echo "lint folder sn|snapshot.yaml"
    echo "lint --bootstrap |$files"
    echo "lint --fail-on |error note warning"
    echo "lint --client gr|grfc"
    echo "lint --client core,j|core,java"
    echo "lint --client=core,go,n|--client=core,go,node"
    echo "lint --client core folder sn|snapshot.yaml"
    echo "lint --env |"
    echo "lint --select a28-|$(rules_from a28-)"
    echo "lint --ignore tls-field,route-query-p|tls-field,route-query-parameters"
    echo "lint --select=route-query-p|--select=route-query-parameters"
    echo "lint --select=tls-field,route-query-p|--select=tls-field,route-query-parameters"
    echo "explain -H |"
    echo "explain -f |dot html json text"
    echo "diff -f |html json text"
    echo "explain --down 10.0.0.1:80 sn|snapshot.yaml"
    echo "explain --target xds:///shop --cl|--client"
    echo "explain snapshot.yaml --listener |shop:80"
    echo "explain snapshot.yaml --listener=sh|--listener=shop:80"
    echo "explain snapshot.yaml --target |xds:///shop:80"
    echo "explain snapshot.yaml --target xds:|xds:///shop:80"
    echo "explain snapshot.yaml --route-config |shop-routes"
    echo "explain snapshot.yaml --down 10.|10.0.0.1:80"
    echo "explain snapshot.yaml --down 10.9.9.9:1,10.|10.9.9.9:1,10.0.0.1:80"
    echo "explain none.yaml --listener |"
    echo "explain --listener |"
    echo "lb-config snapshot.yaml --cluster ca|cart"
    echo "show snapshot.yaml --name s|shop:80 shop-routes"
    echo "rule |$(rules_from '')"
    echo "rule route-query-p|route-query-parameters"
    echo "cookie |decode encode"
    echo "cookie encode |"
    echo "cookie --host 10.0.0.1:80 |decode encode"
    echo "completion |bash fish zsh"
    echo "nonsense |"
    if options_of lint | grep -q -e '--level '; then
        echo "lint --level route-query-p|route-query-parameters="
        echo "lint --level route-query-parameters=w|route-query-parameters=warning"
        echo "lint --level=route-query-parameters=w|--level=route-query-parameters=warning"
        echo "lint --level tls-field=error,route-query-parameters=w|tls-field=error,route-query-parameters=warning"
    fi
} >"$work/cases"
sed 's/|.*//' "$work/cases" >"$work/lines"
while IFS='|' read -r line words; do
    echo "> $line"
    for word in $words; do echo "$word"; done | LC_ALL=C sort
done <"$work/cases" >"$work/want"

# ---- how each shell is asked: "> LINE", then what it offers --------------------------------

ask() {
    case $1 in
    bash) bash --norc --noprofile "$here/completions.bash" "$work/lines" ;;
    zsh) zsh -f "$here/completions.zsh" "$work/lines" "$work" ;;
    fish) HOME=$work XDG_CONFIG_HOME=$work fish --no-config "$here/completions.fish" "$work/lines" ;;
    esac
}

[ $# -gt 0 ] || set -- bash zsh fish
status=0
for shell in "$@"; do
    (cd "$work/files" && ask "$shell") >"$work/got.$shell" 2>"$work/errors.$shell"
    if cmp -s "$work/want" "$work/got.$shell" && [ ! -s "$work/errors.$shell" ]; then
        continue
    fi
    echo "$shell offers (>) other than what it should (<):"
    diff -U2 "$work/want" "$work/got.$shell" | head -n 60
    head -n 20 "$work/errors.$shell"
    status=1
done
[ ! -e "$work/files/ran" ] || { echo "a name was run as a command"; status=1; }
[ $status -eq 0 ] && echo "  COMPLETE	$(wc -l <"$work/lines") lines ok in $*"
exit $status

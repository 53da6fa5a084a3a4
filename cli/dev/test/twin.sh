#!/bin/sh
# twin.sh UNPACK - a client is a row: the recipe "a client" of CONTRIBUTING.md is done in a copy of
# the tree, build/twin. The new client must then answer every case as grfc does, and appear
# wherever clients are listed. TWIN_CASES: folders of cases.
set -u
cd "$(dirname "$0")/../../.." || exit
unpack=$PWD/$1
cases=${TWIN_CASES:-testdata/rules testdata/explain testdata/service_config testdata/lb_config testdata/scenario}
copy=$PWD/build/twin
program=$copy/build/xdscope
fail=0
say() { printf '%s\n' "$*"; fail=1; }

# ---- the recipe ----

mkdir -p "$copy/build/release"
rm -rf "$copy/recipe" "$copy/work"
mkdir "$copy/work"
# All files keep their times, so that a second run builds only what has changed.
for part in Makefile mk proto man libvalidate cli; do
    rm -rf "${copy:?}/$part" && cp -Rp "$part" "$copy/$part" || exit
done
# Generated code knows of no client: its objects are taken over.
cp -Rpn build/gen "$copy/build/" 2>/dev/null
cp -Rpn build/release/gen "$copy/build/release/" 2>/dev/null

awk '/^```recipe client$/ { on = 1; next } /^```$/ { on = 0 } on' CONTRIBUTING.md >"$copy/recipe"
[ -s "$copy/recipe" ] || say "CONTRIBUTING.md has no recipe \"client\""

# "edit FILE, before the first WORD:" and indented lines: the lines go before the first line that
# begins with the word.
edit() {
    file=$1 word=$2
    [ -f "$copy/$file" ] || { say "the recipe edits $file, which does not exist"; return; }
    awk -v word="$word" 'NR == FNR { lines = lines $0 "\n"; next }
        !done && index($0, word) == 1 { printf "%s\n", lines; done = 1 }
        { print } END { exit !done }' "$copy/lines" "$copy/$file" >"$copy/edited" ||
        say "the recipe edits $file before $word, which no line begins with"
    touch -r "$file" "$copy/edited"
    [ -z "$(find CONTRIBUTING.md -newer "$file")" ] || touch -r CONTRIBUTING.md "$copy/edited"
    mv "$copy/edited" "$copy/$file"
}
flush() {
    [ -z "${file_now:-}" ] || edit "$file_now" "$word_now"
    file_now=
}
file_now='' steps=0
while IFS= read -r line; do
    case $line in
    "edit "*", before the first "*":")
        flush
        file_now=${line#edit } file_now=${file_now%%,*}
        word_now=${line##*before the first } word_now=${word_now%:}
        : >"$copy/lines" ;;
    "    "*) printf '%s\n' "${line#    }" >>"$copy/lines"; continue ;;
    "run "*)
        flush
        command=${line#run }
        case $command in
        make) command="make -j2 CFLAGS=-O1 build/xdscope" ;;
        "make "*) command="$command CFLAGS=-O1" ;;
        esac
        (cd "$copy" && eval "$command") >"$copy/log" 2>&1 </dev/null || { tail -n 40 "$copy/log"; say "the recipe fails at: $line"; } ;;
    *) say "the recipe has a step that is not known: $line" ;;
    esac
    steps=$((steps + 1))
done <"$copy/recipe"
flush
[ $fail -eq 0 ] || exit 1
[ -x "$program" ] || { echo "the recipe builds no program"; exit 1; }

# ---- where clients are listed ----

seen() { # WHAT WORD COMMAND...
    what=$1 word=$2
    shift 2
    "$@" 2>&1 </dev/null | grep -qw -e "$word" || say "$what does not have $word"
}
for command in lint explain simulate test diff service-config lb-config; do
    seen "$command --help" twin "$program" "$command" --help
done
seen "--version" twin "$program" --version
seen "completion" twin "$program" completion --complete -- lint --client tw
seen "the message on an unknown client" twin "$program" lint --client rust .
seen "the hint" "did you mean 'twin'" "$program" lint --client twn .
seen "xdscope-rules(7)" 'twin.*alias' cat "$copy/build/man/xdscope-rules.7"
seen "lint --client twin-alias" '"clients":\["twin"\]' "$program" lint --client twin-alias -f json testdata/snapshots/shop
seen "lint -f sarif" twin "$program" lint --client all -f sarif testdata/snapshots/shop
seen "lint -f html" twin "$program" lint --client all -f html testdata/snapshots/shop
seen "rule -f json" '"twin":"NACK"' "$program" rule -f json address-not-ip

# ---- the cases ----

# The words of a case without its client, its format and where the output goes. Some print nothing
# that names a client, or not in JSON.
words_of() {
    case " $1 " in
    *\ --statistics\ * | *\ --write-baseline\ * | *\ --check\ * | *\ --help\ * | *\ --coverage-html\ *) return ;;
    esac
    case $1 in
    lint\ * | explain\ * | simulate\ * | test\ * | service-config\ * | lb-config\ *)
        printf '%s\n' "$1" |
            sed -E 's/ (--client|--format|-f|-o|--output)[ =][^ ]*//g; s/ (-q|--quiet|-v|--verbose|--stream|--color[ =][^ ]*)( |$)/\2/g' ;;
    esac
}
# One file for each client, a block for each case.
runs=0
# shellcheck disable=SC2086 # a list of folders
for case_file in $(find $cases -name '*.case' | LC_ALL=C sort); do
    folder=$copy/work/$runs
    args=$("$unpack" "$case_file" "$folder") || { say "$case_file cannot be read"; continue; }
    words=$(words_of "$args")
    [ -n "$words" ] || { rm -rf "$folder"; continue; }
    runs=$((runs + 1))
    (cd "$folder" && eval "set -- $words" && command=$1 && shift &&
        for client in grfc twin; do
            echo "## $case_file: $words"
            "$program" "$command" --client $client -f json "$@"
            echo "exit $?"
        done >"../answers" 2>&1 </dev/null)
    awk -v folder="$copy/work" '/^## / { n++ } { print >>(folder "/" (n == 1 ? "grfc" : "twin")) }' "$copy/work/answers"
done
# The verdicts of both in each list of clients, then all else under one name.
awk '/^## / { title = substr($0, 4) }
    { rest = $0
      while (match(rest, /"clients":\{[^}]*\}/)) {
          list = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
          match(list, /"grfc":"[A-Z]+"/); of_grfc = substr(list, RSTART + 7, RLENGTH - 7)
          match(list, /"twin":"[A-Z]+"/); of_twin = substr(list, RSTART + 7, RLENGTH - 7)
          if (of_grfc != of_twin && !told[title]++) { print title ": " list; bad = 1 }
      } }
    END { exit bad }' "$copy/work/twin" || fail=1
# Texts do not list grfc, unless it is asked for: both are taken out of their lists.
for client in grfc twin; do
    sed -E '/^## /!{ s/,"twin":"[A-Z]+"//g; s/\b(grfc|twin)(, | and )//g; s/(, | and )(grfc|twin)\b//g; s/\bdoes not\b/do not/g; s/\btwin\b/grfc/g; }' "$copy/work/$client" >"$copy/work/$client.same"
done
awk '/^## / { title = $0 } FNR == NR { block[title] = block[title] $0 "\n"; next }
    { other[title] = other[title] $0 "\n" }
    END { for (t in block) if (block[t] != other[t]) {
        n = split(block[t], a, "\n"); split(other[t], b, "\n")
        for (i = 1; i <= n && a[i] == b[i]; i++);
        print substr(t, 4) "\n  grfc: " substr(a[i], 1, 600) "\n  twin: " substr(b[i], 1, 600); bad = 1 }
        exit bad }' "$copy/work/grfc.same" "$copy/work/twin.same" || fail=1
[ "$runs" -gt 0 ] || say "no cases in $cases"
[ $fail -eq 0 ] && rm -rf "$copy/work" && echo "  TWIN	$steps steps of the recipe, $runs cases ok"
exit $fail

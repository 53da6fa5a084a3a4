#!/bin/sh
# check_history.sh PROGRAM UNPACK [CLIENT...] - what xdscope says of each release of each client is
# what that release did, testdata/releases, for all rule cases; no client is run. Where they
# differ is in testdata/releases/open.tsv, with the reason: a difference that is not there, and
# a row without a difference or reason, is an error. UPDATE=1 rewrites the rows and keeps their
# reasons.
set -u
export LC_ALL=C
program=$(realpath "$1") unpack=$(realpath "$2")
shift 2
cd "$(dirname "$0")/../../.." || exit
clients=${*:-core go java node}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cat >"$work/one.sh" <<'END'
# PROGRAM UNPACK ROOT WORK CASE...: the arguments of a case, but for those that choose clients,
# findings or a format.
program=$1 unpack=$2 root=$3 work=$4
shift 4
for case in "$@"; do
    dir=$work/in/$case
    mkdir -p "$dir" && "$unpack" "$root/testdata/rules/$case.case" "$dir" >/dev/null 2>&1
    eval "set -- $(sed -n '/^-- args --$/{n;p;q;}' "$root/testdata/rules/$case.case")"
    shift
    i=$#
    while [ "$i" -gt 0 ]; do
        case $1 in
        --client | -f | --format | --role | --select | --ignore | --fail-on) shift 2; i=$((i - 2)) ;;
        --client=* | --format=* | --role=*) shift; i=$((i - 1)) ;;
        *) set -- "$@" "$1"; shift; i=$((i - 1)) ;;
        esac
    done
    # A client always has a bootstrap, be it one that defines nothing.
    case " $* " in
    *" --bootstrap"*) ;;
    *) set -- --bootstrap "$work/bootstrap.json" "$@" ;;
    esac
    (cd "$dir" && "$program" lint --client all@1.0+ --role all -f json --exit-zero -j1 "$@" 2>/dev/null) |
        sed -n -e '/^{"type":"grpc.Bootstrap"/d' -e "s|^{\"type\":.*\"clients\":{\([^}]*\)}.*|$case \1|p"
    rm -rf "$dir"
done
END
for client in $clients; do grep -v '^#' "testdata/releases/$client.tsv" | cut -f 1; done | sort -u >"$work/cases"
echo '{"node": {"id": "n", "locality": {}}, "xds_servers": [{"server_uri": "xds.example.com", "channel_creds": [{"type": "insecure"}]}]}' >"$work/bootstrap.json"
# Each process writes a file of its own.
split -n "r/$(nproc)" "$work/cases" "$work/part."
for part in "$work"/part.*; do
    sh "$work/one.sh" "$program" "$unpack" "$PWD" "$work" $(cat "$part") >"$part.out" &
done
wait
cat "$work"/part.*.out >"$work/said"
[ -s "$work/said" ] || { echo "check_history.sh: no verdicts"; exit 1; }
: >"$work/open"
for client in $clients; do
    awk -v client="$client" '
        function minor(release, part) { split(release, part, "."); return part[1] * 10000 + part[2] }
        FNR == NR { # CASE "go@1.60.1":"ACK",... of a resource; the worst verdict counts
            n = split($2, entry, ",")
            for (i = 1; i <= n; i++)
                if (split(entry[i], word, "\"") && index(word[2], client "@") == 1) {
                    key = $1 " " substr(word[2], length(client) + 2)
                    if (rank[word[4]] >= rank[said[key]]) said[key] = word[4]
                }
            next
        }
        FNR == 1 { releases = split(substr($0, 13), release, " "); next }
        /^#/ { next }
        {
            n = split($2, run, " ")
            for (i = 1; i <= releases; i++) {
                did = ""
                for (k = 1; k < n; k += 2)
                    if (minor(release[i]) >= minor(run[k + 1])) did = run[k]
                ours = said[$1 " " release[i]]
                differs = rank[did] && rank[ours] && did != ours
                if (first != "" && (!differs || did != first_did || ours != first_ours)) put()
                if (differs && first == "") { first = release[i]; first_did = did; first_ours = ours }
                last = release[i]
            }
            if (first != "") put()
        }
        # Up to the release before this one, or the last of all.
        function put() {
            printf "%s\t%s..%s\t%s\t%s\t%s\n", client, first, last, $1, first_did, first_ours
            first = ""
        }
        BEGIN { FS = "[ \t]"; rank["ACK"] = 1; rank["NACK"] = 2; rank["CRASH"] = 3 }
    ' "$work/said" FS='\t' "testdata/releases/$client.tsv" >>"$work/open"
done
list=testdata/releases/open.tsv
clause=$(printf '%s' "$clients" | tr ' ' '|')
if [ "${UPDATE:-}" = 1 ]; then
    { grep -vE "^(#|($clause)	)" "$list"
      awk -F '\t' -v OFS='\t' '
        FNR == NR { reason[$1, $3] = $6; next }
        ($1, $3) in reason { print $0, reason[$1, $3]; next }
        $4 == "ACK" && $5 == "CRASH" { print $0, used; next }
        { print $0, "not explained yet" }' \
        used="it is accepted, and kills the client that uses it; the runs ask for the verdict on the resource alone" \
        "$list" "$work/open"
    } | sort >"$work/new"
    { grep '^#' "$list"; cat "$work/new"; } >"$work/list" && cp "$work/list" "$list"
fi
grep -E "^($clause)	" "$list" | cut -f 1-5 | sort >"$work/listed"
sort "$work/open" >"$work/found"
fail=0
comm -23 "$work/found" "$work/listed" | sed 's/^/differs, and is not in open.tsv: /' | grep . && fail=1
comm -13 "$work/found" "$work/listed" | sed 's/^/in open.tsv, and does not differ: /' | grep . && fail=1
grep -v '^#' "$list" | awk -F '\t' 'NF != 6 || $6 == "" || $6 ~ /^not explained/' | sed 's/^/open.tsv, no reason: /' | grep . && fail=1
[ $fail -eq 0 ] && echo "  HISTORY	$(wc -l <"$work/cases") cases, $(wc -l <"$work/open") open"
exit $fail

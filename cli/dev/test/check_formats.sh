#!/bin/sh
# check_formats.sh XDSCOPE - the formats that other programs parse: SARIF against what the
# standard and GitHub require, JUnit and Checkstyle against their schemas, on hostile names
# and on every snapshot under testdata/.
set -eu
xdscope=$1
formats=testdata/formats
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail=0
say() { printf 'formats: %s\n' "$*"; fail=1; }

lint() { # FORMAT FILE PATH...; findings are expected
    format=$1 out=$2
    shift 2
    "$xdscope" lint --client all -f "$format" -o "$out" "$@" 2>"$tmp/err" || [ $? -eq 1 ] ||
        say "lint -f $format $*: $(cat "$tmp/err")"
}

check_sarif() { # FILE
    python3 - "$formats/sarif.schema.json" "$1" <<'PY' || say "$1: not the SARIF that is promised"
import json, sys, jsonschema
schema, log = (json.load(open(name, encoding="utf-8")) for name in sys.argv[1:])
jsonschema.validate(log, schema, format_checker=jsonschema.FormatChecker())
run = log["runs"][0]
rules = run["tool"]["driver"]["rules"]
prints = [r["partialFingerprints"]["primaryLocationLineHash"] for r in run["results"]]
assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in run["results"]), "ruleIndex"
assert len(prints) == len(set(prints)), "a fingerprint stands for two results"
for rule in rules:
    assert rule["help"]["markdown"].strip(), rule["id"] + " has no markdown"
    url = rule.get("helpUri", "")
    assert ("gRFC" in rule["help"]["text"].rpartition(" Source: ")[2]) == url.startswith("https://github.com/grpc/proposal"), rule["id"]
    assert url in rule["help"]["markdown"], rule["id"]
    properties = rule["properties"]
    assert ("security-severity" in properties) == ("crash" in properties["tags"]), rule["id"]
PY
}

for path in "$formats/in" testdata/snapshots; do
    lint sarif "$tmp/out.sarif" "$path"
    check_sarif "$tmp/out.sarif"
    lint junit "$tmp/out.xml" "$path"
    xmllint --noout --schema "$formats/junit.xsd" "$tmp/out.xml" 2>"$tmp/err" || say "junit: $(cat "$tmp/err")"
    lint checkstyle "$tmp/out.xml" "$path"
    xmllint --noout --schema "$formats/checkstyle.xsd" "$tmp/out.xml" 2>"$tmp/err" || say "checkstyle: $(cat "$tmp/err")"
done

"$xdscope" test --coverage -f junit -o "$tmp/out.xml" testdata/snapshots/shop.tests.yaml
xmllint --noout --schema "$formats/junit.xsd" "$tmp/out.xml" 2>"$tmp/err" || say "junit of test: $(cat "$tmp/err")"

# The results themselves, without the table of rules, are compared whole.
lint sarif "$tmp/out.sarif" "$formats/in"
python3 -c '
import json, sys
log = json.load(sys.stdin)
driver = log["runs"][0]["tool"]["driver"]
driver["rules"] = len(driver["rules"]) > 300
driver["semanticVersion"] = "X.Y.Z"
for result in log["runs"][0]["results"]:
    result["ruleIndex"] = "checked"
print(json.dumps(log, indent=1, ensure_ascii=False))' <"$tmp/out.sarif" >"$tmp/results.json"
[ "${UPDATE:-}" = 1 ] && cp "$tmp/results.json" "$formats/results.json"
diff -u "$formats/results.json" "$tmp/results.json" || say "results differ from $formats/results.json"

# A rule that is harmless to the newest releases has a security severity where one that was asked dies.
printf '%s\n' 'cluster_name: a' 'endpoints:' '- {priority: 2147483648, locality: {}, load_balancing_weight: 1}' \
    >"$tmp/killing.yaml"
for row in core@1.84:True core@1.85:False; do
    "$xdscope" lint --no-config --client "${row%:*}" --type endpoint -f sarif -o "$tmp/out2.sarif" "$tmp/killing.yaml" ||
        [ $? -eq 1 ] || say "lint of $row"
    check_sarif "$tmp/out2.sarif"
    python3 -c '
import json, sys
rules = json.load(sys.stdin)["runs"][0]["tool"]["driver"]["rules"]
print(*("security-severity" in r["properties"] for r in rules if r["id"] == "priority-negative"))
' <"$tmp/out2.sarif" | grep -qx "${row#*:}" || say "sarif: no security severity by release: $row"
done

# What goes beside a line that moved is the same finding.
mkdir "$tmp/moved"
for file in "$formats"/in/*; do { printf '# moved\n\n' && cat "$file"; } >"$tmp/moved/${file##*/}"; done
lint sarif "$tmp/moved.sarif" "$tmp/moved"
prints() { grep -o '"primaryLocationLineHash":"[^"]*"' "$1" | sort; }
[ "$(prints "$tmp/out.sarif")" = "$(prints "$tmp/moved.sarif")" ] || say "fingerprints depend on lines"

[ $fail -eq 0 ] && echo "  FORMATS	ok"
exit $fail

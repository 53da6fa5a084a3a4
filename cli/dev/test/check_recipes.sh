#!/bin/sh
# check_recipes.sh [PAGE] - CONTRIBUTING.md is true of this tree: every file that it names in
# `backquotes` exists, <parts> to fill in stand for any text; all seven recipes are there; the
# rooms are in an order in which each includes only those above it; and an LB policy is
# named in few files. Exit 1 when not.
set -u
page=${1:-CONTRIBUTING.md}
fail=0
say() { printf '%s\n' "$page: $*"; fail=1; }

# Without the blocks between fences: the picture, commands, and what check-twin executes.
text=$(awk '/^```/ { inside = !inside; next } !inside' "$page")
# A path has a slash, and no blank as a command has.
# shellcheck disable=SC2016 # backquotes
paths=$(printf '%s\n' "$text" | grep -oE '`[^` ]+`' | tr -d '`' |
    grep -E '^([A-Za-z0-9_.<>-]+/)+[A-Za-z0-9_.<>-]*$' | grep -v '^build/' | sort -u)
for path in $paths; do
    # shellcheck disable=SC2046 # the star is meant
    set -- $(printf '%s' "$path" | sed 's/<[^>]*>/*/g')
    [ -e "$1" ] || say "$path does not exist"
done
n=$(printf '%s\n' "$paths" | wc -l)
[ "$n" -ge 50 ] || say "names $n files: are they still in backquotes?"

for recipe in 'a NACK rule' 'a client' 'a release' 'a new release' 'a new gRFC' 'an output format' 'an LB policy'; do
    printf '%s\n' "$text" | grep -q "^##* Recipe: $recipe" || say "has no recipe for $recipe"
done

# Who names an LB policy beside the files of it, its rules and the list of all.
kinds=$(sed -n 's/^XDS_LB_KIND(\([A-Z_]*\),.*/\1/p' libvalidate/model/lb_policies.def)
for kind in $kinds; do
    users=$(grep -rlw "XDS_LB_$kind" libvalidate cli --include='*.[ch]' |
        grep -cv '_test\.c$\|/lb/policy/\|/rules/lb_policy')
    [ "$users" -le 3 ] || say "$users files name XDS_LB_$kind: let them ask xds_lb_traits()"
done

# The rooms of the picture, from the top, and what each may use. The .def files of rules are
# what catalogue has of the rooms below it.
allowed() { sed -n "s/^$1: *\([^#]*\).*/\1/p" libvalidate/rooms.txt; }
rooms=$(awk '/^```/ { n++ } n == 1' "$page" | grep -oE '^.{14}[a-z]+ {2,}' | cut -c15- | tr -d ' ')
above=
for room in $rooms; do
    for seen in $(allowed "$room"); do
        case "$room:$seen: $above " in
        catalogue:* | *:cli:* | *:xdscope:* | *" $seen "*) ;;
        *) say "$room may include $seen, which is not above it in the picture" ;;
        esac
    done
    above="$above $room"
done
for room in libvalidate/*/; do
    case " $above " in
    *" $(basename "$room") "*) ;;
    *) say "the picture has no room $(basename "$room")" ;;
    esac
done
[ $fail -eq 0 ] && echo "  RECIPES	$n files, $(printf '%s\n' "$rooms" | wc -l) rooms ok"
exit $fail

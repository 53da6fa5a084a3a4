# unicode.awk - unicode.txt, which says what its lines are, as tables of C.

/^#/ || NF == 0 { next }
{
    rest = $0
    sub(/^[^ ]+ [^ ]+ ?/, "", rest)
    rest = rest == "=" ? "NULL" : "\"" rest "\""
}
$1 == "category" { categories = categories "    {\"" $2 "\", " rest ", UNICODE_ALL},\n" }
$1 == "script" { scripts = scripts "    {\"" $2 "\", " rest ", UNICODE_ALL},\n" }
$1 == "new-script" { scripts = scripts "    {\"" $2 "\", " rest ", UNICODE_NOT_RE2J},\n" }
$1 == "go-script" { scripts = scripts "    {\"" $2 "\", " rest ", UNICODE_GO},\n" }
$1 == "alias" { aliases = aliases "    {\"" $2 "\", " rest "},\n" }
$1 == "fold" {
    n = split($2, range, "-")
    folds = folds "    {0x" range[1] ", 0x" range[n] ", " ($3 == "pairs" ? "FOLD_PAIRS" : $3) "},\n"
}
END {
    printf "static const struct unicode_group categories[] = {\n%s};\n", categories
    printf "static const struct unicode_group scripts[] = {\n%s};\n", scripts
    printf "static const struct unicode_alias aliases[] = {\n%s};\n", aliases
    printf "static const struct unicode_fold folds[] = {\n%s};\n", folds
}

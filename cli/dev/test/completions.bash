# completions.bash LINES - what bash offers at the end of "xdscope LINE", for each line of a
# file. Bash would cut a line into words as words_of() does.
# shellcheck disable=SC1090 # it is made when it is read
source <(xdscope completion bash)

# Files are left to bash: these are those that it would find.
compopt() {
    [[ $* == *default* ]] && offered=$(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
}

words_of() {
    local spaced=${1//=/ = }
    spaced=${spaced//:/ : }
    read -ra COMP_WORDS <<<"xdscope $spaced"
    [[ $1 == '' || $1 == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
}

while IFS= read -r line; do
    offered=''
    words_of "$line"
    _xdscope
    printf '> %s\n' "$line"
    # Bash puts what it is given behind the last = or : of the word.
    last=${line##* }
    known=${last%"${last##*[=:]}"}
    ((${#COMPREPLY[@]})) && offered=$(printf '%s\n' "${COMPREPLY[@]/#/$known}")
    [[ $offered ]] && LC_ALL=C sort -u <<<"$offered"
done <"$1"

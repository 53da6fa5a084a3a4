# completions.zsh LINES FOLDER - what zsh offers at the end of "xdscope LINE", for each line
# of a file. An interactive zsh runs behind a pseudo terminal; a widget there writes what
# reaches compadd into FOLDER/hits.
zmodload zsh/zpty
lines=$1 folder=$2
xdscope completion zsh >$folder/_xdscope

cat >$folder/rc.zsh <<RC
fpath=($folder \$fpath)
autoload -Uz compinit && compinit -u -d $folder/dump
compadd() {
    if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
        builtin compadd "\$@"
        return
    fi
    local -a hits
    local suffix=
    builtin compadd -A hits "\$@"
    [[ "\$@" == *-qS=\ * ]] && suffix==
    ((\$#hits)) && print -rl -- \$IPREFIX\${^hits}\$suffix >>$folder/hits
    builtin compadd "\$@"
}
ask() { _main_complete; print END >>$folder/hits; compstate[insert]= ; compstate[list]= }
zle -C ask complete-word ask
bindkey '^T' ask
print READY >>$folder/hits
RC

await() {
    local -i tries=0
    until grep -qs $1 $folder/hits; do
        ((tries++ < 1000)) || { print -u2 "zsh does not answer: $2"; exit 1; }
        zpty -r -t inner nothing
        sleep 0.01
    done
}

rm -f $folder/hits
zpty inner zsh -f -i
zpty -w inner "source $folder/rc.zsh"
await READY 'its start'
while IFS= read -r line; do
    : >$folder/hits
    zpty -w -n inner $'\C-u'"xdscope $line"$'\C-t'
    await END $line
    print -r -- "> $line"
    sed '/^END$/d; s|/$||; s|^\(--[a-z-]*\)=$|\1|' $folder/hits | LC_ALL=C sort -u
done <$lines
zpty -d inner

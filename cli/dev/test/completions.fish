# completions.fish LINES - what fish offers at the end of "xdscope LINE", for each line of a file.
xdscope completion fish | source
while read -l line
    echo "> $line"
    complete -C "xdscope $line" | string replace -r '\t.*' '' | string replace -r '/$' '' | LC_ALL=C sort -u
end <$argv[1]

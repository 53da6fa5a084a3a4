A message that is larger than any text is read past, without room for it; the end of the input ends the server.
-- steps --
initialize
together
raw "content-length: 150000000\r\n\r\n"
repeat xxxxxxxxxx 15000000
end
request no/such
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> together
> raw "content-length: 150000000\r\n\r\n"
> repeat xxxxxxxxxx 15000000
> end
error -32700: the message is larger than 128 MiB; it is skipped (id None)
> request no/such
error -32601: unknown method "no/such" (id 2)
stderr: xdscope: lsp: the input ended without "exit"
exit 3

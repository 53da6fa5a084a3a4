Whatever comes is answered with what is wrong with it, and the next message is read.
-- a.routes.yaml --
name: r
virtual_hosts: [{domains: []}]
-- steps --
request textDocument/hover {}
notify textDocument/didOpen {}
initialize
initialize
raw "Content-Length: x\r\n\r\n"
raw "Content-Length: -1\r\n\r\n"
raw "Content-Length: 99999999999999999999\r\n\r\n"
raw "Content-Length: 2\r\nContent-Length: 3\r\n\r\n"
raw "no header\r\n\r\n"
raw "Content-Type: x\r\n\r\n"
together
repeat x 10000
raw "\r\n\r\n"
end
body "{"
body ""
body "{\"a\": \xff}"
body "[]"
body "[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"shutdown\"}]"
body "7"
body "{}"
body "{\"id\": [1], \"method\": \"shutdown\"}"
body "{\"id\": 1, \"method\": \"no/such\"}"
body "{\"id\": 1, \"method\": 5}"
body "{\"method\": \"$/progress\"}"
body "{\"method\": \"textDocument/didOpen\", \"params\": {\"textDocument\": {\"uri\": \"a\", \"text\": \"\\\\u0000\"}}}"
body "{\"method\": \"textDocument/didChange\", \"params\": []}"
open a.routes.yaml
notify textDocument/didChange {"textDocument": {"uri": "file:///none"}, "contentChanges": []}
change a.routes.yaml 5:0-1:0 x
change a.routes.yaml 0:0-0:0 x
change a.routes.yaml all "name: r\nvirtual_hosts: []\n"
request shutdown
request initialize {}
notify exit
-- output --
> request textDocument/hover {}
error -32002: initialize comes first (id 1)
> notify textDocument/didOpen {}
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> initialize
error -32600: initialize was sent before (id 3)
> raw "Content-Length: x\r\n\r\n"
error -32700: the headers are not valid; expected Content-Length: N (id None)
> raw "Content-Length: -1\r\n\r\n"
error -32700: the headers are not valid; expected Content-Length: N (id None)
> raw "Content-Length: 99999999999999999999\r\n\r\n"
error -32700: the headers are not valid; expected Content-Length: N (id None)
> raw "Content-Length: 2\r\nContent-Length: 3\r\n\r\n"
error -32700: the headers are not valid; expected Content-Length: N (id None)
> raw "no header\r\n\r\n"
error -32700: the headers are not valid; expected Content-Length: N (id None)
> raw "Content-Type: x\r\n\r\n"
error -32700: there is no Content-Length (id None)
> together
> repeat x 10000
> raw "\r\n\r\n"
> end
error -32700: the headers are not valid; expected Content-Length: N (id None)
> body "{"
error -32700: the message is not JSON: invalid JSON: the text ends before the value is complete (id None)
> body ""
error -32700: the message is not JSON: invalid JSON: the text ends before the value is complete (id None)
> body "{\"a\": \xff}"
error -32700: the message is not JSON: invalid JSON: expected a value; a string needs double quotes (id None)
> body "[]"
error -32600: batches are not taken; send one message after the other (id None)
> body "[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"shutdown\"}]"
error -32600: batches are not taken; send one message after the other (id None)
> body "7"
error -32600: a message is an object (id None)
> body "{}"
error -32600: there is no method (id None)
> body "{\"id\": [1], \"method\": \"shutdown\"}"
error -32600: an id is a number or a string (id None)
> body "{\"id\": 1, \"method\": \"no/such\"}"
error -32601: unknown method "no/such" (id 1)
> body "{\"id\": 1, \"method\": 5}"
> body "{\"method\": \"$/progress\"}"
> body "{\"method\": \"textDocument/didOpen\", \"params\": {\"textDocument\": {\"uri\": \"a\", \"text\": \"\\\\u0000\"}}}"
error -32700: U+0000 cannot be read; the message is skipped (id None)
> body "{\"method\": \"textDocument/didChange\", \"params\": []}"
window/logMessage 2: textDocument/didChange: there is no uri
> open a.routes.yaml
diagnostics of a.routes.yaml version 1: 1
  1:17-1:24 error [virtual-host-domains-empty]
    domains of virtual host "" is empty; it must have at least one domain
    NACK by core; accepted by go, java, node
> notify textDocument/didChange {"textDocument": {"uri": "file:///none"}, "contentChanges": []}
window/logMessage 2: textDocument/didChange: the document is not open
> change a.routes.yaml 5:0-1:0 x
window/showMessage 1: file://FOLDER/a.routes.yaml: a change cannot be read; close it and open it again
diagnostics of a.routes.yaml version 2: 0
> change a.routes.yaml 0:0-0:0 x
> change a.routes.yaml all "name: r\nvirtual_hosts: []\n"
diagnostics of a.routes.yaml version 4: 0
> request shutdown
result null
> request initialize {}
error -32600: the server was shut down (id 5)
> notify exit

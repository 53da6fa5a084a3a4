What comes at once is read before it is done: of several changes only the last text is judged, and a request that is
cancelled before its turn is not answered in full. A cancel that comes too late says nothing.
-- a.routes.yaml --
name: r
virtual_hosts:
- name: v
  domains: []
-- steps --
initialize
together
open a.routes.yaml
change a.routes.yaml 0:6-0:7 r2
change a.routes.yaml 3:11-3:13 '["*"]'
body '{"jsonrpc":"2.0","id":"h","method":"textDocument/hover","params":{}}'
body '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"h"}}'
body '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"none"}}'
end
request shutdown
request textDocument/hover {}
notify exit
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> together
> open a.routes.yaml
> change a.routes.yaml 0:6-0:7 r2
> change a.routes.yaml 3:11-3:13 '["*"]'
> body '{"jsonrpc":"2.0","id":"h","method":"textDocument/hover","params":{}}'
> body '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"h"}}'
> body '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"none"}}'
> end
error -32800: the request was cancelled (id h)
diagnostics of a.routes.yaml version 3: 0
> request shutdown
result null
> request textDocument/hover {}
error -32600: the server was shut down (id 3)
> notify exit

Texts are kept as the client has them: edits count in units of UTF-16, lines end in three ways, and several edits of one
notification are made one after the other.
-- a.routes.yaml --
name: r
virtual_hosts:
- name: "🦊é"
  domains: []
-- steps --
initialize
open a.routes.yaml
# behind the fox, two units, and the accent, one
change a.routes.yaml 2:10-2:10 x 3:12-3:12 a
change a.routes.yaml 3:11-3:12 ''
change a.routes.yaml all "name: r\r\nvirtual_hosts:\r- domains: []\n"
change a.routes.yaml 99:0-99:0 "  name: v\n"
change a.routes.yaml 0:6-0:999 r2
close a.routes.yaml
change a.routes.yaml 0:0-0:0 x
request shutdown
notify exit
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open a.routes.yaml
diagnostics of a.routes.yaml version 1: 1
  3:2-3:9 error [virtual-host-domains-empty]
    domains of virtual host "🦊é" is empty; it must have at least one domain
    NACK by core; accepted by go, java, node
> change a.routes.yaml 2:10-2:10 x 3:12-3:12 a
diagnostics of a.routes.yaml version 2: 0
> change a.routes.yaml 3:11-3:12 ''
diagnostics of a.routes.yaml version 3: 1
  3:11-3:13 error [wrong-type]
    "domains" needs a list, not a string
> change a.routes.yaml all "name: r\r\nvirtual_hosts:\r- domains: []\n"
diagnostics of a.routes.yaml version 4: 1
  2:2-2:9 error [virtual-host-domains-empty]
    domains of virtual host "" is empty; it must have at least one domain
    NACK by core; accepted by go, java, node
> change a.routes.yaml 99:0-99:0 "  name: v\n"
diagnostics of a.routes.yaml version 5: 1
  2:2-2:9 error [virtual-host-domains-empty]
    domains of virtual host "v" is empty; it must have at least one domain
    NACK by core; accepted by go, java, node
> change a.routes.yaml 0:6-0:999 r2
diagnostics of a.routes.yaml version 6: 1
  2:2-2:9 error [virtual-host-domains-empty]
    domains of virtual host "v" is empty; it must have at least one domain
    NACK by core; accepted by go, java, node
> close a.routes.yaml
diagnostics of a.routes.yaml: 0
> change a.routes.yaml 0:0-0:0 x
window/logMessage 2: textDocument/didChange: the document is not open
> request shutdown
result null
> notify exit

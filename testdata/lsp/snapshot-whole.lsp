The snapshot may be the whole workspace. A path that is not there is an error of the settings, shown once.
-- xdscope.conf --
snapshot: .
client: go
select: [cluster-missing, duplicate-resource]
-- b.routes.yaml --
name: r
virtual_hosts:
- name: v
  domains: ["*"]
  routes: [{match: {prefix: ""}, route: {cluster: c}}]
-- more/b.routes.yaml --
name: r
virtual_hosts: []
-- more/c.clusters.yaml --
name: c
type: EDS
eds_cluster_config: {eds_config: {ads: {}}}
-- steps --
initialize {"textDocument/publishDiagnostics": {"relatedInformation": true}}
open b.routes.yaml
open more/b.routes.yaml
change more/b.routes.yaml 0:6-0:7 q
write xdscope.conf 'snapshot: [more, none]\n'
save b.routes.yaml
change b.routes.yaml 0:6-0:7 r2
write xdscope.conf 'snapshot: more\nselect: cluster-missing\n'
save b.routes.yaml
request shutdown
notify exit
-- output --
> initialize {"textDocument/publishDiagnostics": {"relatedInformation": true}}
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open b.routes.yaml
diagnostics of b.routes.yaml version 1: 0
> open more/b.routes.yaml
diagnostics of more/b.routes.yaml version 1: 1
  0:0-0:0 warning [duplicate-resource]
    "r" is already defined; clients use the last valid one of a response
    b.routes.yaml 0:0-0:0: the first definition
diagnostics of b.routes.yaml version 1: 0
> change more/b.routes.yaml 0:6-0:7 q
diagnostics of more/b.routes.yaml version 2: 0
diagnostics of b.routes.yaml version 1: 0
> write xdscope.conf 'snapshot: [more, none]\n'
> save b.routes.yaml
window/showMessage 1: xdscope: lsp: snapshot: none: No such file or directory
diagnostics of more/b.routes.yaml version 2: 0
diagnostics of b.routes.yaml version 1: 0
> change b.routes.yaml 0:6-0:7 r2
diagnostics of b.routes.yaml version 2: 0
> write xdscope.conf 'snapshot: more\nselect: cluster-missing\n'
> save b.routes.yaml
diagnostics of more/b.routes.yaml version 2: 0
diagnostics of b.routes.yaml version 2: 0
> request shutdown
result null
> notify exit

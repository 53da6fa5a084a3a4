In a workspace of very many resources a part is searched, and the client is told; what comes first is found.
-- shop.routes.yaml --
name: r
virtual_hosts:
- name: v
  domains: ["*"]
  routes:
  - {match: {prefix: /a}, route: {cluster: a}}
  - {match: {prefix: /z}, route: {cluster: z}}
-- a.clusters.yaml --
name: a
-- z.clusters.yaml --
name: z
-- steps --
initialize
open shop.routes.yaml
definition shop.routes.yaml 6:43
write many.clusters.yaml "name: m\n---\n" 100000
definition shop.routes.yaml 5:43
definition shop.routes.yaml 6:43
request shutdown
notify exit
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open shop.routes.yaml
diagnostics of shop.routes.yaml version 1: 0
> definition shop.routes.yaml 6:43
places: z.clusters.yaml 0:0-0:0
> write many.clusters.yaml "name: m\n---\n" 100000
> definition shop.routes.yaml 5:43
window/logMessage 2: textDocument/definition: the workspace has more than 100,000 resources; only those were searched
places: a.clusters.yaml 0:0-0:0
> definition shop.routes.yaml 6:43
window/logMessage 2: textDocument/definition: the workspace has more than 100,000 resources; only those were searched
places: none
> request shutdown
result null
> notify exit

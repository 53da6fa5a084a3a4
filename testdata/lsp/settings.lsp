The xdscope.conf of the workspace says what is reported; what is wrong in it is said once.
-- a.routes.yaml --
name: r
virtual_hosts:
- name: v
  domains: ["*"]
  routes:
  - match: {prefix: "", query_parameters: [{name: a}]}
    route: {cluster: a}
-- xdscope.conf --
client: node
level: {route-query-parameters: error}
format: json
-- steps --
initialize
open a.routes.yaml
write xdscope.conf "clinet: node\n"
save xdscope.conf
change a.routes.yaml 0:0-0:0 "# a\n"
write xdscope.conf "ignore: [route-query-parameters]\n"
notify workspace/didChangeWatchedFiles {"changes": []}
request shutdown
notify exit
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open a.routes.yaml
diagnostics of a.routes.yaml version 1: 1
  5:24-5:40 error [route-query-parameters]
    query_parameters are not supported: the route is not used
    skipped by core, go, java; ignored by node
> write xdscope.conf "clinet: node\n"
> save xdscope.conf
window/showMessage 1: xdscope: lsp: xdscope.conf:1:1: unknown setting 'clinet'; did you mean 'client'?
diagnostics of a.routes.yaml version 1: 0
> change a.routes.yaml 0:0-0:0 "# a\n"
diagnostics of a.routes.yaml version 2: 0
> write xdscope.conf "ignore: [route-query-parameters]\n"
> notify workspace/didChangeWatchedFiles {"changes": []}
diagnostics of a.routes.yaml version 2: 0
> request shutdown
result null
> notify exit

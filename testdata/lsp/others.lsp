Editors send all YAML that is opened: what has nothing to do with xDS gets no findings, what cannot be read as YAML does.
-- deployment.yaml --
kind: Deployment
apiVersion: apps/v1
-- compose.yaml --
services: {web: {image: x}}
-- broken.yaml --
a: [
-- steps --
initialize
open deployment.yaml
open compose.yaml
hover compose.yaml 0:1
actions compose.yaml 0:1
open broken.yaml
request textDocument/didOpen
notify textDocument/didOpen {"textDocument": {"uri": "untitled:1", "languageId": "yaml", "version": 0, "text": "- '@type': type.googleapis.com/envoy.config.route.v3.RouteConfiguration\n  name: r\n  virtual_hosts: [{domains: []}]\n"}}
request shutdown
notify exit
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open deployment.yaml
diagnostics of deployment.yaml version 1: 0
> open compose.yaml
diagnostics of compose.yaml version 1: 0
> hover compose.yaml 0:1
result null
> actions compose.yaml 0:1
places: none
> open broken.yaml
diagnostics of broken.yaml version 1: 1
  1:0-1:0 error [yaml-syntax]
    invalid YAML: did not find expected node content while parsing a flow node
> request textDocument/didOpen
error -32601: unknown method "textDocument/didOpen" (id 4)
> notify textDocument/didOpen {"textDocument": {"uri": "untitled:1", "languageId": "yaml", "version": 0, "text": "- '@type': type.googleapis.com/envoy.config.route.v3.RouteConfiguration\n  name: r\n  virtual_hosts: [{domains: []}]\n"}}
diagnostics of untitled:1 version 0: 1
  2:19-2:26 error [virtual-host-domains-empty]
    domains of virtual host "" is empty; it must have at least one domain
    NACK by core; accepted by go, java, node
> request shutdown
result null
> notify exit

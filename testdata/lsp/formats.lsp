The same fault in YAML, JSON and text proto: the range is that of the field, counted as the client counts.
-- a.routes.yaml --
{name: "🦊", virtual_hosts: [{domains: []}]}
-- a.routes.json --
{"name": "🦊", "virtual_hosts": [{"domains": []}, {"domains": ["é"], "routes": [{"match": {"prefix": "/"}, "route": {"cluster": ""}}]}]}
-- a.routes.textproto --
name: "🦊" virtual_hosts { name: "v" }
-- crlf.routes.yaml --
name: r
virtual_hosts:
- domains: [a, a]
-- steps --
initialize
open a.routes.yaml
open a.routes.json json
open a.routes.textproto textproto
change a.routes.yaml all "name: r\r\nvirtual_hosts:\r\n- domains: []\r\n"
request shutdown
notify exit
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open a.routes.yaml
diagnostics of a.routes.yaml version 1: 1
  0:30-0:37 error [virtual-host-domains-empty]
    domains of virtual host "" is empty; it must have at least one domain
    NACK by core; accepted by go, java, node
> open a.routes.json json
diagnostics of a.routes.json version 1: 2
  0:34-0:43 error [virtual-host-domains-empty]
    domains of virtual host "" is empty; it must have at least one domain
    NACK by core; accepted by go, java, node
  0:117-0:126 error [route-cluster-empty]
    cluster is empty; the route must name its cluster
    NACK by core; accepted by go, java, node
> open a.routes.textproto textproto
diagnostics of a.routes.textproto version 1: 1
  0:11-0:24 error [virtual-host-domains-empty]
    domains of virtual host "v" is empty; it must have at least one domain
    NACK by core; accepted by go, java, node
> change a.routes.yaml all "name: r\r\nvirtual_hosts:\r\n- domains: []\r\n"
diagnostics of a.routes.yaml version 2: 1
  2:2-2:9 error [virtual-host-domains-empty]
    domains of virtual host "" is empty; it must have at least one domain
    NACK by core; accepted by go, java, node
> request shutdown
result null
> notify exit

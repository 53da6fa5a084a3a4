A client that would rather count bytes is answered in bytes.
-- a.routes.yaml --
{name: "🦊", virtual_hosts: [{domains: []}]}
-- steps --
initialize {"general/positionEncodings": ["utf-8", "utf-16"]}
open a.routes.yaml
hover a.routes.yaml 0:36
request shutdown
notify exit
-- output --
> initialize {"general/positionEncodings": ["utf-8", "utf-16"]}
result {"capabilities": {"positionEncoding": "utf-8", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open a.routes.yaml
diagnostics of a.routes.yaml version 1: 1
  0:32-0:39 error [virtual-host-domains-empty]
    domains of virtual host "" is empty; it must have at least one domain
    NACK by core; accepted by go, java, node
> hover a.routes.yaml 0:36
hover of 0:32-0:39
  | **error**: domains of virtual host "" is empty; it must have at least one domain
  |
  | ### virtual-host-domains-empty
  |
  | A virtual host must have at least one domain. To go, java and node it is one that never matches.
  |
  | *NACK by grfc, core; accepted by go, java, node*
  |
  | **Fix:** Give the virtual host a domain, such as "\*".
  |
  | Source: spec V1, 12.3
  |
  | - V1: `virtual_hosts[i].domains`, the list is empty
  |   - core: NACK
  |   - go, java, node: accepted; the virtual host never matches
  | - listener 12.3: Recommended verdict where implementations disagree
  |
  | Bad:
  |
  | ````yaml
  | name: r
  | virtual_hosts:
  | - domains: []
  | ````
  |
  | Good:
  |
  | ````yaml
  | name: r
  | virtual_hosts:
  | - domains: ["a.example.com"]
  |   routes:
  |   - match: {prefix: ""}
  |     route: {cluster: a}
  | ````
  |
  | ---
  |
  | `VirtualHost.domains: repeated string` of `envoy.config.route.v3.VirtualHost`
  |
  | read by grfc, core, go, java, node
> request shutdown
result null
> notify exit

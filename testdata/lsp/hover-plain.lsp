A client without Markdown gets text; without other abilities it gets neither pages nor tags nor related places.
-- a.routes.yaml --
name: r
virtual_hosts:
- name: v
  domains: []
-- steps --
initialize {"textDocument": {}, "workspace": {}}
open a.routes.yaml
hover a.routes.yaml 3:4
actions a.routes.yaml 3:4
request shutdown
notify exit
-- output --
> initialize {"textDocument": {}, "workspace": {}}
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open a.routes.yaml
diagnostics of a.routes.yaml version 1: 1
  3:2-3:9 error [virtual-host-domains-empty]
    domains of virtual host "v" is empty; it must have at least one domain
    NACK by core; accepted by go, java, node
> hover a.routes.yaml 3:4
hover of 3:2-3:9
  | domains of virtual host "v" is empty; it must have at least one domain
  | virtual-host-domains-empty (VH_DOMAINS_EMPTY)
  |     A virtual host must have at least one domain. To go, java and node it is one that never matches.
  |     NACK by grfc, core; accepted by go, java, node
  |     a client that rejects it keeps the previous version; without one, what needs the resource fails
  |     in logs of core: domains: must be non-empty
  |     source: spec V1, 12.3
  |     spec V1: virtual_hosts[i].domains: the list is empty
  |         core: NACK
  |         go, java, node: accepted; the virtual host never matches
  |     spec listener 12.3: Recommended verdict where implementations disagree
  |     fix: Give the virtual host a domain, such as "*".
  |     bad example, testdata/rules/virtual-host-domains-empty/for-go.case:
  |         name: r
  |         virtual_hosts:
  |         - domains: []
  |     good example, testdata/rules/virtual-host-domains-empty/one-domain.case:
  |         name: r
  |         virtual_hosts:
  |         - domains: ["a.example.com"]
  |           routes:
  |           - match: {prefix: ""}
  |             route: {cluster: a}
  |
  | VirtualHost.domains: repeated string of envoy.config.route.v3.VirtualHost
  |
  | read by grfc, core, go, java, node
> actions a.routes.yaml 3:4
places: none
> request shutdown
result null
> notify exit

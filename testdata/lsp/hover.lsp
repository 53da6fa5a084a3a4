On a finding: its rule and the rows of the spec that it cites. On a field: who reads it. On what is neither: nothing.
-- a.routes.yaml --
name: r
virtual_hosts:
- name: v
  domains: ["*"]
  routes:
  - match: {prefix: "", query_parameters: [{name: a}]}
    route: {cluster: a, timeout: 5s, prefix_rewrite: /}
-- steps --
initialize
open a.routes.yaml
hover a.routes.yaml 5:25
hover a.routes.yaml 3:4
hover a.routes.yaml 6:13
hover a.routes.yaml 6:38
hover a.routes.yaml 4:0
hover a.routes.yaml 99:0
request textDocument/hover {"textDocument": {"uri": "file:///none"}, "position": {"line": 0, "character": 0}}
request textDocument/hover {"textDocument": {"uri": "file:///none"}}
request shutdown
notify exit
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open a.routes.yaml
diagnostics of a.routes.yaml version 1: 3
  5:24-5:40 warning [route-query-parameters]
    query_parameters are not supported: the route is not used
    skipped by core, go, java; ignored by node
  6:24-6:31 warning [route-timeout-not-read]
    timeout is not read by gRPC, and max_stream_duration is not set: an RPC has no limit but its own deadline
  6:37-6:51 information [field-not-read]
    RouteAction.prefix_rewrite is not read by gRPC: the path of the RPC is not changed
    ignored by core, go, java, node
> hover a.routes.yaml 5:25
hover of 5:24-5:40
  | **warning**: query\_parameters are not supported: the route is not used
  |
  | ### route-query-parameters
  |
  | A route that matches on query\_parameters is not used, and nothing else of it is checked. node ignores the query parameters and uses the route.
  |
  | *skipped by grfc, core, go, java; ignored by node*
  |
  | **Fix:** Match on headers instead of query\_parameters, or remove the route.
  |
  | Source: gRFC A28, spec M1
  |
  | - [gRFC A28: xDS Traffic Splitting and Routing](https://github.com/grpc/proposal/blob/master/A28-xds-traffic-splitting-and-routing.md)
  | - M1: `match.query_parameters`, not empty
  |   - core, go, java: skips the route, before anything else in the match is checked
  |   - node: the matcher is ignored and the route is used
  |
  | Bad:
  |
  | ````yaml
  | name: r
  | virtual_hosts:
  | - domains: ["*"]
  |   routes:
  |   - match: {query_parameters: [{name: q}]}
  |     route: {cluster: c}
  | ````
  |
  | Good:
  |
  | ````yaml
  | name: r
  | virtual_hosts:
  | - domains: ["*"]
  |   routes:
  |   - match: {prefix: "", query_parameters: []}
  |     route: {cluster: a}
  | ````
  |
  | ---
  |
  | `RouteMatch.query_parameters: repeated envoy.config.route.v3.QueryParameterMatcher` of `envoy.config.route.v3.RouteMatch`
  |
  | read by grfc, core, go, java, node
> hover a.routes.yaml 3:4
hover of 3:2-3:9
  | `VirtualHost.domains: repeated string` of `envoy.config.route.v3.VirtualHost`
  |
  | read by grfc, core, go, java, node
> hover a.routes.yaml 6:13
hover
  | `RouteAction.cluster: string` of `envoy.config.route.v3.RouteAction`
  |
  | read by grfc, core, go, java, node
> hover a.routes.yaml 6:38
hover
  | **note**: RouteAction.prefix\_rewrite is not read by gRPC: the path of the RPC is not changed
  |
  | ### field-not-read
  |
  | A field that gRPC does not read has no effect, and clients ignore it silently. Each is reported once, where it is set first.
  |
  | *ignored by grfc, core, go, java, node*
  |
  | **Fix:** Remove the field, or do not rely on it.
  |
  | Source: gRFC A27, A28, A29, A44
  |
  | - [gRFC A27: xDS-Based Global Load Balancing](https://github.com/grpc/proposal/blob/master/A27-xds-global-load-balancing.md)
  | - [gRFC A28: xDS Traffic Splitting and Routing](https://github.com/grpc/proposal/blob/master/A28-xds-traffic-splitting-and-routing.md)
  | - [gRFC A29: xDS-Based Security for gRPC Clients and Servers](https://github.com/grpc/proposal/blob/master/A29-xds-tls-security.md)
  | - [gRFC A44: xDS Retry Support](https://github.com/grpc/proposal/blob/master/A44-xds-retry.md)
  |
  | Bad:
  |
  | ````yaml
  | routes:
  | - name: r
  |   virtual_hosts:
  |   - name: v
  |     domains: ["*"]
  |     routes:
  |     - match: {prefix: ""}
  |       route: {cluster: a, host_rewrite_header: x-host}
  | ````
  |
  | Good:
  |
  | ````yaml
  | "@type": type.googleapis.com/envoy.config.cluster.v3.Cluster
  | name: a
  | type: EDS
  | alt_stat_name: b
  | eds_cluster_config: {eds_config: {ads: {}, resource_api_version: V3}}
  | ````
  |
  | ---
  |
  | `RouteAction.prefix_rewrite: string` of `envoy.config.route.v3.RouteAction`
  |
  | read by no gRPC client
  |
  | where it is not read: the path of the RPC is not changed
> hover a.routes.yaml 4:0
result null
> hover a.routes.yaml 99:0
result null
> request textDocument/hover {"textDocument": {"uri": "file:///none"}, "position": {"line": 0, "character": 0}}
error -32602: the document is not open (id 8)
> request textDocument/hover {"textDocument": {"uri": "file:///none"}}
error -32602: the document is not open (id 9)
> request shutdown
result null
> notify exit

What can be done about a finding, in YAML and text proto: the fix of lint --fix, and a comment above it.
-- a.routes.yaml --
name: r
virtual_hosts:
- name: v
  domains: ["*"]
  routes:
  - match: {prefix: "", query_parameters: [{name: a}]}
    route: {clustre: a}
  - match: {prefix: ""}
    route:
      cluster: a
      timeout: 5s
-- a.clusters.textproto --
name: "a"
type: EDS
lb_policy: LEAST_REQUEST
eds_cluster_config { eds_config { ads {} } }
-- steps --
initialize
open a.routes.yaml
actions a.routes.yaml 6:12-6:19
apply 1
actions a.routes.yaml 5:25
apply 1
actions a.routes.yaml 11:8 quickfix
apply 1
actions a.routes.yaml 0:0 source.fixAll
open a.clusters.textproto textproto
actions a.clusters.textproto 2:1
apply 1
request shutdown
notify exit
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open a.routes.yaml
diagnostics of a.routes.yaml version 1: 1
  6:12-6:19 error [unknown-field]
    unknown field "clustre" in envoy.config.route.v3.RouteAction; did you mean "cluster"?
> actions a.routes.yaml 6:12-6:19
action 1: Write "cluster" (quickfix, preferred)
action 2: Suppress unknown-field here (quickfix)
action 3: Fix all that is mechanical, as xdscope lint --fix (source.fixAll.xdscope)
> apply 1
a.routes.yaml is now:
  | name: r
  | virtual_hosts:
  | - name: v
  |   domains: ["*"]
  |   routes:
  |   - match: {prefix: "", query_parameters: [{name: a}]}
  |     route: {cluster: a}
  |   - match: {prefix: ""}
  |     route:
  |       cluster: a
  |       timeout: 5s
diagnostics of a.routes.yaml version 2: 3
  5:24-5:40 warning [route-query-parameters]
    query_parameters are not supported: the route is not used
    skipped by core, go, java; ignored by node
  7:4-7:9 information [route-shadowed]
    the route never matches for node: routes[0] comes before it and matches the same RPCs; both do the same, so this route can be removed
    a.routes.yaml 5:4-5:9: the route that matches its RPCs
  10:6-10:13 warning [route-timeout-not-read]
    timeout is not read by gRPC, and max_stream_duration is not set: an RPC has no limit but its own deadline
> actions a.routes.yaml 5:25
action 1: Suppress route-query-parameters here (quickfix)
> apply 1
a.routes.yaml is now:
  | name: r
  | virtual_hosts:
  | - name: v
  |   domains: ["*"]
  |   routes:
  |   # xdscope: ignore=route-query-parameters -- say why
  |   - match: {prefix: "", query_parameters: [{name: a}]}
  |     route: {cluster: a}
  |   - match: {prefix: ""}
  |     route:
  |       cluster: a
  |       timeout: 5s
diagnostics of a.routes.yaml version 3: 2
  8:4-8:9 information [route-shadowed]
    the route never matches for node: routes[0] comes before it and matches the same RPCs; both do the same, so this route can be removed
    a.routes.yaml 6:4-6:9: the route that matches its RPCs
  11:6-11:13 warning [route-timeout-not-read]
    timeout is not read by gRPC, and max_stream_duration is not set: an RPC has no limit but its own deadline
> actions a.routes.yaml 11:8 quickfix
action 1: Write "max_stream_duration", which changes what RPCs do (quickfix)
action 2: Suppress route-timeout-not-read here (quickfix)
> apply 1
a.routes.yaml is now:
  | name: r
  | virtual_hosts:
  | - name: v
  |   domains: ["*"]
  |   routes:
  |   # xdscope: ignore=route-query-parameters -- say why
  |   - match: {prefix: "", query_parameters: [{name: a}]}
  |     route: {cluster: a}
  |   - match: {prefix: ""}
  |     route:
  |       cluster: a
  |       max_stream_duration: {max_stream_duration: 5s}
diagnostics of a.routes.yaml version 4: 1
  8:4-8:9 warning [route-shadowed]
    the route never matches for node: routes[0] comes before it and matches the same RPCs; remove it, or move it first if its RPCs should go elsewhere
    a.routes.yaml 6:4-6:9: the route that matches its RPCs
> actions a.routes.yaml 0:0 source.fixAll
places: none
> open a.clusters.textproto textproto
diagnostics of a.clusters.textproto version 1: 1
  2:0-2:9 error [lb-policy-unsupported]
    LB policy LEAST_REQUEST is not supported by core and node; use ROUND_ROBIN or RING_HASH
    NACK by core, node; accepted by go, java
> actions a.clusters.textproto 2:1
action 1: Suppress lb-policy-unsupported here (quickfix)
> apply 1
a.clusters.textproto is now:
  | name: "a"
  | type: EDS
  | # xdscope: ignore=lb-policy-unsupported -- say why
  | lb_policy: LEAST_REQUEST
  | eds_cluster_config { eds_config { ads {} } }
diagnostics of a.clusters.textproto version 2: 0
> request shutdown
result null
> notify exit

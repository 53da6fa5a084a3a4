JSON has no comments: what is suppressed is an entry of xdscope.conf, which is made, or gets one more line or item.
-- a.clusters.json --
{"name": "a", "type": "EDS", "eds_cluster_config": {"eds_config": {"ads": {}}}, "lb_policy": "LEAST_REQUEST", "connect_timeout": "1s"}
-- steps --
initialize
open a.clusters.json json
actions a.clusters.json 0:85
apply 1
save a.clusters.json
actions a.clusters.json 0:113
apply 1
save a.clusters.json
write xdscope.conf "suppress: [{rule: lb-policy-unsupported, resource: x, reason: y}] # known\n"
save a.clusters.json
actions a.clusters.json 0:85
apply 1
save a.clusters.json
request shutdown
notify exit
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open a.clusters.json json
diagnostics of a.clusters.json version 1: 2
  0:80-0:91 error [lb-policy-unsupported]
    LB policy LEAST_REQUEST is not supported by core and node; use ROUND_ROBIN or RING_HASH
    NACK by core, node; accepted by go, java
  0:110-0:127 information unnecessary [field-not-read]
    Cluster.connect_timeout is not read by gRPC: gRPC's own backoff rules limit a connection attempt, to 20 s at the least
    ignored by core, go, java, node
> actions a.clusters.json 0:85
action 1: Suppress lb-policy-unsupported for this resource in xdscope.conf (quickfix)
> apply 1
create xdscope.conf
xdscope.conf is now:
  | suppress:
  | - {rule: lb-policy-unsupported, resource: "a", type: cluster, reason: say why}
> save a.clusters.json
diagnostics of a.clusters.json version 1: 1
  0:110-0:127 information unnecessary [field-not-read]
    Cluster.connect_timeout is not read by gRPC: gRPC's own backoff rules limit a connection attempt, to 20 s at the least
    ignored by core, go, java, node
> actions a.clusters.json 0:113
action 1: Suppress field-not-read for this resource in xdscope.conf (quickfix)
> apply 1
xdscope.conf is now:
  | suppress:
  | - {rule: lb-policy-unsupported, resource: "a", type: cluster, reason: say why}
  | - {rule: field-not-read, resource: "a", type: cluster, reason: say why}
> save a.clusters.json
diagnostics of a.clusters.json version 1: 0
> write xdscope.conf "suppress: [{rule: lb-policy-unsupported, resource: x, reason: y}] # known\n"
> save a.clusters.json
diagnostics of a.clusters.json version 1: 2
  0:80-0:91 error [lb-policy-unsupported]
    LB policy LEAST_REQUEST is not supported by core and node; use ROUND_ROBIN or RING_HASH
    NACK by core, node; accepted by go, java
  0:110-0:127 information unnecessary [field-not-read]
    Cluster.connect_timeout is not read by gRPC: gRPC's own backoff rules limit a connection attempt, to 20 s at the least
    ignored by core, go, java, node
> actions a.clusters.json 0:85
action 1: Suppress lb-policy-unsupported for this resource in xdscope.conf (quickfix)
> apply 1
xdscope.conf is now:
  | suppress: [{rule: lb-policy-unsupported, resource: x, reason: y}, {rule: lb-policy-unsupported, resource: "a", type: cluster, reason: say why}] # known
> save a.clusters.json
diagnostics of a.clusters.json version 1: 1
  0:110-0:127 information unnecessary [field-not-read]
    Cluster.connect_timeout is not read by gRPC: gRPC's own backoff rules limit a connection attempt, to 20 s at the least
    ignored by core, go, java, node
> request shutdown
result null
> notify exit

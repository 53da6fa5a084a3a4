Files that the setting `snapshot` names are judged together, as they are open: a finding in one file goes when another file
has what it misses, and comes when that changes. A document that is none of them is judged alone.
-- xdscope.conf --
snapshot: prod
client: go
select: [cluster-missing, cluster-unused, duplicate-resource]
-- prod/a.listener.yaml --
name: l
api_listener:
  api_listener:
    "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
    rds: {route_config_name: r, config_source: {ads: {}}}
    http_filters: [{name: router, typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}]
-- prod/b.routes.yaml --
name: r
virtual_hosts:
- name: v
  domains: ["*"]
  routes: [{match: {prefix: ""}, route: {cluster: c}}]
-- prod/c.clusters.yaml --
name: c
type: EDS
eds_cluster_config: {eds_config: {ads: {}}}
-- old/b.routes.yaml --
name: r
virtual_hosts:
- name: v
  domains: ["*"]
  routes: [{match: {prefix: ""}, route: {cluster: c}}]
-- steps --
initialize
open prod/b.routes.yaml
open prod/c.clusters.yaml
change prod/c.clusters.yaml 0:6-0:7 d
definition prod/b.routes.yaml 4:52
hover prod/c.clusters.yaml 0:7
change prod/b.routes.yaml 4:50-4:51 d
close prod/c.clusters.yaml
open old/b.routes.yaml
write prod/c2.clusters.yaml 'name: d\ntype: EDS\neds_cluster_config: {eds_config: {ads: {}}}\n'
save prod/b.routes.yaml
request shutdown
notify exit
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open prod/b.routes.yaml
diagnostics of prod/b.routes.yaml version 1: 0
> open prod/c.clusters.yaml
diagnostics of prod/c.clusters.yaml version 1: 0
diagnostics of prod/b.routes.yaml version 1: 0
> change prod/c.clusters.yaml 0:6-0:7 d
diagnostics of prod/c.clusters.yaml version 2: 1
  0:0-0:0 information [cluster-unused]
    resource "d" is not used by any route that a client reaches; is its name misspelled there or here?
diagnostics of prod/b.routes.yaml version 1: 1
  4:41-4:48 warning [cluster-missing]
    no Cluster "c" in the input: RPCs that go there fail with UNAVAILABLE
> definition prod/b.routes.yaml 4:52
places: none
> hover prod/c.clusters.yaml 0:7
hover
  | `Cluster.name: string` of `envoy.config.cluster.v3.Cluster`
  |
  | read by grfc, core, go, java, node
> change prod/b.routes.yaml 4:50-4:51 d
diagnostics of prod/c.clusters.yaml version 2: 0
diagnostics of prod/b.routes.yaml version 2: 0
> close prod/c.clusters.yaml
diagnostics of prod/c.clusters.yaml: 0
diagnostics of prod/b.routes.yaml version 2: 1
  4:41-4:48 warning [cluster-missing]
    no Cluster "d" in the input: RPCs that go there fail with UNAVAILABLE
> open old/b.routes.yaml
diagnostics of old/b.routes.yaml version 1: 0
diagnostics of prod/b.routes.yaml version 2: 1
  4:41-4:48 warning [cluster-missing]
    no Cluster "d" in the input: RPCs that go there fail with UNAVAILABLE
> write prod/c2.clusters.yaml 'name: d\ntype: EDS\neds_cluster_config: {eds_config: {ads: {}}}\n'
> save prod/b.routes.yaml
diagnostics of old/b.routes.yaml version 1: 0
diagnostics of prod/b.routes.yaml version 2: 0
> request shutdown
result null
> notify exit

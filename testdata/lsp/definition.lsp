From a name to the resource: in the same document, in other open ones, in files of the workspace, also from a file of tests.
-- shop.listeners.yaml --
- "@type": type.googleapis.com/envoy.config.listener.v3.Listener
  name: shop.example.com
  api_listener:
    api_listener:
      "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
      rds: {route_config_name: routes, config_source: {ads: {}}}
      http_filters:
      - {name: router, typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}
-- sub/shop.routes.json --
{"name": "routes", "virtual_hosts": [{"name": "v", "domains": ["*"], "routes": [
  {"match": {"prefix": ""}, "route": {"weighted_clusters": {"clusters": [{"name": "a", "weight": 1}]}}}]}]}
-- shop.clusters.textproto --
name: "a" type: EDS eds_cluster_config { eds_config { ads {} } service_name: "eps" }
-- shop.endpoints.yaml --
cluster_name: eps
endpoints: []
-- shop.tests.yaml --
snapshot: .
tests:
- name: t
  request: {target: "xds:///shop.example.com", path: /a}
-- steps --
initialize
open shop.listeners.yaml
definition shop.listeners.yaml 5:33
open sub/shop.routes.json json
definition shop.listeners.yaml 5:33
definition sub/shop.routes.json 1:83
definition sub/shop.routes.json 1:30
open shop.clusters.textproto textproto
change shop.clusters.textproto 0:0-0:0 "\n\n"
definition sub/shop.routes.json 1:83
definition shop.clusters.textproto 2:80
definition shop.listeners.yaml 1:10
open shop.tests.yaml
definition shop.tests.yaml 3:30
request shutdown
notify exit
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> open shop.listeners.yaml
diagnostics of shop.listeners.yaml version 1: 0
> definition shop.listeners.yaml 5:33
places: sub/shop.routes.json 0:0-0:0
> open sub/shop.routes.json json
diagnostics of sub/shop.routes.json version 1: 0
> definition shop.listeners.yaml 5:33
places: sub/shop.routes.json 0:0-0:0
> definition sub/shop.routes.json 1:83
places: shop.clusters.textproto 0:0-0:0
> definition sub/shop.routes.json 1:30
places: none
> open shop.clusters.textproto textproto
diagnostics of shop.clusters.textproto version 1: 0
> change shop.clusters.textproto 0:0-0:0 "\n\n"
diagnostics of shop.clusters.textproto version 2: 0
> definition sub/shop.routes.json 1:83
places: shop.clusters.textproto 2:0-2:0
> definition shop.clusters.textproto 2:80
places: shop.endpoints.yaml 0:0-0:0
> definition shop.listeners.yaml 1:10
places: shop.listeners.yaml 0:2-0:2
> open shop.tests.yaml
diagnostics of shop.tests.yaml version 1: 0
> definition shop.tests.yaml 3:30
places: shop.listeners.yaml 0:2-0:2
> request shutdown
result null
> notify exit

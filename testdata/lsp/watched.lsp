A client that can watch files is asked to: for the settings, and once these name a snapshot for its files. What another
program writes is judged then.
-- b.routes.yaml --
name: r
virtual_hosts:
- name: v
  domains: ["*"]
  routes: [{match: {prefix: ""}, route: {cluster: c}}]
-- d.clusters.yaml --
name: d
type: EDS
eds_cluster_config: {eds_config: {ads: {}}}
-- steps --
initialize {"workspace/didChangeWatchedFiles": {"dynamicRegistration": true}}
open b.routes.yaml
write xdscope.conf 'snapshot: .\nselect: cluster-missing\n'
notify workspace/didChangeWatchedFiles {"changes": []}
write c.clusters.yaml 'name: c\ntype: EDS\neds_cluster_config: {eds_config: {ads: {}}}\n'
notify workspace/didChangeWatchedFiles {"changes": []}
request shutdown
notify exit
-- output --
> initialize {"workspace/didChangeWatchedFiles": {"dynamicRegistration": true}}
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
watch **/xdscope.conf
> open b.routes.yaml
diagnostics of b.routes.yaml version 1: 0
> write xdscope.conf 'snapshot: .\nselect: cluster-missing\n'
> notify workspace/didChangeWatchedFiles {"changes": []}
watch **/*.{json,jsonl,ndjson,yaml,yml,pb,binpb,txtpb,textproto,pb_text,pbtxt,prototxt}
diagnostics of b.routes.yaml version 1: 1
  4:41-4:48 warning [cluster-missing]
    no Cluster "c" in the input: RPCs that go there fail with UNAVAILABLE
> write c.clusters.yaml 'name: c\ntype: EDS\neds_cluster_config: {eds_config: {ads: {}}}\n'
> notify workspace/didChangeWatchedFiles {"changes": []}
diagnostics of b.routes.yaml version 1: 0
> request shutdown
result null
> notify exit

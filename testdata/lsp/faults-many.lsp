A long document with a fault in every line is looked through once for signs of a template, and not for each fault.
-- in.yaml --
clusters: []
-- xdscope.conf --
level: {yaml-key: off}
-- steps --
initialize
write in.yaml "- {<<: a}\n" 400000
open in.yaml
change in.yaml all "clusters: [{name: ''}]\n"
request shutdown
notify exit
-- output --
> initialize
result {"capabilities": {"positionEncoding": "utf-16", "textDocumentSync": {"openClose": true, "change": 2, "save": true}, "hoverProvider": true, "definitionProvider": true, "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll.xdscope"]}}, "serverInfo": {"name": "xdscope", "version": "0.1.0"}}
> write in.yaml "- {<<: a}\n" 400000
> open in.yaml
diagnostics of in.yaml version 1: 0
> change in.yaml all "clusters: [{name: ''}]\n"
diagnostics of in.yaml version 2: 2
  0:11-0:12 error [cluster-discovery-type]
    unknown discovery type STATIC (the default); gRPC supports EDS, LOGICAL_DNS and aggregate clusters
    NACK by core, go, java, node
  0:12-0:16 error [cluster-name-empty]
    name is empty; go rejects an empty resource name
    NACK by go; accepted by core, java, node
> request shutdown
result null
> notify exit

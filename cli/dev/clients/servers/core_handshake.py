"""Opens channels with XdsCredentials of gRPC C-core: a line of JSON in for each, one out. See
handshakes.py."""
import json
import sys

import grpc

for line in sys.stdin:
    asked, error = json.loads(line), ""
    credentials = grpc.xds_channel_credentials()
    with grpc.secure_channel(asked["target"], credentials) as channel:
        try:
            channel.unary_unary("/s/m")(b"", timeout=asked["seconds"])
        except grpc.RpcError as e:
            error = "%s: %s" % (e.code().name, e.details())
    print(json.dumps({"error": error}), flush=True)

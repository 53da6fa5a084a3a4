#!/usr/bin/env python3
"""xds_client.py PORT REPORT LINES - the xDS client of grpcio takes what server.py serves, until REPORT has so many lines."""
import json
import os
import sys
import time

port, report, lines = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.environ["GRPC_XDS_BOOTSTRAP_CONFIG"] = json.dumps({
    "xds_servers": [{"server_uri": f"localhost:{port}", "channel_creds": [{"type": "insecure"}]}],
    "node": {"id": "bench"}})

import grpc  # noqa: E402
from server import TARGET  # noqa: E402

PATIENCE = 60


def main():
    with grpc.insecure_channel(f"xds:///{TARGET}") as channel:
        channel.unary_unary("/s0/A").future(b"", wait_for_ready=True, timeout=PATIENCE)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with open(report) as told:
                if len(told.readlines()) >= lines:
                    os._exit(0)  # 10,000 balancers take their time to end
            time.sleep(0.01)
    sys.exit(f"xds_client.py: not all was acknowledged within {PATIENCE} s")


if __name__ == "__main__":
    main()

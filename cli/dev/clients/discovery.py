"""The types of ADS and its messages, and the valid resources that keep a client asking for all
four types."""
import wire

PREFIX = "type.googleapis.com/"
LDS = PREFIX + "envoy.config.listener.v3.Listener"
RDS = PREFIX + "envoy.config.route.v3.RouteConfiguration"
CDS = PREFIX + "envoy.config.cluster.v3.Cluster"
EDS = PREFIX + "envoy.config.endpoint.v3.ClusterLoadAssignment"
TYPES = (LDS, RDS, CDS, EDS)

KEEP = "xdscope-keep"


def keep_chain():
    """A listener, the routes it names, their cluster and its endpoints, all named KEEP."""
    filters = PREFIX + "envoy.extensions.filters."
    ads = wire.data(3, b"")
    router = wire.any_message(filters + "http.router.v3.Router", b"")
    rds = wire.data(1, ads) + wire.data(2, KEEP)
    manager = (wire.data(3, rds) +
               wire.data(5, wire.data(1, "router") + wire.data(4, router)))
    manager_type = filters + "network.http_connection_manager.v3.HttpConnectionManager"
    api_listener = wire.data(1, wire.any_message(manager_type, manager))
    route = wire.data(1, wire.data(1, "")) + wire.data(2, wire.data(1, KEEP))
    host = wire.data(1, "v") + wire.data(2, "*") + wire.data(3, route)
    name = wire.data(1, KEEP)
    return {LDS: name + wire.data(19, api_listener),
            RDS: name + wire.data(2, host),
            CDS: name + wire.uint(2, 3) + wire.data(3, wire.data(1, ads)),
            EDS: name}


CHAIN = keep_chain()


class Request:
    """A DiscoveryRequest. The text of a NACK is kept even if it is not UTF-8."""
    died = None

    def __init__(self, message):
        self.type_url = self.nonce = ""
        self.names = []
        self.error = None
        for field, _, value in wire.fields(message):
            if field == 3:
                self.names.append(value.decode())
            elif field == 4:
                self.type_url = value.decode()
            elif field == 5:
                self.nonce = value.decode()
            elif field == 6:
                self.error = wire.last(value, 2).decode("utf-8", "backslashreplace")


def response(type_url, nonce, resources):
    """resources: pairs of an Any's type URL and value."""
    return (wire.data(1, nonce) +
            b"".join(wire.data(2, wire.any_message(*r)) for r in resources) +
            wire.data(4, type_url) + wire.data(5, nonce))

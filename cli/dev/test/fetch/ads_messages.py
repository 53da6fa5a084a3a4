"""Messages of the Aggregated Discovery Service: responses as bytes, requests as a line of text."""
from client_status import TYPES
from wire import any_message, data, fields, last, uint

SERVICE = "/envoy.service.discovery.v3.AggregatedDiscoveryService/"
METHODS = [SERVICE + "StreamAggregatedResources", SERVICE + "DeltaAggregatedResources"]
SHORT = {url: name for name, url in TYPES.items()}
PADDING = 4900  # bytes of a cluster of "many"


def routes(n):
    """A route configuration that leads to the clusters of "many"."""
    def route(i):
        return data(3, data(1, data(1, f"/s{i}/")) + data(2, data(1, f"c{i}")))
    return data(1, "shop") + data(2, data(1, "v") + data(2, "*") + b"".join(map(route, range(n))))


def many(n):
    """LOGICAL_DNS clusters, which need nothing else, of 5 KB each."""
    address = data(1, data(1, data(2, "a.example.com") + uint(3, 80)))
    endpoint = data(2, data(2, data(1, address)))
    return [data(1, f"c{i}") + uint(2, 2) + data(28, "x" * PADDING) +
            data(33, data(1, f"c{i}") + endpoint) for i in range(n)]


def resources(messages, words):
    if words[:1] == ["many"]:
        return many(int(words[1]))
    if words[:1] == ["routes"]:
        return [routes(int(words[1]))]
    return [messages.resources[word] for word in words if word[0] != "-"]


def response(messages, words, nonce, delta):
    kind, version, *words = words
    url = TYPES[kind]
    found = [any_message(url, one) for one in resources(messages, words)]
    if not delta:
        return data(1, version) + b"".join(data(2, one) for one in found) + data(4, url) + data(5, nonce)
    return (b"".join(data(2, data(1, version) + data(2, one) + data(3, name_of(one))) for one in found) +
            data(4, url) + data(5, nonce) + b"".join(data(6, word[1:]) for word in words if word[0] == "-"))


def name_of(message):
    return last(last(message, 2), 1).decode()


def node(message):
    names = {1: "id", 2: "cluster", 6: "agent", 7: "version"}
    return " ".join(f"{names[f]}={v.decode()}" for f, _, v in fields(message) if f in names)


def names(found):
    """All of a few."""
    return found if len(found) < 9 else f"{len(found)} names"


def show(request, delta):
    """"request cluster ['cart'] version=1 nonce=n3", and of the first one its node."""
    at = {"node": 1, "type": 2, "names": 3, "nonce": 6, "error": 7, "version": 0} if delta else \
         {"version": 1, "node": 2, "names": 3, "type": 4, "nonce": 5, "error": 6}
    sent, found, gone, held = {}, [], [], []
    for field, _, value in fields(request):
        if field == at["names"]:
            found.append(value.decode())
        elif delta and field == 4:
            gone.append(value.decode())
        elif delta and field == 5:
            held.append(last(value, 1).decode() + "@" + last(value, 2).decode())
        else:
            sent[field] = value
    kind = sent.get(at["type"], b"").decode()
    text = f"request {SHORT.get(kind, kind)} {names(found)}"
    text += f" without {gone}" if gone else ""
    text += f" holding {held}" if held else ""
    for name in ("version", "nonce"):
        if at[name] in sent:
            text += f" {name}={sent[at[name]].decode()}"
    if at["error"] in sent:
        error = sent[at["error"]]
        text += f" error {last(error, 1, 0)} {last(error, 2, b'').decode()}"
    if at["node"] in sent:
        text += f" node({node(sent[at['node']])})"
    return text

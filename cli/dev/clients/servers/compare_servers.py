"""Compares what a server answered with the decision of `xdscope explain --server`."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

import cases
import certificates
from clients import environment

CODES = ("OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS "
         "PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED "
         "INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED").split()
REQUIRED_ALONE = ("go", "node")    # they check no certificate that is not required
NO_CONNECTION = ("closed", "no_handshake")
KINDS = {"DNS": "dns", "URI": "uri", "email": "email", "IP": "ip"}
CERTIFICATE_ALERTS = ("certificate required", "unknown certificate authority", "bad certificate")


# ---- xdscope ----

def certificate(name):
    """As the members of a request."""
    subject, sans, _ = certificates.CERTIFICATES[name]
    pairs = (s.split(":", 1) for s in sans.split(",") if s)
    return {"peer_subject": ",".join(reversed(subject.strip("/").split("/"))),
            "peer_san": ["%s:%s" % (KINDS[kind], value) for kind, value in pairs]}


def request(case, rpc, answer):
    out = {"server": case["address"], "local": rpc["to"], "peer": answer["peer"] or rpc["from"],
           "tls": rpc.get("tls", False), "authority": rpc["authority"], "path": rpc["path"],
           "headers": rpc["headers"]}
    if rpc.get("cert"):
        out.update(certificate(rpc["cert"]))
    if rpc.get("server_name"):
        out["server_name"] = rpc["server_name"]
    return out


def explain(case, bootstrap, env):
    """A decision for each RPC."""
    lines = "".join(json.dumps(request(case, r, a)) + "\n"
                    for r, a in zip(case["rpcs"], case["answers"], strict=True))
    with tempfile.TemporaryDirectory() as folder:
        snapshot, boot = (pathlib.Path(folder) / n for n in ("snapshot.json", "bootstrap.json"))
        snapshot.write_text(json.dumps(case["snapshot"]))
        boot.write_text(bootstrap)
        done = subprocess.run(
            [cases.XDSCOPE, "explain", "--client", case["client"], "-q", "-f", "json",
             "--bootstrap", boot, *("--env=%s=%s" % pair for pair in env),
             "--server", case["address"], "--requests", "-", snapshot],
            input=lines.encode(), capture_output=True, env=environment({}))
    decisions = [json.loads(line) for line in done.stdout.decode().splitlines()]
    if len(decisions) != len(case["rpcs"]):
        sys.exit("xdscope: %s" % done.stderr.decode())
    return decisions


# ---- comparing ----

# How go, core and java name the node in a message.
NODE = re.compile(r"\[xDS node id: n\]: | \(node ID:n\)| nodeID: n")


def said(answer):
    """Code and message of a status."""
    code = answer.get("code")
    return (CODES[int(code)] if code else None,
            NODE.sub("", urllib.parse.unquote(answer.get("message") or "")))


def in_a_word(answer):
    if answer["served"]:
        return "served"
    if answer.get("failed"):
        return answer["failed"] + (", after SETTINGS" if answer["settled"] else "")
    return "%s: %s" % said(answer)


def texts(decision):
    """The messages that fit: a server that asks the policies of RBAC in no order may name any one
    that matches."""
    message, out = decision["status"]["message"], []
    for rbac in (f["rbac"] for f in decision["filters"] if f["rbac"]):
        if rbac["in_any_order"] and rbac["policy"] and not rbac["allowed"]:
            out += [message.replace('"%s"' % rbac["policy"], '"%s"' % p["name"])
                    for p in rbac["policies"] if p["matched"]]
    return [message, *out]


def difference(rpc, answer, decision):
    """What differs, in words that say which case this is; or None."""
    outcome, failed = decision["outcome"], answer.get("failed")
    seen = in_a_word(answer)
    if outcome == "served":
        return None if answer["served"] and not failed else "served, but: " + seen
    if outcome in NO_CONNECTION:
        if not failed or answer["settled"] or failed == "refused":
            return "%s, but: %s" % (outcome, seen)
        alerted = any(a in answer["words"] for a in CERTIFICATE_ALERTS)
        return "closed, but: " + answer["words"] if alerted and outcome == "closed" else None
    if outcome == "not_serving":
        wanted = "refused" if "does not listen" in decision["reason"] else "closed"
        if rpc.get("tls") and wanted == "closed":
            return None if failed in ("tls", "closed") else "not_serving, but: " + seen
        return None if failed == wanted else "not_serving (%s), but: %s" % (wanted, seen)
    status = decision["status"]
    if not status or status["code"] == "":
        return "%s, but: %s" % (outcome, seen)
    code, message = said(answer)
    if failed or code != status["code"]:
        return "%s %s, but: %s" % (outcome, status["code"], seen)
    fits = any(message == m or message.startswith(m + ": ") for m in texts(decision) if m)
    return None if fits else "words: %s, but: %s" % (status["message"], message)


def is_stranger(client, rpc, decision):
    """Has the peer a certificate of another CA than the filter chain trusts, and the server checks
    that? explain takes that of --peer-san for a valid one."""
    security = decision["security"]
    if not rpc.get("cert") or not security or not security["ca"] or not security["certificate_seen"]:
        return False
    if client.split("@")[0] in REQUIRED_ALONE and not security["require_client_certificate"]:
        return False
    provider = certificates.PROVIDERS.get(security["ca"], certificates.PROVIDERS["first"])
    return certificates.CERTIFICATES[rpc["cert"]][2] != provider[1]


def differences(case, decisions):
    """(index, what differs) of each RPC. A server that has died answers no more."""
    died, out = case["server"]["died"] is not None, []
    for i, (rpc, answer, decision) in enumerate(zip(case["rpcs"], case["answers"], decisions,
                                                    strict=True)):
        if decision["outcome"] == "crash":
            out += [] if died else [(i, "crash, but: " + in_a_word(answer))]
            if died:
                break
            continue
        if is_stranger(case["client"], rpc, decision):
            decision = {**decision, "outcome": "no_handshake"}
        why = difference(rpc, answer, decision)
        if why:
            out.append((i, why))
    return out


def summary(decision):
    return {k: decision[k] for k in ("outcome", "status", "reason", "filter_chain", "security",
                                     "route", "notes")}


# ---- what xdscope cannot know ----

def mixed_providers(case, decision):
    """Does the chain take its certificate and its CA from two provider instances?"""
    security = decision["security"]
    return (case["client"].split("@")[0] == "java" and security is not None
            and security["ca"] not in (None, security["identity"]))


def explained(case, index, decision, _why):
    """The reason, or None."""
    headers = case["rpcs"][index]["headers"]
    if case["client"].startswith("node") and any(v != v.strip() for _, v in headers):
        return "node's HTTP/2 drops a header whose value begins or ends with a blank"
    if any("recovered from panic" in v for v in case["server"]["verdicts"].values()):
        return "go lets no watcher know of a response in which it has recovered from a panic"
    if any("the system's CAs" in n for n in decision["notes"]):
        return "the certificates of the run are not of the system's CAs"
    if mixed_providers(case, decision):
        return "java may take either file from either of two provider instances: a race"
    return None

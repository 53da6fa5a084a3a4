"""literals.py - the texts in the source of a package that can become the status of an RPC.

Gives (file, text) of a folder of one release; * stands for what is filled in.
"""
import os
import re
import subprocess

# Where the texts of RPCs are; the parsers of resources, whose texts are in NACKs, are not.
GO = re.compile(
    r"^((xds/)?internal/(xds/)?(resolver/(xds|service|watch)|xdsdepmgr/|balancer/"
    r"(cdsbalancer|clusterimpl|clustermanager|clusterresolver|priority|outlierdetection"
    r"|wrrlocality|ringhash)/|server/|httpfilter/(fault|extproc|gcp_authn|extconfig)|rbac/rbac_engine"
    r"|clients/xdsclient/(authority|clientimpl|xdsclient)|xdsclient/(authority|client|pool"
    r"|requests_counter|singleton|pubsub/)|bootstrap/bootstrap\.go)|internal/balancer/gracefulswitch/|balancer/(base|ringhash"
    r"|weighted\w*|pickfirst|endpointsharding|rls)/(?!.*(config|builder)\.go)|picker_wrapper|balancer/balancer\.go"
    r"|balancer_wrapper|xds/server\.go|pickfirst\.go|credentials/google/idtoken|internal/xds/rbac/rbac_engine)")
CORE = re.compile(
    r"^((ext/)?xds/(xds_client/xds_client|grpc/xds_client_grpc|grpc/xds_transport_grpc|grpc/xds_bootstrap_grpc"
    r"|xds_client|grpc/xds_routing|xds_routing|grpc/xds_certificate|xds_common_types\.cc)|(ext/filters/client_channel/)?resolver/xds"
    r"|(ext/filters/client_channel/lb_policy|load_balancing)/(?!grpclb|health_check|oob)"
    r"|(lib/load_balancing|load_balancing)/lb_policy_registry|(ext/filters/client_channel|client_channel)/(client_channel|subchannel)"
    r"|xds/grpc/xds_common_types\.cc|ext/filters/(fault_injection|rbac)|(ext/)?filter/(ext_proc|composite)|server/(xds_|server_config_sel)"
    r"|ext/(xds/xds_server|filters/server_config))")
JAVA = re.compile(
    r"(Xds(NameResolver|DependencyManager|ServerWrapper|ClientImpl)|ControlPlaneClient|AbstractXdsClient|CdsLoadBalancer2"
    r"|Cluster(Impl|Manager|Resolver)LoadBalancer|(Priority|WeightedTarget|RingHash|WrrLocality"
    r"|RoundRobin|MultiChild|WeightedRoundRobin|LeastRequest|PickFirst\w*)LoadBalancer"
    r"|FaultFilter|RbacFilter|GcpAuthenticationFilter|CachingRlsLbClient|XdsX509TrustManager"
    r"|VirtualHost|FilterChainMatchingProtocol\w*)(\$\w+)*$")


def go_texts(folder):
    calls = re.compile(
        r"(?:status\.(?:Errorf|Error|Newf|New)|errors\.New|fmt\.Errorf|NewErrorf?|StatusErrWithNodeID"
        r"|statusErrWithNodeID|errStr = fmt\.Sprintf)\([^\"`]{0,90}?\"((?:[^\"\\]|\\.)*)\"")
    for path in files(folder, ".go"):
        name = os.path.relpath(path, folder)
        if not GO.match(name) or re.search(r"_test\.go$|\.pb\.|testutils|/test/|e2e", name):
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for found in calls.finditer(text):
            yield name, unescaped(re.sub(r"%[-+#]?\d*[a-zA-Z]", "*", found[1]))


def core_texts(folder):
    calls = re.compile(
        r"(?:Unavailable|Internal|InvalidArgument|NotFound|PermissionDenied|Cancelled|Unauthenticated"
        r"|FailedPrecondition|Unknown)Error\s*\(|absl::Status\(|GRPC_ERROR_CREATE\(|(?:resolution_note|context)\w* =\s*"
        r"|OnResourceDoesNotExist\(|ReportError\(|std::string error =|OnError\(")
    for path in files(folder, ".cc"):
        name = os.path.relpath(path, os.path.join(folder, "src/core"))
        if not CORE.match(name):
            continue
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"//[^\n]*", "", file.read())
        for found in calls.finditer(text):
            argument = text[found.end(): statement_end(text, found.end())]
            parts = re.findall(r'"((?:[^"\\]|\\.)*)"', re.sub(r'"\s+"', "", argument))
            if parts:
                joined = "*".join(parts)
                yield name, unescaped(re.sub(r"%[\w]+|%\"\s*PRI\w+", "*", joined))


def statement_end(text, at):
    depth = 1
    for found in re.compile(r'"(?:[^"\\]|\\.)*"|[();]').finditer(text, at):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth == 0 or found[0] == ";":
            return found.start()
    return len(text)


def java_texts(folder):
    """Strings that come before Status.withDescription() in the code of a class."""
    classes = [p for p in files(folder, ".class") if JAVA.match(os.path.basename(p)[:-6])]
    if not classes:
        return
    code = subprocess.run(["javap", "-p", "-c", *classes], capture_output=True, text=True,
                          check=True).stdout
    name, strings = "", []
    for line in code.splitlines():
        opened = re.match(r"\S.* (?:class|interface) ([\w.$]+).*\{$", line)
        found = re.search(r"// String (.*)$", line)
        if opened:
            name, strings = opened[1].split(".")[-1], []
        elif found:
            strings.append(found[1].replace("\\'", "'").replace('\\"', '"'))
        elif re.search(r"Status\.withDescription|ErrorPicker", line) and strings:
            yield name, "*".join(re.sub(r"%[.\d]*[a-z]|\\u0001", "*", s) for s in strings)
            strings = []
        elif re.search(r"return$|athrow|Logger\.log|: pop$|astore", line):
            strings = []


def java_constants(folder):
    """All texts of the classes that have a blank."""
    for path in files(folder, ".class"):
        with open(path, "rb") as file:
            data = file.read()
        count, at, index = int.from_bytes(data[8:10], "big"), 10, 1
        while index < count:
            tag = data[at]
            length = int.from_bytes(data[at + 1:at + 3], "big") if tag == 1 else 0
            text = data[at + 3:at + 3 + length].decode("utf-8", "replace") if tag == 1 else ""
            if " " in text:
                yield os.path.basename(path)[:-6], re.sub(r"%[.\d]*[a-z]|\x01", "*", text)
            at += {1: 3 + length, 5: 9, 6: 9, 15: 4}.get(
                tag, 3 if tag in (7, 8, 16, 19, 20) else 5)
            index += 2 if tag in (5, 6) else 1


def node_texts(folder):
    calls = re.compile(r"(?:details:|details =|errorMessage =|errorText =|rdsError ="
                       r"|reportResolutionError\(|'Failed to route)\s*((?:[`'][^`']*[`']\s*\+?\s*)+)")
    for path in files(folder, ".ts"):
        name = path.split("@grpc/")[-1]
        if "/generated/" in name or not re.match(
                r"grpc-js-xds/src|grpc-js/src/(load-balanc|resolving|picker|control)", name):
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for found in calls.finditer(text):
            parts = re.sub(r"\$\{[^}]*\}\)?", "*", re.sub(r"[`'](\s*\+\s*[`'])?", "", found[0]
                                                          if found[0].startswith("'") else found[1]))
            yield name, parts.strip().rstrip("+").strip()


def files(folder, ending):
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(ending):
                yield os.path.join(root, name)


def unescaped(text):
    return re.sub(r"\\(.)", r"\1", text)


TEXTS = {"core": core_texts, "go": go_texts, "java": java_texts, "node": node_texts}

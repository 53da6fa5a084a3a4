"""A wheel, installed: what it says is what the program says. make check-bindings sets XDSCOPE_CORPUS, _SAYS and _TREE."""

import base64
import gzip
import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from envoy.config.cluster.v3.cluster_pb2 import Cluster
from envoy.config.core.v3.config_source_pb2 import AggregatedConfigSource, ConfigSource

import xdscope
from xdscope import __main__, _program

pytest_plugins = ["pytester"]
CORPUS = json.loads(Path(os.environ["XDSCOPE_CORPUS"]).read_text())


def test_the_corpus_is_whole():
    assert [entry["status"] for entry in CORPUS] == [0] * 50 + [1] * 50


@pytest.mark.parametrize("entry", CORPUS, ids=lambda entry: entry["case"])
def test_findings_are_those_of_the_program(entry):
    report = xdscope.lint(xdscope.File(entry["name"], base64.b64decode(entry["content"])), **entry["options"])
    assert report.raw == entry["document"]
    assert report.accepted == (entry["status"] == 0)
    assert [(f.rule, f.path, f.line, f.clients) for f in report.findings] == [
        (f["rule"], f["path"], f["line"], f["clients"]) for f in entry["document"]["findings"]]


def cluster(kind=Cluster.EDS):
    message = Cluster(name="shop", type=kind)
    message.eds_cluster_config.eds_config.CopyFrom(ConfigSource(ads=AggregatedConfigSource()))
    return message


def test_a_message_is_judged():
    assert xdscope.lint(cluster()).accepted
    report = xdscope.lint([cluster(Cluster.STRICT_DNS)], clients=["go@1.72"])
    assert not report.accepted
    assert str(report.errors[0]).startswith('Cluster "shop": type: error: unknown discovery type STRICT_DNS')


@pytest.mark.parametrize("package", ["envoy_data_plane", "ours.protos"])
def test_a_message_of_betterproto_is_judged(package, monkeypatch):
    of_betterproto = pytest.importorskip("envoy_data_plane.envoy.config.cluster.v3")
    monkeypatch.setattr(of_betterproto.Cluster, "__module__", package + ".envoy.config.cluster.v3")
    strict_dns = of_betterproto.Cluster(name="shop", type=of_betterproto.ClusterDiscoveryType.STRICT_DNS)
    report = xdscope.lint([strict_dns, cluster()], clients=["go@1.72"])
    assert [(f.rule, f.resource) for f in report.errors] == [
        ("cluster-discovery-type", xdscope.ResourceId("envoy.config.cluster.v3.Cluster", "shop"))]


def test_what_is_no_resource_is_said():
    class Other:
        def SerializeToString(self):  # noqa: N802
            return b""

    for wrong, words in ((3, "not a path"), (Other(), "not a message of Envoy's API")):
        with pytest.raises(xdscope.XdscopeError, match=words) as fault:
            xdscope.lint([wrong])
        assert fault.value.status == 2


def test_assert_accepted_names_resource_and_field():
    xdscope.assert_accepted(cluster())
    with pytest.raises(AssertionError, match='Cluster "shop": type: error'):
        xdscope.assert_accepted([cluster(Cluster.STRICT_DNS)])


def test_the_fixture_asks_the_clients_of_the_option(pytester):
    pytester.makepyfile("""
        from envoy.config.cluster.v3.cluster_pb2 import Cluster
        def test_snapshot(assert_accepted):
            assert assert_accepted(Cluster(name="c", type=Cluster.EDS)).clients == ["go"]
    """)
    result = pytester.runpytest_subprocess("--xdscope-client", "go")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(['*Cluster "c": eds_cluster_config*error*'])


SAYS = os.environ["XDSCOPE_SAYS"]
SHOP = Path(os.environ["XDSCOPE_TREE"], "testdata/snapshots/shop")


def test_explain_is_that_of_the_program():
    decision = xdscope.explain(SHOP, "/shop.Cart/Add", headers=[("x-user", "alice")])
    said = subprocess.run([SAYS, "explain", "-f", "json", "--path", "/shop.Cart/Add", "-H", "x-user: alice", SHOP],
                          capture_output=True, check=True)
    assert decision.raw == json.loads(said.stdout)
    assert decision.routed and decision.route_config == "shop-routes"


def own(*words):
    return subprocess.run([SAYS, *words], capture_output=True, text=True, check=False).stdout


def test_text_is_that_of_the_program():
    assert xdscope.lint_as("text", SHOP) == own("lint", "--no-config", SHOP) != ""
    assert xdscope.lint_as("gcc", SHOP, clients=["go"]) == own("lint", "--no-config", "-f", "gcc", "--client", "go", SHOP) != ""
    words = ("--path", "/shop.Cart/Add", "--authority", "shop.example.com", "--client", "go")
    said = xdscope.explain_as("text", SHOP, "/shop.Cart/Add", authority="shop.example.com", client="go")
    assert said == own("explain", *words, SHOP) != ""
    for wrong in (lambda: xdscope.explain_as("html", SHOP, "/a.B/C"), lambda: xdscope.lint_as("words", SHOP),
                  lambda: xdscope.lint(SHOP, clients="go"), lambda: xdscope.diff(SHOP, SHOP, clients=["go", "java"])):
        with pytest.raises(xdscope.XdscopeError) as fault:
            wrong()
        assert fault.value.status == 2


def test_gaps_fail_no_rpc():
    for outcome, routed in (("routed", True), ("routed_with_gaps", True), ("no_route", False)):
        assert xdscope.Decision("core", outcome, None, None, {}).routed == routed
    assert not xdscope.explain(SHOP, "/shop.Cart/Add", authority="nobody").routed


def test_options_are_those_of_the_program(tmp_path):
    one = xdscope.File("c.json", '{"name": "c", "type": "EDS", "new_field": 1}')
    said = [[f for f in xdscope.lint(one, type="cluster", partial=True, allow_unknown_fields=allow).errors if "new_field" in f.message]
            for allow in (False, True)]
    assert said[0] and not said[1]
    bootstrap = tmp_path / "bootstrap.json"
    bootstrap.write_text('{"xds_servers": 1}')
    for wrong in ({"env": ["A=B"]}, {"with_": ["nothing"]}, {"bootstrap": bootstrap}):
        with pytest.raises(xdscope.XdscopeError):
            xdscope.explain(SHOP, "/shop.Cart/Add", **wrong)


def test_diff_of_messages():
    changed = cluster()
    changed.lb_policy = Cluster.RING_HASH
    difference = xdscope.diff([cluster()], [changed], clients=["go"])
    assert [(r["change"], r["name"]) for r in difference.resources] == [("changed", "shop")]


def test_diff_of_releases_is_that_of_the_program():
    difference = xdscope.diff(None, SHOP, clients=["core@1.50", "core@1.85"])
    said = subprocess.run([SAYS, "diff", "-f", "json", "--client", "core@1.50,core@1.85", SHOP], capture_output=True, check=False)
    assert difference.raw == json.loads(said.stdout)


def test_a_folder_is_read_as_the_program_reads_it(tmp_path):
    def text_of(name):
        return '{"@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster", "name": "%s", "type": "STRICT_DNS"}' % name

    (tmp_path / "a.jsonl").write_text(text_of("a"))
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(text_of("b").encode()))
    (tmp_path / "c.clusters.pbtxt").write_text('name: "c" type: STRICT_DNS')
    (tmp_path / "notes.txt").write_text(text_of("d"))
    (tmp_path / "values.yaml").write_text("replicas: 2\n")
    (tmp_path / "bootstrap.json").write_text('{"xds_servers": [{"server_uri": "a:1", "channel_creds": [{"type": "insecure"}]}], "node": {"id": "n"}}')
    (tmp_path / "empty").mkdir()
    (tmp_path / "loop").symlink_to(".")
    examples = Path(os.environ["XDSCOPE_TREE"], "testdata/examples")
    for path in [tmp_path, tmp_path / "empty", *(examples / name for name in ("istio", "traffic-director", "ci"))]:
        said = subprocess.run([SAYS, "lint", "--no-config", "-f", "json", path], capture_output=True, check=False)
        assert xdscope.lint(path).raw == json.loads(said.stdout)
    assert len(xdscope.lint(tmp_path).resources) == 3


def test_what_cannot_be_read_is_an_error():
    with pytest.raises(xdscope.XdscopeError) as error:
        xdscope.explain(xdscope.File("x.yaml", "a: ["), "/a.B/C")
    assert error.value.status == 3
    with pytest.raises(xdscope.XdscopeError, match="nobody") as error:
        xdscope.lint(cluster(), clients=["nobody"])
    assert error.value.status == 2


def test_a_lack_of_memory_is_an_error_and_the_next_call_works():
    if _program.is_there():
        pytest.skip("the program has all the memory there is")
    many = b"[" + b'{"@type":"envoy.config.cluster.v3.Cluster","name":"a"},' * (3 << 20) + b"{}]"
    with pytest.raises(xdscope.XdscopeError, match="memory"):
        xdscope.lint(xdscope.File("many.json", many))
    assert xdscope.lint(cluster()).accepted


def test_the_program_runs_as_a_module():
    if not _program.is_there():
        pytest.skip("this wheel has no program")
    said = subprocess.run([sys.executable, "-m", "xdscope", "lint", SHOP], capture_output=True, text=True, check=False)
    assert said.returncode == 1 and "2 of 10 resources would be rejected" in said.stdout


def test_on_windows_the_status_is_that_of_the_program(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("XDSCOPE_PROGRAM", SAYS)
    monkeypatch.setattr(sys, "argv", ["xdscope", "lint", "-q", str(SHOP)])
    with pytest.raises(SystemExit) as end:
        __main__.main()
    assert end.value.code == 1


def test_the_licenses_of_what_is_linked_are_in_the_wheel():
    text = metadata.distribution("xdscope").read_text("THIRD-PARTY")
    assert all(f"==== {name}" in text or f"==== lib{name}" in text for name in ("protobuf-c", "cjson", "pcre2", "yaml", "xxhash", "zstd"))

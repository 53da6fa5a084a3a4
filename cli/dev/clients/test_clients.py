"""test_clients.py - what needs no client: `make check-rules` runs it."""
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import answers
import cases
import channel
import clients
import compare
import minimise
import mutate
import pairs
import reasons
import record
import schema
import wire
import discovery
from message import decode, oddities
from xds_resource import Answer, Resource

for part in ("live", "servers"):
    sys.path.append(str(pathlib.Path(__file__).parent / part))
import compare_live  # noqa: E402
import compare_servers  # noqa: E402

ROUTES = (wire.data(1, "r") +
          wire.data(2, wire.data(1, "v") + wire.data(2, "*") +
                    wire.data(3, wire.data(1, wire.data(1, "/")) +
                              wire.data(2, wire.data(1, "c")))))


class Wire(unittest.TestCase):
    def test_what_is_read_is_written_again(self):
        group = wire.varint(4 << 3 | wire.GROUP) + wire.uint(1, 5) + wire.varint(
            4 << 3 | wire.END_GROUP)
        message = wire.uint(1, 300) + wire.data(2, "a") + group + b"\x1d1234"
        self.assertEqual(wire.write(wire.fields(message)), message)
        self.assertEqual(wire.fields(group), [(4, wire.GROUP, wire.uint(1, 5))])

    def test_a_negative_number_has_ten_bytes(self):
        self.assertEqual(len(wire.varint(-1)), 10)

    def test_what_is_cut_off_is_malformed(self):
        for message in (b"\x0a\x05a", b"\x80", b"\x00\x00", b"\x0b\x08\x01", b"\x0c", b"\x0e"):
            self.assertFalse(wire.is_message(message), message)


class Nack(unittest.TestCase):
    def test_each_resource_gets_its_text(self):
        error = "validation errors: [resource index 1: a: X; resource index 3: b: Y]"
        found = channel.read_answer([None] * 3, error)
        self.assertEqual([tuple(a) for a in found],
                         [("NACK", "a: X"), ("ACK", ""), ("NACK", "b: Y")])

    def test_an_index_in_a_text_is_a_text(self):
        error = "[resource index 2: a; resource index 1: b]"
        self.assertEqual(channel.texts_by_index(error, 3),
                         {2: "a; resource index 1: b"})

    def test_a_text_without_an_index_is_for_the_only_resource(self):
        self.assertEqual(channel.read_answer([None], "no")[0].text, "no")
        self.assertIsNone(channel.read_answer([None] * 2, "no"))


class Late(unittest.TestCase):
    """A parser that answers a second after it was asked."""
    program = ("import json, sys, time\n"
               "for line in sys.stdin:\n"
               "    time.sleep(1)\n"
               "    print(json.dumps({'nonce': json.loads(line)['nonce']}), flush=True)")

    def asked(self, limits):
        with tempfile.TemporaryDirectory() as folder:
            client = clients.Client("late", (), (sys.executable, "{release}/late.py"), "", (),
                                    1, 64, "pipe")
            installed = clients.Installed(client, "1.0.0")
            installed.folder = pathlib.Path(folder)
            (installed.folder / "late.py").write_text(self.program)
            with mock.patch.object(channel, "QUICK", channel.Limits(20, 0)), \
                 mock.patch.object(channel, "PATIENT", limits):
                resource = Resource("r", discovery.RDS, discovery.RDS, ROUTES)
                return answers.ask_once(None, installed, [resource])["r"]

    def test_what_is_late_is_waited_for(self):
        self.assertEqual(self.asked(channel.Limits(20, 20)).verdict, "ACK")

    def test_what_hangs_kills(self):
        self.assertEqual(self.asked(channel.Limits(20, 0)).verdict, "CRASH")


class Cases(unittest.TestCase):
    def test_arguments_that_matter_are_read(self):
        args = cases.Arguments("lint --client go --env A=b --type=route --partial 'a b' c")
        self.assertEqual((args.inputs, args.env), (["a b", "c"], {"A": "b"}))
        self.assertEqual(args.type_words(), ["--type", "route"])

    def test_other_commands_are_left_out(self):
        with self.assertRaises(cases.LeftOut):
            cases.Arguments("simulate a")

    def test_a_response_is_told_from_a_resource(self):
        response = discovery.response(discovery.RDS, "", [(discovery.RDS, ROUTES)])
        self.assertEqual(cases.from_response(response), [(discovery.RDS, discovery.RDS, ROUTES)])
        self.assertIsNone(cases.from_response(ROUTES))


class Record(unittest.TestCase):
    def test_a_verdict_holds_until_the_next(self):
        verdicts = [("1.52.3", "ACK"), ("1.53.0", "ACK"), ("1.60.1", "NACK"), ("1.61.0", "ACK")]
        self.assertEqual(record.runs(verdicts), "ACK 1.52 NACK 1.60 ACK 1.61")

    def test_cases_that_were_not_asked_stay(self):
        names = sorted(str(p.relative_to(record.ROOT / "testdata/rules"))[:-len(".case")]
                       for p in (record.ROOT / "testdata/rules").glob("address-*/*.case"))[:4]
        stays, asked, left_out, other = names
        before = record.FOLDER
        with tempfile.TemporaryDirectory() as folder:
            record.FOLDER = pathlib.Path(folder)
            path = record.FOLDER / "go.tsv"
            path.write_text("# releases: 1.1.0 1.2.0\n%s\tACK 1.1\nno/case\tACK 1.1\n"
                            "# %s\tnot asked yet\n# %s\tnot asked yet\n" % (stays, asked, other))
            self.assertEqual(record.not_asked(), {asked, other})
            verdicts = {asked: ["ACK", "NACK"]}
            record.write_releases("go", ["1.1.0", "1.2.0"], verdicts, {left_out: "why"})
            self.assertEqual(path.read_text(), (
                "# releases: 1.1.0 1.2.0\n%s\tACK 1.1\n%s\tACK 1.1 NACK 1.2\n# %s\twhy\n"
                "# %s\tnot asked yet\n") % (stays, asked, left_out, other))
            with self.assertRaises(ValueError):
                record.write_releases("go", ["1.1.0"], {asked: ["ACK"]}, {})
        record.FOLDER = before


class Compare(unittest.TestCase):
    def test_texts_that_differ_in_names_are_one_cause(self):
        texts = ('resource "a": listeners[3]: bad x:{y:{z:1}}  port 70000',
                 'resource "b": listeners[0]: bad x:{} port -1')
        self.assertEqual(*map(compare.normal, texts))
        core = ("a/b: INVALID_ARGUMENT: errors validating Cluster resource: [field:x]",
                "xdstp://c: INVALID_ARGUMENT: errors validating Cluster resource: [field:x]")
        self.assertEqual(*map(compare.normal, core))

    def test_only_what_dies_in_use_may_be_accepted_where_it_kills(self):
        def differs(client, xdscope):
            resource = Resource("r", discovery.RDS, discovery.RDS, ROUTES)
            answers = {"r": Answer(client)}
            return bool(compare.differences([resource], answers, {"r": xdscope}))

        self.assertFalse(differs("CRASH", "CRASH"))
        self.assertFalse(differs("ACK", "CRASH"))
        self.assertFalse(differs("-", "NACK"))
        self.assertTrue(differs("NACK", "CRASH"))
        self.assertTrue(differs("CRASH", "NACK"))
        self.assertTrue(differs("CRASH", "ACK"))


class Pairs(unittest.TestCase):
    def test_both_orders_of_one_type(self):
        asked = [Resource("a/x#0", discovery.LDS, discovery.LDS, b"1", (("V", "1"),)),
                 Resource("b/x#0", discovery.LDS, discovery.LDS, b"2"),
                 Resource("b/y#0", discovery.LDS, discovery.LDS, b"3"),
                 Resource("c/x#0", discovery.RDS, discovery.RDS, b"4"),
                 Resource("d/x#0", discovery.LDS, discovery.LDS, b"5", (("V", "2"),))]
        told = {r.id: Answer("NACK") for r in asked}
        told["a/x#0"] = Answer("CRASH")
        made = pairs.resources(asked, told)
        self.assertEqual([(r.id, r.value, r.env) for r in made],
                         [("a/x#0 + b/x#0", b"12", (("V", "1"),)),
                          ("b/x#0 + a/x#0", b"21", (("V", "1"),))])


class Mutation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = schema.load()
        cls.seeds = [Resource("a", discovery.RDS, discovery.RDS, ROUTES),
                     Resource("b", discovery.LDS, discovery.LDS, discovery.CHAIN[discovery.LDS])]

    def made(self, seed):
        return list(mutate.Mutator(self.schema, self.seeds, seed).resources(200))

    def test_a_seed_gives_the_same_resources(self):
        self.assertEqual(self.made(1), self.made(1))
        self.assertNotEqual(self.made(1), self.made(2))

    def test_fields_that_gRPC_reads_are_known(self):
        fields = self.schema.messages["envoy.config.route.v3.RouteConfiguration"]
        self.assertTrue(fields[2].read)
        self.assertFalse(fields[3].read)

    def test_a_tree_is_written_as_it_was_read(self):
        for seed in self.seeds:
            tree = decode(self.schema, seed.url.split("/")[-1], seed.value)
            self.assertEqual(tree.encode(), seed.value)
            self.assertGreater(len(list(tree.messages())), 3)

    def test_what_is_odd_about_bytes_is_named(self):
        def odd(value):
            tree = decode(self.schema, "envoy.config.route.v3.RouteConfiguration", value)
            return oddities(self.schema, tree)

        self.assertEqual(odd(ROUTES), set())
        self.assertEqual(odd(ROUTES + b"\x0a\x01\0\x0b\x0c"), {"NUL", "group"})
        self.assertEqual(odd(b"\x0a"), {"no message"})

    def test_smaller_resources_lack_a_part(self):
        found = minimise.smaller(self.schema, self.seeds[0])
        self.assertIn(wire.data(1, "r"), [r.value for r in found])
        self.assertTrue(all(len(r.value) < len(ROUTES) for r in found))


class Live(unittest.TestCase):
    """A quarter of the RPCs goes to cluster a, which drops a third of them."""
    decision = {
        "outcome": "routed", "status": None, "virtual_host": {"index": 0}, "route": {"index": 2},
        "clusters": [{"name": "a", "probability": 0.25, "drop_probability": 1 / 3},
                     {"name": "b", "probability": 0.75, "drop_probability": 0}],
        "cluster": None, "drop_probability": None, "hash": None, "hash_of_channel": False,
        "host": None, "set_cookie": None, "faults": None, "method_config": None,
        "hosts": [{"address": "h:1", "cluster": "a", "probability": 1},
                  {"address": "h:2", "cluster": "b", "probability": 1}]}
    case = {"snapshot": [{"name": "b", "lb_policy": "RING_HASH"}]}
    request = {"headers": []}

    def differs(self, counts, failed=0, **changed):
        answer = {"hosts": counts, "failures": {"UNAVAILABLE": failed} if failed else {}}
        return compare_live.difference(self.case, self.request, answer, {**self.decision, **changed})

    def test_counts_may_be_as_far_from_their_share_as_chance_allows(self):
        self.assertIsNone(self.differs({"h:1": 100, "h:2": 450}, 50))
        self.assertIn("h:1", self.differs({"h:1": 150, "h:2": 450}))
        self.assertIn("h:3", self.differs({"h:1": 100, "h:2": 449, "h:3": 1}, 50))

    def test_a_channel_has_one_host_of_a_ring(self):
        hosts = [*self.decision["hosts"][:1], {"address": "h:2", "cluster": "b", "probability": 0.5},
                 {"address": "h:3", "cluster": "b", "probability": 0.5}]
        one, two = {"h:1": 100, "h:3": 450}, {"h:1": 100, "h:2": 225, "h:3": 225}
        self.assertIsNone(self.differs(one, 50, hosts=hosts, hash_of_channel=True))
        self.assertIn("each channel", self.differs(two, 50, hosts=hosts, hash_of_channel=True))
        self.assertIsNone(self.differs(two, 50, hosts=hosts))

    def test_what_the_client_says_of_its_decision_is_compared(self):
        for answer, same in (({"route": 2, "virtual_host": 0}, True), ({"route": 1}, False),
                             ({"timeout": 5.0}, False), ({"retry": None, "timeout": None}, True)):
            found = compare_live.difference(self.case, self.request, answer, self.decision)
            self.assertEqual(found is None, same, answer)


class Servers(unittest.TestCase):
    served = {"served": True, "settled": True, "code": "0"}
    denied = {"served": False, "settled": True, "code": "7",
              "message": "[xDS node id: n]: matched \"p%31\""}
    closed = {"served": False, "settled": False, "failed": "closed", "words": "EOF"}
    refused = {**closed, "failed": "refused"}

    @staticmethod
    def decision(outcome, code=None, message=None, **more):
        status = {"code": code, "message": message} if code else None
        return {"outcome": outcome, "status": status, "filters": [], "security": None, **more}

    def wrong(self, answer, decision):
        return compare_servers.difference({}, answer, decision)

    def test_what_is_served(self):
        self.assertIsNone(self.wrong(self.served, self.decision("served")))
        self.assertIn("denied", self.wrong(self.served, self.decision("denied", "PERMISSION_DENIED")))
        self.assertIn("closed", self.wrong(self.closed, self.decision("served")))

    def test_words_without_the_node(self):
        for message, fits in (("matched \"p1\"", True), ("matched \"p2\"", False)):
            found = self.wrong(self.denied, self.decision("denied", "PERMISSION_DENIED", message))
            self.assertEqual(found is None, fits)

    def test_a_server_that_does_not_serve(self):
        deaf = self.decision("not_serving", reason="it does not listen")
        mute = self.decision("not_serving", reason="it accepts connections and closes them")
        self.assertIsNone(self.wrong(self.refused, deaf))
        self.assertIsNone(self.wrong(self.closed, mute))
        self.assertIsNotNone(self.wrong(self.refused, mute))
        self.assertIsNotNone(self.wrong(self.closed, deaf))

    def test_a_server_that_dies(self):
        case = {"client": "core", "rpcs": [{}, {}, {}], "answers": [self.served, self.refused, self.refused]}
        decisions = [self.decision(o) for o in ("served", "crash", "served")]
        for died, count in (("panic", 0), (None, 2)):
            found = compare_servers.differences({**case, "server": {"died": died}}, decisions)
            self.assertEqual(len(found), count)


class Reasons(unittest.TestCase):
    def test_errors_of_core_are_compared_without_order_values_and_name(self):
        one = 'w: INVALID_ARGUMENT: errors validating X: [field:a[0] error:bad "x"; field:b error:no]'
        other = 'errors validating X: [field:b error:no; field:a[7] error:bad "y"]'
        self.assertEqual(reasons.listed(one), reasons.listed(other))

    def test_what_is_said_of_a_name_comes_after_the_list(self):
        one = "xdstp://: INVALID_ARGUMENT: errors of X: [field:a error:b]; xdstp://: Cannot parse xDS resource name"
        other = "errors of X: [field:a error:b]; Cannot parse xDS resource name"
        self.assertEqual(reasons.listed(one), reasons.listed(other))
        self.assertEqual(sum(reasons.listed(one).values()), 2)

    def test_a_text_without_a_list_is_one_error(self):
        self.assertEqual(sum(reasons.listed("Listener has neither").values()), 1)


if __name__ == "__main__":
    unittest.main()

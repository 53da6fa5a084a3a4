"""Texts as people and attackers write them: regexes, addresses, names of resources, headers. Each
kind has usual ones and odd ones, made of parts so that no list has them all."""

LETTERS = "abcxyzAZ09_-./ :é€\U0001f600"
CLASSES = ["\\d", "\\W", "\\s", "\\pL", "\\p{Greek}", "\\p{^Lu}", "\\PN", "\\p{Foo}", "[[:alpha:]]",
           "[[:^digit:]]", "[[:foo:]]", "[^a-z]", "[a-\\d]", "[z-a]", "[]a]", "[^]", "[a-z&&[b]]",
           "[\\pL\\d]", "[\\x{10FFFF}]", "[[a]]", "\\h", "\\R", "\\X", "\\N", "\\C"]
ESCAPES = ["\\.", "\\/", "\\x41", "\\x{1F600}", "\\x{110000}", "\\101", "\\0", "\\8", "\\1", "\\k<n>",
           "\\u0041", "\\cA", "\\e", "\\a", "\\Q.*\\E", "\\Q", "\\E", "\\_", "\\-", "\\<", "\\é", "\\"]
ANCHORS = ["^", "$", "\\b", "\\B", "\\A", "\\z", "\\Z", "\\G"]
REPEATS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{2,}", "{1,3}", "{1,3}?", "{0}", "{0,0}", "{1000}",
           "{1001}", "{3,1}", "{,3}", "{a}", "{", "}", "**", "*+", "++", "?+", "{2}{3}", "{ 1,2}"]
GROUPS = ["(%s)", "(?:%s)", "(?i:%s)", "(?i-s:%s)", "(?P<n>%s)", "(?<n>%s)", "(?'n'%s)", "(?P<1n>%s)",
          "(?P<n>%s)(?P<n>b)", "(?=%s)", "(?!%s)", "(?<=%s)", "(?<!%s)", "(?>%s)", "(?#%s)", "(?x: %s )",
          "(?U:%s)", "(?m)%s", "(?u)%s", "(?z)%s", "(?i%s", "(%s", "%s)", "(?%s)", "(?P=n%s)", "((((%s))))"]
HOSTS = ["10.0.0.1", "127.0.0.1", "0.0.0.0", "::1", "::", "2001:db8::1", "fe80::1", "::ffff:10.0.0.1",
         "2001:db8:0:0:0:0:0:1"]
ODD_HOSTS = ["010.0.0.1", "10.0.0.256", "10.0.0", "10.1", "0x0a.0.0.1", "167772161", "10.0.0.1.", "[::1]",
             "::1%lo", "::1%1", "fe80::1%", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "::10.0.0",
             "::ffff:010.0.0.1", "1::2::3", "localhost", "svc.ns.svc.cluster.local", "unix:/tmp/s", "", " ",
             "10.0.0.1:80", "::1]:80", "[::1", "::1]", "10.0.0.1/32", "１０.0.0.1", "10.0.0.1 ", "+1.0.0.1",
             "2001:DB8::A", "::FFFF:0a00:0001", "a::g", "::1.2.3.4.5"]
DOMAINS = ["*", "svc", "svc.example.com", "*.example.com", "svc.*", "SVC.example.com", "svc:80", "a.b.c.d.e"]
ODD_DOMAINS = ["", "**", "a*b", "*a*", "*.", ".*", "*.*", " svc", "svc/", "é.example.com", "x" * 300, "*svc*",
               "svc\x00", "\x7f"]
PATHS = ["/", "/pkg.Svc/Method", "/pkg.Svc/", "/pkg", "/pkg.Svc/M/extra"]
ODD_PATHS = ["", "pkg", "//", "/pkg//M", "/a b", "/pkg.Svc", "/é", "/%41", "/x?y", "/#", " /", "/\x00", "*", "/*"]
HEADERS = ["x-user", "user-agent", "content-type", ":path", ":authority", ":method", "te", "x-bin", "cookie",
           "grpc-timeout", "grpc-previous-rpc-attempts", "x-very-" + "long-" * 20 + "name"]
ODD_HEADERS = ["", "X-User", "x user", ":", ":scheme", ":status", "host", "Host", "grpc-", "x\x00", "é", "x:",
               "Grpc-Foo", "x" * 20000, "-bin", "connection", "x_y", "x\n"]
VALUES = ["a", "1", "application/grpc", "a,b", "trailers", ""]
ODD_VALUES = ["\x00", "é", " a ", "a\n", "x" * 17000, "%HOSTNAME%", "\x7f"]
NAMES = ["c", "default/svc", "outbound|80||svc.ns.svc.cluster.local", "a-b_c.d"]
ODD_NAMES = ["", " ", "xdstp:", "xdstp://", "xdstp:///", "xdstp://a/", "xdstp://a/envoy.config.cluster.v3.Cluster/c",
             "xdstp://a/envoy.config.cluster.v3.Cluster/c?x=1&a=2", "xdstp:///envoy.config.route.v3.RouteConfiguration/r",
             "xdstp://a/envoy.config.endpoint.v3.ClusterLoadAssignment/e#f", "xdstp://b:80/envoy.config.cluster.v3.Cluster/%",
             "XDSTP://a/t/c", "http://a/b", "x" * 5000, "é", "a\x00b", "cluster:c", "xdstp://a/foo/c"]
SANS = ["svc.example.com", "*.example.com", "spiffe://td/ns/a/sa/b", "10.0.0.1", "a@b.c"]
ODD_SANS = ["", "*", "SVC.example.com", "spiffe://", "\x00", "é"]
COOKIES = ["session", "c", "GLOBAL_c"]
ODD_COOKIES = ["", "a b", "a=b", "a;b", "é", "\x00", ",", "(x)"]
CODES = ["unavailable", "cancelled", "deadline-exceeded", "internal", "resource-exhausted", "unavailable,cancelled"]
ODD_CODES = ["", "UNAVAILABLE", "5xx", "unavailable, cancelled", " unavailable", "gateway-error", "aborted", ",",
             "unavailable,,internal", "unknown", "retriable-4xx", "14"]
TARGETS = ["dns:///rls.example.com", "rls.example.com:443", "xds:///rls", "ipv4:10.0.0.1:80", "unix:/tmp/s"]
ODD_TARGETS = ["", "dns:///", "foo:///bar", "dns://[::1]:53/x", "http://x/y", ":::", "dns:///x:port", "%", "a b",
               "google-c2p:///x", "passthrough:///x", "unix://x/y"]


class Texts:
    """random: draws all of them. odd: how often a text is an odd one."""

    def __init__(self, random, odd):
        self.r, self.odd = random, odd

    def pick(self, usual, odd):
        if self.r.random() >= self.odd:
            return self.r.choice(usual)
        found = self.r.choice(odd)
        return found if self.r.random() < 0.8 else self.bent(found)

    def bent(self, text):
        """With one character put in, left out or changed."""
        at = self.r.randrange(len(text) + 1)
        extra = self.r.choice(LETTERS + "%*\x00\t[]{}()?=&#@\\")
        return self.r.choice((text[:at] + extra + text[at:], text[:at] + text[at + 1:],
                              text[:at] + extra + text[at + 1:], text.upper(), text + text))

    def atom(self, depth):
        kind = self.r.random()
        if kind < 0.4 or depth > 3:
            return "".join(self.r.choice(LETTERS) for _ in range(self.r.randrange(1, 4)))
        if kind < 0.6:
            return self.r.choice(CLASSES)
        if kind < 0.72:
            return self.r.choice(ESCAPES)
        if kind < 0.78:
            return self.r.choice(ANCHORS)
        group = self.r.choice(GROUPS)
        return group.replace("%s", self.branches(depth + 1))

    def branches(self, depth):
        parts = []
        for _ in range(self.r.choice((1, 1, 2, 3))):
            parts.append(self.atom(depth))
            if self.r.random() < 0.35:
                parts.append(self.r.choice(REPEATS))
            if self.r.random() < 0.12:
                parts.append("|")
        return "".join(parts)

    def regex(self):
        if self.r.random() >= self.odd:
            return self.r.choice(["/pkg.*", "a|b", "[a-z]+", ".*", "/(foo|bar)/[^/]+", "v[0-9]{1,3}"])
        return self.branches(0)

    def host(self):
        if self.r.random() < self.odd * 0.2:
            groups = ["%x" % self.r.randrange(65536) for _ in range(self.r.randrange(6, 10))]
            return ":".join(groups)
        return self.pick(HOSTS, ODD_HOSTS)

    def domain(self):
        return self.pick(DOMAINS, ODD_DOMAINS)

    def path(self):
        return self.pick(PATHS, ODD_PATHS)

    def header(self):
        return self.pick(HEADERS, ODD_HEADERS)

    def header_value(self):
        return self.pick(VALUES, ODD_VALUES)

    def name(self):
        return self.pick(NAMES, ODD_NAMES)

    def san(self):
        return self.pick(SANS, ODD_SANS)

    def cookie(self):
        return self.pick(COOKIES, ODD_COOKIES)

    def codes(self):
        return self.pick(CODES, ODD_CODES)

    def target(self):
        return self.pick(TARGETS, ODD_TARGETS)

    def either(self, usual, odd):
        return self.r.choice(odd if self.r.random() < self.odd else usual)

    def duration(self):
        return self.either(["1s", "0.5s", "30s", "0.000001s"],
                           ["0s", "-1s", "315576000000s", "0.000000001s", "-0.5s", "9000000000s"])

    def count(self):
        return self.either([1, 2, 3, 10, 100],
                           [0, 101, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1])

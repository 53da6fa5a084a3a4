"""Two faults in one resource: which of them a client meets first decides between NACK and CRASH.
The bytes of two messages in a row are one message that has the fields of both: of lists those
of the first come first."""
from xds_resource import Resource


def of_each_rule(resources, told, verdict):
    """By rule and type one resource with this verdict that is a case of its own."""
    found = {}
    for r in resources:
        rule = r.id.split("/")[0]
        if told[r.id].verdict == verdict and r.id.endswith("#0") and r.url == r.type_url:
            found.setdefault((rule, r.type_url), r)
    return list(found.values())


def join(first, second):
    """Or None: a variable cannot have two values, nor a client two bootstraps."""
    env = dict(first.env)
    if any(env.setdefault(name, value) != value for name, value in second.env):
        return None
    if first.bootstrap and second.bootstrap and first.bootstrap != second.bootstrap:
        return None
    return Resource("%s + %s" % (first.id, second.id), first.type_url, first.url,
                    first.value + second.value, tuple(sorted(env.items())),
                    first.bootstrap or second.bootstrap)


def resources(asked, told):
    """Each fault that kills the release with each that it rejects, in both orders."""
    rejected = of_each_rule(asked, told, "NACK")
    both = [pair for killing in of_each_rule(asked, told, "CRASH") for other in rejected
            if other.type_url == killing.type_url
            for pair in ((killing, other), (other, killing))]
    return [made for made in (join(*pair) for pair in both) if made]

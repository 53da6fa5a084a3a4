"""Keeps what a release has answered, below build/clients/answers: a resource whose bytes,
environment and bootstrap are the same is not asked about again. Remove the folder to ask
anew."""
import json

from channel import NO_ANSWER, Judge
from clients import BUILD
from xds_resource import Answer


class Kept:
    def __init__(self, client, release):
        self.path = BUILD / "answers" / ("%s-%s.json" % (client, release))
        self.rows = json.loads(self.path.read_text()) if self.path.exists() else {}

    def get(self, resource):
        row = self.rows.get(resource.digest())
        return Answer(*row) if row else None

    def add(self, resource, answer):
        self.rows[resource.digest()] = answer

    def save(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(self.rows))
        part.replace(self.path)


def ask(server, installed, resources):
    """The answers by id."""
    kept = Kept(installed.client.name, installed.release)
    new = [r for r in resources if kept.get(r) is None]
    told = ask_once(server, installed, new) if new else {}
    for r in new:
        kept.add(r, told[r.id])
    if new:
        kept.save()
    return {r.id: told.get(r.id) or kept.get(r) for r in resources}


def ask_once(server, installed, resources):
    """The same for resources that no later run will ask about."""
    told = judged(Judge(server, installed), resources)
    # On a busy machine a client is late that does not hang.
    late = [r for r in resources if told[r.id].text.startswith(NO_ANSWER)]
    return {**told, **judged(Judge(server, installed, alone=True), late)}


def judged(judge, resources):
    try:
        return judge.judge(resources)
    finally:
        judge.stop()

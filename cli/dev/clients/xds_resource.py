"""What is judged: one resource, with the environment and the bootstrap of the client."""
import hashlib
from typing import NamedTuple


class Resource(NamedTuple):
    id: str
    type_url: str           # of the response
    url: str                # of the Any, which may be another
    value: bytes
    env: tuple = ()         # pairs of name and value, sorted
    bootstrap: str = ""     # JSON, or empty

    def digest(self):
        """That of everything but the id."""
        return hashlib.sha256(repr(self[1:]).encode()).hexdigest()[:24]


class Answer(NamedTuple):
    verdict: str            # ACK, NACK, CRASH, or - if the client cannot be asked
    text: str = ""          # of the NACK, or how it died

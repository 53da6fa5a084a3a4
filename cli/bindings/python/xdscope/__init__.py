"""What gRPC clients make of an xDS snapshot: would they accept it, where does an RPC go, what does a change do.

Resources are a path (file or folder), a File, bytes, a protobuf message, or several of these. The answers are those of
``xdscope lint``, ``explain`` and ``diff`` with ``--format json``; ``raw`` has all of a document.
"""

from xdscope._api import (
    Decision,
    Difference,
    File,
    Finding,
    Resource,
    Resources,
    Report,
    ResourceId,
    XdscopeError,
    assert_accepted,
    diff,
    explain,
    explain_as,
    lint,
    lint_as,
)

__all__ = [
    "Decision", "Difference", "File", "Finding", "Report", "Resource", "ResourceId", "Resources", "XdscopeError",
    "assert_accepted", "diff", "explain", "explain_as", "lint", "lint_as",
]

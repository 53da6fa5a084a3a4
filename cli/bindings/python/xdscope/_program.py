"""The program that the wheel carries."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def path() -> str:
    """Of the program; XDSCOPE_PROGRAM names another one."""
    return os.environ.get("XDSCOPE_PROGRAM") or str(Path(__file__).with_name("program") / ("xdscope.exe" if sys.platform == "win32" else "xdscope"))


def is_there() -> bool:
    """Else the wheel is the one for all systems, with xdscope.wasm."""
    return os.path.exists(path())

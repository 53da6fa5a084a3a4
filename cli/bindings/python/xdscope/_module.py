"""The library as WebAssembly, for systems that the program is not built for: what cli/bindings/README.md describes."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import wasmtime

FILE = Path(__file__).with_name("xdscope.wasm")
NO_FILE = 8  # errno of WASI: the module needs nothing of a system

_lock = threading.Lock()
_engine = wasmtime.Engine()
_code: Optional[wasmtime.Module] = None


class Stopped(Exception):
    """The module trapped; the next call gets another instance."""


class _Instance:
    def __init__(self, code: wasmtime.Module) -> None:
        self.store = wasmtime.Store(_engine)
        linker = wasmtime.Linker(_engine)
        for wanted in code.imports:
            results = [NO_FILE] * len(wanted.type.results)  # type: ignore[union-attr]
            linker.define_func(
                wanted.module, wanted.name or "", wanted.type,  # type: ignore[arg-type]
                lambda *_, results=results: results[0] if results else None)
        self.exports = linker.instantiate(self.store, code).exports(self.store)
        self.call("_initialize")

    def call(self, name: str, *args: int) -> Any:
        return self.exports[name](self.store, *args)  # type: ignore[operator]


_instance: Optional[_Instance] = None


def ask(command: str, request: Dict[str, Any], contents: List[bytes]) -> Tuple[int, bytes]:
    """The status and what was printed, of a request and the contents of its inputs."""
    global _code, _instance
    text = json.dumps(request).encode() + b"\n" + b"".join(contents)
    with _lock:
        try:
            if _code is None:
                _code = wasmtime.Module.from_file(_engine, str(FILE))
            if _instance is None:
                _instance = _Instance(_code)
            at = _instance.call("xdscope_alloc", len(text))
            if at == 0:
                raise Stopped("no memory for the request")
            memory: Any = _instance.exports["memory"]
            memory.write(_instance.store, text, at)
            status = _instance.call("xdscope_" + command, at, len(text))
            data, size = _instance.call("xdscope_output"), _instance.call("xdscope_output_size")
            output = bytes(memory.read(_instance.store, data, data + size))
            _instance.call("xdscope_free", at)
            return status, output
        except (Stopped, wasmtime.WasmtimeError, wasmtime.Trap) as error:
            _instance = None
            raise Stopped("the module stopped, maybe out of memory: %s" % str(error).split("\n")[0]) from error

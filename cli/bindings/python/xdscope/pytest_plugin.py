"""pytest: the fixture assert_accepted, and --xdscope-client for the clients that it asks."""

from __future__ import annotations

from typing import Any, Callable

import pytest

import xdscope


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--xdscope-client", action="append", default=[], metavar="NAME",
                     help="clients for assert_accepted, such as core@1.72; may be repeated (default: all)")


@pytest.fixture
def assert_accepted(request: pytest.FixtureRequest) -> Callable[..., xdscope.Report]:
    def check(resources: xdscope.Resources, **options: Any) -> xdscope.Report:
        __tracebackhide__ = True
        options.setdefault("clients", request.config.getoption("--xdscope-client"))
        return xdscope.assert_accepted(resources, **options)

    return check

"""A browser, a server with a library, and a person who is signed in."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from stowboard.console.files import BUILT
from support.clients.people import fresh_name, invited
from support.console import library
from support.console.consenting import Person
from support.console.visitor import DESKTOP, HOST, OPEN_LIBRARY, PATIENCE_MS, Visitor, chromium
from support.servers.stowboard import Server
from support.webhooks.receiver import ALLOWED


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """One for all files of this folder, each visitor with a context of their own. It reaches nothing but this machine.

    Not one for the whole run: while it is there, an event loop runs in this thread, and other tests want their own.
    """
    names = f"MAP {HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
    with chromium(f"--host-resolver-rules={names}") as launched:
        yield launched


@pytest.fixture(scope="module")
def console_server(make_server: Callable[[dict[str, str]], Server]) -> Server:
    """One of the module's own, embedded: what differs on the cluster is tested over HTTP."""
    if not (BUILT / "index.html").is_file():
        pytest.skip("NOT TESTED: the console was not built; `python -m build_steps.console` says why")
    settings = {"STOWBOARD_RATE_LIMIT_PER_MINUTE": "6000000", "STOWBOARD_SIGN_INS_PER_MINUTE": "100000"}
    return make_server(settings | ALLOWED)


@pytest.fixture(scope="module")
def contents(console_server: Server) -> dict[str, str]:
    """Ids by name, of what support/console/library.py puts there."""
    return library.fill(console_server, invited(console_server, fresh_name("filler")).bearer())


@pytest.fixture
def visit(request: pytest.FixtureRequest, console_server: Server, browser: Any) -> Iterator[Callable[..., Visitor]]:
    """Signs somebody in: `visit()`, `visit(role="admin", viewport=PHONE)`. Nothing may be refused by the page's policy,
    asked of another origin or complained about, whatever the test does. In modules with OPENS_LIBRARY the
    Library is open."""
    visitors: list[Visitor] = []

    def begin(role: str = "member", origin: str | None = None, **options: Any) -> Visitor:
        context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **options})
        context.set_default_timeout(PATIENCE_MS)
        if getattr(request.module, "OPENS_LIBRARY", False):
            context.add_init_script(OPEN_LIBRARY)
        visitor = Visitor(context, console_server, origin)
        visitor.join(fresh_name("visitor"), role)
        visitors.append(visitor)
        return visitor

    yield begin
    for visitor in visitors:
        noted = (visitor.refused(), visitor.elsewhere, visitor.complaints)
        visitor.context.close()
        assert noted == ([], [], [])


@pytest.fixture
def person(server: Server, browser: Any) -> Iterator[Person]:
    """Somebody who is asked whether a program may act for them, by the module's own server."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    person = Person(server, context)
    yield person
    assert person.complaints == []
    context.close()

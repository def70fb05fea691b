"""A server that may send to this machine, by push, mail and to any address, and people on it."""

from collections.abc import Iterator

import pytest

from support.mail.relay import MailRelay
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.webhooks.receiver import ALLOWED, Receiver

_servers: dict[str, Server] = {}


@pytest.fixture(scope="session")
def relay() -> Iterator[MailRelay]:
    with MailRelay() as relay:
        yield relay


@pytest.fixture
def telling_server(stack: Stack, make_lasting_server: MakeServer, relay: MailRelay) -> Server:
    """One for each stack."""
    if stack.name not in _servers:
        settings = {
            "STOWBOARD_SMTP_URL": relay.url, "STOWBOARD_MAIL_FROM": "stow@example.org",
            "STOWBOARD_PUSH_HOSTS": "127.0.0.1",
        }  # fmt: skip
        _servers[stack.name] = make_lasting_server(stack() | UNLIMITED | ALLOWED | settings)
    return _servers[stack.name]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver

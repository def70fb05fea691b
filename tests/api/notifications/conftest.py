"""A server that may send to this machine, by push, mail and to any address, and people on it."""

from collections.abc import Iterator

import pytest

from support.mail.relay import MailRelay
from support.servers.stacks import FolderServer, Stack
from support.servers.stowboard import Server
from support.webhooks.receiver import ALLOWED, Receiver


@pytest.fixture(scope="session")
def relay() -> Iterator[MailRelay]:
    with MailRelay() as relay:
        yield relay


@pytest.fixture
def telling_server(stack: Stack, folder_server: FolderServer, relay: MailRelay) -> Server:
    settings = {
        "STOWBOARD_SMTP_URL": relay.url, "STOWBOARD_MAIL_FROM": "stow@example.org",
        "STOWBOARD_PUSH_HOSTS": "127.0.0.1",
    }  # fmt: skip
    return folder_server(stack, ALLOWED | settings)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver

"""The types of the fixtures `stack`, `make_server` and `folder_server`, and settings that tests add."""

from collections.abc import Callable
from typing import TypeAlias

from support.servers.stowboard import Server

MakeServer: TypeAlias = Callable[..., Server]
UNLIMITED = {
    "STOWBOARD_RATE_LIMIT_PER_MINUTE": "6000000",
    "STOWBOARD_RATE_LIMIT_BURST": "10000",
    "STOWBOARD_SIGN_INS_PER_MINUTE": "100000",
}


class Stack:
    """Makes the settings of a fresh installation at each call."""

    def __init__(self, name: str, settings: Callable[[], dict[str, str]]) -> None:
        self.name = name
        self._settings = settings

    def __call__(self) -> dict[str, str]:
        return self._settings()


#: A server of this stack with these settings.
FolderServer: TypeAlias = Callable[[Stack, dict[str, str]], Server]
EMBEDDED = Stack("embedded", dict)


def on_postgres(server: Server) -> bool:
    return "STOWBOARD_DATABASE_URL" in server.environment

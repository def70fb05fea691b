"""Names of what the fixtures `stack` and `make_server` give, and settings that tests add."""

from collections.abc import Callable
from typing import TypeAlias

from support.servers.stowboard import Server

Stack: TypeAlias = Callable[[], dict[str, str]]
MakeServer: TypeAlias = Callable[..., Server]
UNLIMITED = {
    "STOWBOARD_RATE_LIMIT_PER_MINUTE": "6000000",
    "STOWBOARD_RATE_LIMIT_BURST": "10000",
    "STOWBOARD_SIGN_INS_PER_MINUTE": "100000",
}


def on_postgres(server: Server) -> bool:
    return "STOWBOARD_DATABASE_URL" in server.environment

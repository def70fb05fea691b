"""Tokens for tests, and how they are sent."""

import base64
import time
from collections.abc import Callable
from typing import TypeAlias

import httpx2

from stowboard_client import IssuedClient, IssuedToken
from support.servers.stowboard import Server

FORGOTTEN_SECONDS = 1.0
Issue: TypeAlias = Callable[..., IssuedToken]


def bearer(token: IssuedToken | str) -> dict[str, str]:
    return {"authorization": f"Bearer {token if isinstance(token, str) else token.token}"}


def statuses(server: Server, headers: dict[str, str], times: int) -> set[int]:
    """Over connections of their own, so that every process is asked."""
    with httpx2.Client(limits=httpx2.Limits(max_keepalive_connections=0)) as web:
        return {web.get(server.base_url, headers=headers).status_code for _ in range(times)}


def check_forgotten(server: Server, headers: dict[str, str], times: int = 30) -> None:
    """Credentials that were ended just now are refused everywhere, at the latest a second later."""
    latest = time.monotonic() + FORGOTTEN_SECONDS
    while True:
        asked = time.monotonic()
        seen = statuses(server, headers, times)
        if seen == {401}:
            return
        assert seen <= {200, 401}
        assert asked < latest


def basic(client: IssuedClient, secret: str | None = None) -> dict[str, str]:
    pair = f"{client.client_id}:{client.client_secret if secret is None else secret}"
    return {"authorization": "Basic " + base64.b64encode(pair.encode()).decode()}

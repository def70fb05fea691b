"""Tokens for tests, and how they are sent."""

import base64
from collections.abc import Callable
from typing import TypeAlias

from stowboard_client import IssuedClient, IssuedToken

Issue: TypeAlias = Callable[..., IssuedToken]


def bearer(token: IssuedToken | str) -> dict[str, str]:
    return {"authorization": f"Bearer {token if isinstance(token, str) else token.token}"}


def basic(client: IssuedClient, secret: str | None = None) -> dict[str, str]:
    pair = f"{client.client_id}:{client.client_secret if secret is None else secret}"
    return {"authorization": "Basic " + base64.b64encode(pair.encode()).decode()}

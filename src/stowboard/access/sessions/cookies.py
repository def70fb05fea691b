"""The cookies of a browser: its session, a step of signing in, a visit to the provider, and a known device.

Over https they carry the prefix `__Host-`, by which a browser lets no other host set them. On plain http it would drop
such a cookie, so there they go without it. Cookies know no ports: a part of the installation's own name keeps two
installations on one host apart.
"""

import base64
import hashlib
import secrets
from typing import TypeAlias

from stowboard.access.signing_keys import Installation
from stowboard.core import clock
from stowboard.core.signing import Keyring
from stowboard.http.exchange import Exchange
from stowboard.http.origin import Origins

Header: TypeAlias = tuple[str, str]
SESSION_SECONDS = 30 * 24 * 3600
#: As long as challenges live.
STEP_SECONDS = 300
#: The time that a visit to the provider may take.
PROVIDER_SECONDS = 600
KNOWN_SECONDS = 180 * 24 * 3600
_PURPOSE = "known device"


class Cookies:
    def __init__(self, installation: Installation, keyring: Keyring, origins: Origins) -> None:
        self._keyring, self._origins = keyring, origins
        self._name = f"stow-{hashlib.sha256(installation.encode()).hexdigest()[:6]}"

    def session_secret(self, exchange: Exchange) -> str | None:
        return self._value(exchange)

    def keep_session(self, exchange: Exchange, secret: str) -> Header:
        return self._set(exchange, self._name, secret, SESSION_SECONDS)

    def end_session(self, exchange: Exchange) -> Header:
        return self._set(exchange, self._name, "", 0)

    def challenge_secret(self, exchange: Exchange) -> str | None:
        """The secret that identifies a browser between two steps of signing in."""
        return self._value(exchange, "-step")

    def keep_challenge(self, exchange: Exchange, secret: str) -> Header:
        return self._set(exchange, self._name + "-step", secret, STEP_SECONDS)

    def provider_secret(self, exchange: Exchange) -> str | None:
        """The secret that identifies a browser when it comes back from the provider."""
        return self._value(exchange, "-provider")

    def keep_provider(self, exchange: Exchange, secret: str) -> Header:
        return self._set(exchange, self._name + "-provider", secret, PROVIDER_SECONDS)

    def known_device(self, exchange: Exchange, username: str) -> str | None:
        """The name of this device, if this person has signed in on it before."""
        value = self._value(exchange, "-known") or ""
        signed, _, signature = value.rpartition(".")
        head, _, key_id = signed.rpartition(".")
        if not self._keyring.verifies(_PURPOSE, key_id, f"{head} {username}".encode(), _bytes(signature)):
            return None
        device, _, until = head.partition(".")
        return device if int(until) > clock.now_ms() else None

    def keep_known(self, exchange: Exchange, username: str) -> Header:
        head = f"{secrets.token_hex(8)}.{clock.now_ms() + KNOWN_SECONDS * 1000}"
        key_id, signature = self._keyring.sign(_PURPOSE, f"{head} {username}".encode())
        text = base64.urlsafe_b64encode(signature).decode().rstrip("=")
        return self._set(exchange, self._name + "-known", f"{head}.{key_id}.{text}", KNOWN_SECONDS)

    def _value(self, exchange: Exchange, ending: str = "") -> str | None:
        name = f"{self._prefix(exchange)}{self._name}{ending}"
        for pair in (exchange.header("cookie") or "").split(";"):
            found, _, value = pair.strip().partition("=")
            if found == name:
                return value or None
        return None

    def _prefix(self, exchange: Exchange) -> str:
        return "__Host-" if self._is_secure(exchange) else ""

    def _is_secure(self, exchange: Exchange) -> bool:
        return self._origins.of(exchange).startswith("https://")

    def _set(self, exchange: Exchange, name: str, value: str, seconds: int) -> Header:
        secure = "; Secure" if self._is_secure(exchange) else ""
        flags = f"Path=/{secure}; HttpOnly; SameSite=Lax; Max-Age={seconds}"
        return "set-cookie", f"{self._prefix(exchange)}{name}={value}; {flags}"


def _bytes(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return b""

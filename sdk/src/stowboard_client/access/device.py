"""Signing a person in from a terminal (RFC 8628): they type a code on a page, and the program asks until they have."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import httpx2
import msgspec

from stowboard_client.errors import ApiError, checked
from stowboard_client.transport.auth import SignedIn
from stowboard_client.transport.call import whole
from stowboard_client.transport.drivers import AsyncDriver, SyncDriver
from stowboard_client.transport.session import Session
from stowboard_client.transport.steps import Pause, Steps

_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_UNUSED = "none"


class DeviceCode(msgspec.Struct, frozen=True):
    """A code to show to the person, and the address where they type it."""

    device_code: str
    user_code: str
    verification_uri: str
    expires_in: int
    interval: int = 5


def sign_in_by_device(
    base_url: str,
    show: Callable[[DeviceCode], None],
    *,
    scopes: Sequence[str] = (),
    client_id: str = "stow",
    resource: str | None = None,
    http: httpx2.Client | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> SignedIn:
    """Show a code, and wait until somebody has typed it. Raises ApiError with `access_denied` or `expired_token`."""
    with http or httpx2.Client() as opened:
        driver = SyncDriver(Session.to(base_url, _UNUSED), opened, sleep)
        return driver.drive(_sign_in(driver.session, show, scopes, client_id, resource))


async def sign_in_by_device_async(
    base_url: str,
    show: Callable[[DeviceCode], None],
    *,
    scopes: Sequence[str] = (),
    client_id: str = "stow",
    resource: str | None = None,
    http: httpx2.AsyncClient | None = None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> SignedIn:
    """The same, for an event loop."""
    async with http or httpx2.AsyncClient() as opened:
        driver = AsyncDriver(Session.to(base_url, _UNUSED), opened, sleep)
        return await driver.drive(_sign_in(driver.session, show, scopes, client_id, resource))


def _sign_in(
    session: Session, show: Callable[[DeviceCode], None], scopes: Sequence[str], client_id: str, resource: str | None
) -> Steps[SignedIn]:
    root = session.base_url.removesuffix("/api/v1")
    form = {"client_id": client_id, "scope": " ".join(scopes), "resource": resource or ""}
    asked = httpx2.Request("POST", f"{root}/oauth/device_authorization", data=form)
    code = whole(DeviceCode)(checked((yield from session.send(asked))))
    show(code)
    seconds = code.interval
    while True:
        yield Pause(seconds)
        poll = {"grant_type": _GRANT, "device_code": code.device_code, "client_id": client_id}
        try:
            answer = checked((yield from session.send(httpx2.Request("POST", f"{root}/oauth/token", data=poll))))
            return SignedIn(whole(_Granted)(answer).refresh_token, client_id)
        except ApiError as error:
            if error.code == "slow_down":
                seconds += 5
            elif error.code != "authorization_pending":
                raise


class _Granted(msgspec.Struct):
    refresh_token: str

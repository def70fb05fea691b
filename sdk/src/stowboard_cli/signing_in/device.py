"""Sign in with a code that is typed on any other machine (RFC 8628)."""

from collections.abc import Sequence

import httpx2
import msgspec

from stowboard_cli.profiles.bearer import CLIENT_ID, TokenGrant
from stowboard_cli.stow import Stow
from stowboard_client import DeviceCode, sign_in_by_device
from stowboard_client.errors import checked


def sign_in_by_code(stow: Stow, url: str, scopes: Sequence[str], resource: str) -> TokenGrant:
    """Waits until somebody has typed it. Raises ApiError if they refuse, or wait too long."""

    def show(code: DeviceCode) -> None:
        stow.say(f"Open {code.verification_uri} and type the code {code.user_code}")

    person = sign_in_by_device(url, show, scopes=scopes, client_id=CLIENT_ID, resource=resource)
    form = {"grant_type": "refresh_token", "refresh_token": person.refresh_token, "client_id": CLIENT_ID}
    return msgspec.json.decode(checked(httpx2.post(f"{url}/oauth/token", data=form)).content, type=TokenGrant)

"""The doors that tokens open, as `resource` names them (RFC 8707).

A token of an application opens one of them. Its path is stored: one installation may have several host names.
"""

from stowboard.access.oauth.errors import OAuthError
from stowboard.core.caller import API_DOOR, DOORS


def read_door(resource: str | None, origin: str) -> str:
    """Raises OAuthError; without a resource it is the API."""
    if resource is None:
        return API_DOOR
    door = resource.removeprefix(origin).removesuffix("/")
    if not resource.startswith(origin) or door not in DOORS:
        known = " or ".join(origin + door for door in DOORS)
        raise OAuthError("invalid_target", f"resource must be {known}.")
    return door

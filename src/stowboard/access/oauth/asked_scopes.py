"""The scopes that an application asks for, and those of them that a person can grant."""

from stowboard.access.oauth.errors import OAuthError
from stowboard.core.scopes import ADMIN, Scopes

#: The scopes of a request that names none.
LEAST = ["tasks:read", "media:read"]


def read_scopes(text: str | None, scopes: Scopes) -> list[str]:
    """Raises OAuthError for an unknown scope."""
    asked = list(dict.fromkeys((text or "").split()))
    unknown = [name for name in asked if name not in scopes.known]
    if unknown:
        raise OAuthError("invalid_scope", f"scope may name: {' '.join(scopes.known)}.")
    return asked or LEAST


def without_admin(asked: list[str]) -> list[str]:
    """Raises OAuthError if nothing is left."""
    rest = [name for name in asked if name != ADMIN]
    if not rest:
        raise OAuthError("invalid_scope", "The scope admin is not for this person or this way to sign in.")
    return rest

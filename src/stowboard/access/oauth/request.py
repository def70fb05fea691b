"""An authorization request: the parameters of /oauth/authorize, checked.

While the application or the address of its answer is in doubt, nothing is sent there: the person reads what is wrong
(`UntrustedRequest`). Any other fault goes back to the application (`OAuthError`).
"""

import re

import msgspec

from stowboard.access.oauth.applications.application import OAuthApplication
from stowboard.access.oauth.applications.redirects import with_parameters
from stowboard.access.oauth.errors import OAuthError, UntrustedRequest
from stowboard.core.caller import AGENTS_DOOR, API_DOOR, DOORS
from stowboard.core.scopes import ADMIN, MANAGE_SPACES, Scopes

#: The scopes of a request that names none.
LEAST = ["tasks:read", "media:read"]
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_LONGEST_STATE = 2000


def read_door(resource: str | None, origin: str) -> str:
    """The door that a token opens, as `resource` names it (RFC 8707). Raises OAuthError; without one it is the API.

    Its path is stored: one installation may have several host names.
    """
    if resource is None:
        return API_DOOR
    door = resource.removeprefix(origin).removesuffix("/")
    if not resource.startswith(origin) or door not in DOORS:
        known = " or ".join(origin + door for door in DOORS)
        raise OAuthError("invalid_target", f"resource must be {known}.")
    return door


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


class RequestingApplication(msgspec.Struct, frozen=True):
    """The application that asks, and the address that its answer goes to. Both were checked."""

    application: OAuthApplication
    redirect_uri: str
    state: str | None
    #: This service, as `iss` names it (RFC 9207).
    issuer: str

    def answer(self, **parameters: str) -> str:
        """The address that takes the answer to the application."""
        if self.state is not None:
            parameters["state"] = self.state
        return with_parameters(self.redirect_uri, {**parameters, "iss": self.issuer})

    def refuse(self, error: str, description: str) -> str:
        return self.answer(error=error, error_description=description)


class AuthorizationRequest(msgspec.Struct, frozen=True):
    """A valid request of an application."""

    asker: RequestingApplication
    challenge: str
    scopes: list[str]
    door: str


def read_asker(given: dict[str, str], application: OAuthApplication | None, issuer: str) -> RequestingApplication:
    """Raises UntrustedRequest."""
    if application is None:
        raise UntrustedRequest("No application is known here by the id that it gave.")
    uri = given.get("redirect_uri")
    if uri is None and len(application.redirect_uris) == 1:
        uri = application.redirect_uris[0]
    if uri is None:
        raise UntrustedRequest("The application did not say where the answer should go.")
    if not application.takes(uri):
        raise UntrustedRequest("The application wants the answer at an address that it was not registered with.")
    state = given.get("state")
    if state is not None and len(state) > _LONGEST_STATE:
        raise UntrustedRequest("The application sent a state that is too long.")
    return RequestingApplication(application, uri, state, issuer)


def read_wanted(given: dict[str, str], asker: RequestingApplication, scopes: Scopes) -> AuthorizationRequest:
    """Raises OAuthError with what to tell the application."""
    if "request" in given:
        raise OAuthError("request_not_supported", "Send plain parameters.")
    if "request_uri" in given:
        raise OAuthError("request_uri_not_supported", "Send plain parameters.")
    if "response_type" not in given:
        raise OAuthError("invalid_request", "response_type is required.")
    if given["response_type"] != "code":
        raise OAuthError("unsupported_response_type", "response_type must be code.")
    if given.get("response_mode", "query") != "query":
        raise OAuthError("invalid_request", "response_mode must be query.")
    if given.get("code_challenge_method", "") != "S256":
        raise OAuthError("invalid_request", "code_challenge_method must be S256.")
    if not _CHALLENGE.fullmatch(given.get("code_challenge", "")):
        raise OAuthError("invalid_request", "code_challenge must be 43 characters of base64url.")
    door = read_door(given.get("resource"), asker.issuer)
    asked = read_scopes(given.get("scope"), scopes)
    if door == AGENTS_DOOR:
        asked = [scope for scope in asked if scope != MANAGE_SPACES] or LEAST
    return AuthorizationRequest(asker, given["code_challenge"], asked, door)

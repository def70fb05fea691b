"""Forms and the credentials of clients, as OAuth sends them; answers in its own shape."""

import base64
from urllib.parse import parse_qsl, unquote_plus

import msgspec

from stowboard.access.oauth.errors import OAuthError, refuse_client
from stowboard.core.errors import Problem
from stowboard.http.body import read_body
from stowboard.http.exchange import Exchange, Headers

LARGEST = 16 * 1024
NO_STORE: Headers = [("content-type", "application/json"), ("cache-control", "no-store")]


async def read_form(exchange: Exchange) -> dict[str, str]:
    """Raises OAuthError."""
    form = parse_parameters(await read_bounded(exchange))
    if form is None:
        raise OAuthError("invalid_request", "The body must be a form in UTF-8 that gives each parameter once.")
    return form


async def read_bounded(exchange: Exchange) -> bytes:
    """Raises OAuthError."""
    try:
        return await read_body(exchange, LARGEST)
    except Problem as problem:
        raise OAuthError("invalid_request", problem.message, problem.status, problem.headers) from None


def parse_parameters(raw: bytes) -> dict[str, str] | None:
    """None if they cannot be read, or one is given twice."""
    try:
        pairs = parse_qsl(raw.decode(), keep_blank_values=True, errors="strict", max_num_fields=30)
    except ValueError:
        return None
    named = dict(pairs)
    return named if len(named) == len(pairs) else None


def credentials(exchange: Exchange, form: dict[str, str]) -> tuple[str, str | None]:
    """The client's id and secret, from Basic authentication or from the form, never from both (RFC 6749, 2.3).

    A client without a secret sends its id alone. Raises OAuthError.
    """
    scheme, _, text = (exchange.header("authorization") or "").partition(" ")
    if scheme.lower() != "basic":
        if exchange.has_header("authorization"):
            refuse_client()
        return form.get("client_id", ""), form.get("client_secret")
    if "client_secret" in form:
        raise OAuthError("invalid_request", "Send the secret in Authorization or as client_secret, not both.")
    try:
        user, _, password = base64.b64decode(text, validate=True).decode().partition(":")
    except ValueError:
        refuse_client()
    client_id, secret = unquote_plus(user), unquote_plus(password)
    if form.get("client_id", client_id) != client_id:
        raise OAuthError("invalid_request", "client_id and Authorization name different clients.")
    return client_id, secret


def respond_error(exchange: Exchange, error: OAuthError) -> None:
    body = {"error": error.error, "error_description": error.description}
    exchange.respond(error.status, [*NO_STORE, *error.headers], msgspec.json.encode(body))

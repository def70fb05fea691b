"""ID tokens, checked as OpenID Connect Core 3.1.3.7 asks.

The library that checks signatures is loaded with the first token. It parses what comes from elsewhere: whatever it
raises is translated here.
"""

import hmac
import struct
from typing import Any

import msgspec

from stowboard.access.upstream.refusal import ProviderRefusal
from stowboard.core import clock

#: Accepted signatures, each by a key that the provider publishes: none by a shared secret.
KEY_TYPES = {"RS256": "RSA", "PS256": "RSA", "ES256": "EC", "Ed25519": "OKP"}
#: How much clocks may differ.
LEEWAY_SECONDS = 60
LONGEST_SUBJECT = 255
WRONG = "What the provider said of you does not hold."
_PARSING = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError, struct.error)


class UnknownProviderKey(Exception):
    """The token was signed with a key that is not among these: there may be newer ones."""


class ExpectedIdToken(msgspec.Struct, frozen=True):
    issuer: str
    client_id: str
    nonce: str
    algorithms: list[str]


def read_id_token(token: str, keys: list[dict[str, Any]], expected: ExpectedIdToken) -> dict[str, Any]:
    """The claims. Raises ProviderRefusal, UnknownProviderKey."""
    claims = _signed_claims(token, keys, expected.algorithms)
    _check_names(claims, expected)
    _check_times(claims)
    nonce, subject = claims.get("nonce"), claims.get("sub")
    if not isinstance(nonce, str) or not hmac.compare_digest(nonce.encode(), expected.nonce.encode()):
        raise _wrong("nonce")
    if not isinstance(subject, str) or not 1 <= len(subject) <= LONGEST_SUBJECT or not subject.isprintable():
        raise _wrong("sub")
    return claims


def _signed_claims(token: str, keys: list[dict[str, Any]], algorithms: list[str]) -> dict[str, Any]:
    from cryptography.exceptions import UnsupportedAlgorithm
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import GuestProtocol, Key, import_key

    def choose(signed: GuestProtocol) -> Key:
        header = signed.headers()
        if header.get("alg") not in algorithms:
            raise ValueError
        return import_key(_key_for(keys, header["alg"], header.get("kid")))

    try:
        return jwt.decode(token, choose, algorithms=algorithms).claims
    except (JoseError, UnsupportedAlgorithm, *_PARSING):
        raise _wrong("signature") from None


def _key_for(keys: list[dict[str, Any]], algorithm: str, kid: str | None) -> dict[str, Any]:
    fitting = [
        key
        for key in keys
        if key.get("kty") == KEY_TYPES[algorithm]
        and key.get("alg", algorithm) == algorithm
        and key.get("use", "sig") == "sig"
        and (kid is None or key.get("kid") == kid)
    ]
    if len(fitting) != 1:  # without a key id, only one key may fit
        raise UnknownProviderKey
    return fitting[0]


def _check_names(claims: dict[str, Any], expected: ExpectedIdToken) -> None:
    if claims.get("iss") != expected.issuer:
        raise _wrong("iss")
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if expected.client_id not in audiences:
        raise _wrong("aud")
    # A token for several audiences has to name the one that asked for it, and that has to be us.
    if claims.get("azp", expected.client_id) != expected.client_id or (len(audiences) > 1 and "azp" not in claims):
        raise _wrong("azp")


def _check_times(claims: dict[str, Any]) -> None:
    now = clock.now_ms() // 1000
    expires, issued = _number(claims, "exp"), _number(claims, "iat")
    if expires <= now - LEEWAY_SECONDS:
        raise _wrong("exp")
    if issued > now + LEEWAY_SECONDS or _number(claims, "nbf", default=0) > now + LEEWAY_SECONDS:
        raise _wrong("iat")


def _number(claims: dict[str, Any], name: str, default: int | None = None) -> int:
    value = claims.get(name, default)
    # A float may be NaN, and every comparison with that is false.
    if isinstance(value, float) and abs(value) < 2**53:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(name)
    return value


def _wrong(claim: str) -> ProviderRefusal:
    return ProviderRefusal(f"id token: {claim}", f"{WRONG} Sign in again; if it happens again, tell an admin.")

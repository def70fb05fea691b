"""A provider's metadata: what is read of it, and what is not believed."""

from typing import Any

import msgspec
import pytest

from stowboard.access.upstream.provider import address_of, read_metadata

ISSUER = "https://accounts.example.com/realm"
SAID: dict[str, Any] = {
    "issuer": ISSUER,
    "authorization_endpoint": "https://accounts.example.com/authorize?tenant=1",
    "token_endpoint": "https://accounts.example.com/token",
    "jwks_uri": "https://keys.example.com/keys",
}


def read(**changes: Any) -> Any:
    return read_metadata(msgspec.json.encode(SAID | changes), ISSUER)


def test_what_is_left_out_is_as_the_standard_says() -> None:
    said = read()
    assert (said.algorithms, said.takes_secret_in_header) == (["RS256"], True)
    assert said.authorization_response_iss_parameter_supported is False
    assert read(token_endpoint_auth_methods_supported=["client_secret_post"]).takes_secret_in_header is False
    assert read(id_token_signing_alg_values_supported=["none", "HS256", "ES256", "RS256"]).algorithms == [
        "RS256", "ES256",
    ]  # fmt: skip


def test_it_is_found_below_the_issuer() -> None:
    assert address_of(ISSUER) == f"{ISSUER}/.well-known/openid-configuration"
    assert address_of("https://a.example/") == "https://a.example/.well-known/openid-configuration"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"issuer": "https://evil.example"}, "another address"),
        ({"issuer": f"{ISSUER}/"}, "another address"),
        ({"token_endpoint": "http://accounts.example.com/token"}, "less safe"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "less safe"),
        ({"authorization_endpoint": "https://a.example/#x"}, "less safe"),
        ({"userinfo_endpoint": "https://a.example:x/"}, "less safe"),
        ({"jwks_uri": None}, "not the JSON"),
        ({"id_token_signing_alg_values_supported": ["none", "HS256"]}, "signs with none"),
    ],
)
def test_a_provider_that_describes_itself_wrongly_is_not_used(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read(**changes)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"[" * 100_000])
def test_what_is_no_description_is_none(content: bytes) -> None:
    with pytest.raises(ValueError, match="not the JSON"):
        read_metadata(content, ISSUER)

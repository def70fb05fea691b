"""The metadata of a provider (OpenID Connect Discovery): the members that we need, checked."""

from urllib.parse import urlsplit

import msgspec

from stowboard.access.upstream.id_token import KEY_TYPES

_BASIC, _POST = "client_secret_basic", "client_secret_post"


class ProviderMetadata(msgspec.Struct, frozen=True):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    id_token_signing_alg_values_supported: tuple[str, ...] = ("RS256",)
    token_endpoint_auth_methods_supported: tuple[str, ...] = (_BASIC,)
    authorization_response_iss_parameter_supported: bool = False

    @property
    def algorithms(self) -> list[str]:
        return [name for name in KEY_TYPES if name in self.id_token_signing_alg_values_supported]

    @property
    def takes_secret_in_header(self) -> bool:
        methods = self.token_endpoint_auth_methods_supported
        return _BASIC in methods or _POST not in methods


def address_of(issuer: str) -> str:
    return f"{issuer.rstrip('/')}/.well-known/openid-configuration"


def read_metadata(content: bytes, issuer: str) -> ProviderMetadata:
    """Raises ValueError with a sentence."""
    try:
        said = msgspec.json.decode(content, type=ProviderMetadata)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise ValueError("its description is not the JSON that OpenID Connect Discovery asks for.") from None
    if said.issuer != issuer:
        raise ValueError("it calls itself by another address than the setting oidc_issuer does.")
    for url in (said.authorization_endpoint, said.token_endpoint, said.jwks_uri, said.userinfo_endpoint or issuer):
        if not _is_as_safe(url, issuer):
            raise ValueError("one of its addresses cannot be read, or is less safe than the issuer's.")
    if not said.algorithms:
        raise ValueError(f"it signs with none of {', '.join(KEY_TYPES)}.")
    return said


def _is_as_safe(url: str, issuer: str) -> bool:
    try:
        parts = urlsplit(url)
        port_is_right = parts.port is None or parts.port > 0
    except ValueError:
        return False
    schemes = ("https", "http") if issuer.startswith("http:") else ("https",)
    readable = url.isascii() and url.isprintable() and " " not in url and "#" not in url
    return parts.scheme in schemes and bool(parts.hostname) and port_is_right and readable

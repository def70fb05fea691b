"""An OpenID Connect provider that says what a test wants, true or not: what a real one never would.

It holds to the protocol by itself (a code is good once, for its own verifier and client), so a sign-in with it is a
whole one. There is no page: `answer` stands for a person who has just said who they are.
"""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, unquote_plus, urlsplit

from joserfc import jwt
from joserfc.jwk import Key, RSAKey

CLIENT_ID, CLIENT_SECRET = "stowboard", "a secret: of the client&"
#: Given the header, the claims and the key of an ID token: the token.
Sign = Callable[[dict[str, Any], dict[str, Any], Key], str]


class ScriptedProvider:
    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, parameters={"kid": "one", "use": "sig", "alg": "RS256"})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.issuer = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.open_codes: dict[str, dict[str, str]] = {}
        self.reset()

    def reset(self) -> None:
        """Speak the truth again."""
        self.claims: dict[str, Any] = {}
        self.userinfo: dict[str, Any] | None = {}
        self.metadata: dict[str, Any] = {}
        self.published: list[Key] = [self.key]
        self.sign: Sign = sign
        self.status = 200

    @property
    def settings(self) -> dict[str, str]:
        """For a server whose people sign in here."""
        return {
            "STOWBOARD_OIDC_ISSUER": self.issuer,
            "STOWBOARD_OIDC_CLIENT_ID": CLIENT_ID,
            "STOWBOARD_OIDC_CLIENT_SECRET": CLIENT_SECRET,
            "STOWBOARD_OIDC_LABEL": "Example <ID>",
            "STOWBOARD_OUTGOING_ALLOW": "127.0.0.0/8",
        }

    def answer(self, location: str, subject: str, **claims: Any) -> dict[str, str]:
        """The parameters that the browser brings back from `location`, after the person said who they are."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
        assert location.startswith(f"{self.issuer}/authorize?")
        assert (asked["response_type"], asked["client_id"]) == ("code", CLIENT_ID)
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self.claims = {"sub": subject, **claims}
        self.open_codes[code] = asked
        return {"code": code, "state": asked["state"], "iss": self.issuer}

    def describe(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/me",
            "id_token_signing_alg_values_supported": ["RS256", "ES256", "HS256", "none"],
            "authorization_response_iss_parameter_supported": True,
            **self.metadata,
        }

    def keys(self) -> dict[str, Any]:
        return {"keys": [key.as_dict(private=False) for key in self.published]}

    def trade(self, authorization: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        pair = base64.b64decode(authorization.removeprefix("Basic ")).decode().split(":")
        if [unquote_plus(part) for part in pair] != [CLIENT_ID, CLIENT_SECRET]:
            return 401, {"error": "invalid_client"}
        asked = self.open_codes.pop(form["code"], None)
        if asked is None or challenge_of(form["code_verifier"]) != asked["code_challenge"]:
            return 400, {"error": "invalid_grant"}
        if form["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {
            "iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 600, "nonce": asked["nonce"],
            "auth_time": now, **self.claims,
        }  # fmt: skip
        header = {"alg": "RS256", "kid": "one"}
        return 200, {
            "id_token": self.sign(header, claims, self.key),
            "access_token": "an access token",
            "token_type": "Bearer",
        }

    def me(self) -> dict[str, Any]:
        return {"sub": self.claims["sub"], **(self.userinfo or {})}

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


def sign(header: dict[str, Any], claims: dict[str, Any], key: Key) -> str:
    return jwt.encode(header, claims, key, algorithms=[header["alg"]])


def unsigned(header: dict[str, Any], claims: dict[str, Any], _: Key) -> str:
    parts = [header | {"alg": "none"}, claims]
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts) + "."


def challenge_of(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def _handler(provider: ScriptedProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answers = {
                "/.well-known/openid-configuration": provider.describe,
                "/keys": provider.keys,
                "/me": provider.me,
            }
            self._answer(provider.status, answers[self.path]())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._answer(*provider.trade(self.headers.get("authorization", ""), form))

        def log_message(self, *_: Any) -> None:
            pass

        def _answer(self, status: int, content: dict[str, Any]) -> None:
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler

"""Sign in with the browser of this machine: a code that comes back to a port of ours (RFC 8252), with PKCE."""

import base64
import hashlib
import secrets
import time
import webbrowser
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import msgspec

from stowboard_cli.exits import REFUSED, CommandFailure
from stowboard_cli.profiles.bearer import CLIENT_ID, TokenGrant
from stowboard_cli.stow import Stow
from stowboard_client.errors import checked

_WAIT_SECONDS = 300.0
_DONE = b"<!doctype html><title>Signed in</title><p>You can close this window, and go back to the terminal."


def sign_in_here(stow: Stow, url: str, scopes: Sequence[str], resource: str) -> TokenGrant:
    """Raises CommandFailure if it is refused or takes more than five minutes."""
    verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
    with _Listener(state) as listener:
        redirect = f"http://127.0.0.1:{listener.server_port}/callback"
        asked = {
            "response_type": "code", "client_id": CLIENT_ID, "redirect_uri": redirect, "state": state,
            "scope": " ".join(scopes), "resource": resource, "code_challenge_method": "S256",
            "code_challenge": _challenge(verifier),
        }  # fmt: skip
        address = f"{url}/oauth/authorize?{urlencode(asked)}"
        stow.say(f"Sign in in your browser. If it does not open, go to:\n{address}")
        webbrowser.open(address)
        answer = listener.wait()
    if "code" not in answer:
        raise CommandFailure(
            REFUSED, f"The sign-in was refused: {answer.get('error_description') or answer.get('error')}"
        )
    form = {
        "grant_type": "authorization_code", "client_id": CLIENT_ID, "code": answer["code"], "redirect_uri": redirect,
        "code_verifier": verifier,
    }  # fmt: skip
    return msgspec.json.decode(checked(httpx2.post(f"{url}/oauth/token", data=form)).content, type=TokenGrant)


class _Listener(HTTPServer):
    """Takes only the answer with its own `state`, since any program on this machine can call this port."""

    def __init__(self, state: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.state, self.answer = state, dict[str, str]()
        self.timeout = 1.0

    def wait(self) -> dict[str, str]:
        deadline = time.monotonic() + _WAIT_SECONDS
        while not self.answer:
            if time.monotonic() > deadline:
                raise CommandFailure(
                    REFUSED, "Nobody signed in within five minutes. Try again, or use: stow login --device"
                )
            self.handle_request()
        return self.answer


class _Handler(BaseHTTPRequestHandler):
    server: _Listener
    timeout = 10

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        given = {name: values[0] for name, values in parse_qs(address.query).items()}
        ours = address.path == "/callback" and secrets.compare_digest(given.get("state", ""), self.server.state)
        self.send_response(200 if ours else 404)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(_DONE if ours else b"")
        if ours:
            self.server.answer = given

    def log_message(self, *_: object) -> None:
        """The address has the code in it."""


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()

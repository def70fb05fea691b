"""Requests without a server, for code that looks at their headers alone."""

from stowboard.http.asgi import AsgiExchange, Message


def get_with_bearer(secret: str) -> AsgiExchange:
    headers = [(b"authorization", f"Bearer {secret}".encode())]
    scope = {"method": "GET", "path": "/api/v1", "query_string": b"", "headers": headers, "client": ("127.0.0.1", 1)}
    return AsgiExchange(scope, _receive, _send)


async def _receive() -> Message:
    raise AssertionError("it has no body")


async def _send(_: Message) -> None:
    raise AssertionError("nobody answers")

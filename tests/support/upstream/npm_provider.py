"""`oidc-provider` of npm, certified by the OpenID Foundation, as a process."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from support.tools.node import NODE, TOOLS

CLIENT_ID, CLIENT_SECRET = "stowboard", "a secret of the client, 32 bytes and more"


def settings_for(port: int) -> dict[str, str]:
    """For a server whose people sign in there."""
    return {
        "STOWBOARD_OIDC_ISSUER": f"http://127.0.0.1:{port}",
        "STOWBOARD_OIDC_CLIENT_ID": CLIENT_ID,
        "STOWBOARD_OIDC_CLIENT_SECRET": CLIENT_SECRET,
        "STOWBOARD_OIDC_SCOPES": "openid profile email groups",
        "STOWBOARD_OIDC_LABEL": "Example",
        "STOWBOARD_OUTGOING_ALLOW": "127.0.0.0/8",
    }


@contextmanager
def npm_provider(port: int, origin: str) -> Iterator[None]:
    """It runs on this port, for people of the server at this origin."""
    assert NODE is not None
    program = str(TOOLS / "oidc_provider.mjs")
    arguments = [NODE, program, str(port), f"{origin}/signin/callback", CLIENT_ID, CLIENT_SECRET]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        while line := process.stdout.readline():
            if line.strip() == "listening":
                break
        try:
            yield
        finally:
            process.kill()

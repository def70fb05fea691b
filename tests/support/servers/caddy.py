"""Caddy, with a Caddyfile as an operator writes it, on ports and in folders of its own."""

import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.servers.ports import free_port
from support.waiting import wait_until

CADDY = shutil.which("caddy")
needs_caddy = pytest.mark.skipif(CADDY is None, reason="NOT TESTED: what Caddy does; apt-get install caddy")


@contextmanager
def caddy(folder: Path, settings: str, host: str) -> Iterator[tuple[int, ssl.SSLContext]]:
    """Its port for https, and whom to trust there: the settings of this host have `tls internal`."""
    assert CADDY is not None
    folder.mkdir()
    port = free_port()
    # Nothing listens where others might, and no authority is added to those of this machine.
    own = ["admin off", "auto_https disable_redirects", f"https_port {port}", "skip_install_trust"]
    (folder / "Caddyfile").write_text("\n".join(["{", *own, f"storage file_system {folder}", "}", settings]))
    root = folder / "pki" / "authorities" / "local" / "root.crt"
    with (folder / "log").open("w") as log:
        words = [CADDY, "run", "--config", "Caddyfile"]
        running = subprocess.Popen(words, cwd=folder, stderr=log, start_new_session=True)
        try:
            wait_until(lambda: running.poll() is not None or "serving initial configuration" in _read(folder / "log"))
            assert running.poll() is None, _read(folder / "log")
            wait_until(root.exists)
            trusted = ssl.create_default_context(cafile=str(root))
            wait_until(lambda: _has_certificate(port, host, trusted))
            yield port, trusted
        finally:
            running.terminate()
            running.wait()


def _has_certificate(port: int, host: str, trusted: ssl.SSLContext) -> bool:
    """It makes them after it has begun to listen."""
    try:
        with socket.create_connection(("127.0.0.1", port)) as plain, trusted.wrap_socket(plain, server_hostname=host):
            return True
    except ssl.SSLError:
        return False


def _read(file: Path) -> str:
    return file.read_text()

"""nginx, with settings as an operator writes them, in a folder of its own and as the user who runs the tests."""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from support.servers.ports import free_port
from support.waiting import wait_until

#: Debian keeps servers where users do not look.
NGINX = shutil.which("nginx", path=os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin")
needs_nginx = pytest.mark.skipif(NGINX is None, reason="NOT TESTED: what nginx does; apt-get install nginx")
#: What it would otherwise write where Debian's packages put it.
_OWN_FOLDERS = "".join(f"{kind}_temp_path {kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))


@contextmanager
def nginx(folder: Path, settings: str, places: Mapping[str, str]) -> Iterator[str]:
    """Its origin. `places` says what is elsewhere here than the settings say."""
    assert NGINX is not None
    folder.mkdir()
    port = free_port()
    for said, here in {"listen 80;": f"listen 127.0.0.1:{port};", **places}.items():
        assert said in settings, f"the settings no longer have {said!r}"
        settings = settings.replace(said, here)
    settings = re.sub(r"(?m)^user .*$", "", settings).replace("http {", "http {" + _OWN_FOLDERS, 1)
    (folder / "nginx.conf").write_text(settings)
    globally = "daemon off; pid nginx.pid;" + (" user root;" if os.geteuid() == 0 else "")
    words = ["-p", f"{folder}/", "-c", "nginx.conf", "-e", "error.log", "-g", globally]
    running = subprocess.Popen([NGINX, *words], start_new_session=True)
    try:
        wait_until(lambda: running.poll() is not None or _answers(port))
        assert running.poll() is None, (folder / "error.log").read_text()
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait()


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
        return True
    return False

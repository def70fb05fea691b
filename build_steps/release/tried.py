"""Try each artefact where nothing of this checkout is: installed in an empty environment, up to its first call.

The service is tried from the wheel and from the sdist's own name in three ways that people install programs: pip, `uvx`
and `pipx run`; the last two where they are installed. The client calls that server. The npm package is installed in a
new project, and its client calls the server as well. The image is run where the kernel allows it.
"""

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import Request, urlopen

from build_steps import console
from build_steps.release import image_run
from build_steps.release.running import BIN, ReleaseFailure, clean_environment, free_port, python, run, say

_LONGEST_SECONDS = 300
_PASSWORD = "a long password of the release"  # noqa: S105 - of an installation that lives for seconds
_CALL = "import sys; from stowboard_client import Client; print(Client(*sys.argv[1:]).tasks.create('tried').id)"
_CALL_OF_NPM = """
import { Stowboard } from '@stowboard/client'
const [url, token] = process.argv.slice(2)
const task = await new Stowboard({ url, token }).tasks.create({ title: 'tried' })
console.log(task.id)
"""


class TriedServer(NamedTuple):
    origin: str
    token: str


def try_all(dist: Path, folder: Path) -> None:
    [wheel] = dist.glob("stowboard-*.whl")
    [client] = dist.glob("stowboard_client-*.whl")
    began = time.monotonic()
    service = _installed(folder / "service", wheel)
    with _served([service / "stowboard"], folder / "data") as server:
        _sign_in(service / "stowboard", folder / "data", server)
        say(f"  pip install {wheel.name}: first call and a person signed in after {time.monotonic() - began:.0f} s")
        stow = _installed(folder / "client", client)
        run([stow / "stow", "--help"], folder)
        _expect_task(run([stow / "python", "-c", _CALL, server.origin, server.token], folder))
        say(f"  pip install {client.name}: `stow`, and a call by the client")
        for package in dist.glob("*.tgz"):
            _try_npm(package, folder / "project", server)
            say(f"  npm install {package.name}: a call by the client")
    for archive in dist.glob("*.oci.tar"):
        (folder / "run").mkdir()
        try:
            image_run.try_image(archive, folder / "run")
        except image_run.CannotRun as reason:
            say(f"  {archive.name}: NOT TRIED HERE: {reason}")
    for name, words in {
        "uvx": [_find("uv"), "tool", "run", "--python", sys.executable, "--from", wheel],
        "pipx run": [_find("pipx"), "run", "--spec", wheel],
    }.items():
        if words[0] is None:
            say(f"  {name}: not tried, it is not installed here")
            continue
        began = time.monotonic()
        with _served([*map(str, words), "stowboard"], folder / f"data of {name}"):
            say(f"  {name}: first call after {time.monotonic() - began:.0f} s")


def _installed(folder: Path, wheel: Path) -> Path:
    """The programs of an environment that has the wheel, with its packages from the index, and nothing else."""
    run([python(), "-m", "venv", folder])
    run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", wheel])
    return folder / "bin"


@contextmanager
def _served(words: Sequence[str | Path], data: Path) -> Iterator[TriedServer]:
    """`serve`, once it has answered the first call that it prints."""
    port = free_port()
    printed = data.with_name(f"{data.name}.log")
    with printed.open("wb") as output:
        process = subprocess.Popen(
            [*words, "serve", "--port", str(port), "--data-dir", data], cwd=data.parent, env=clean_environment(),
            stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        server = TriedServer(f"http://localhost:{port}", _wait_for_token(process, printed))
        _wait_for_answer(server)
        yield server
    finally:
        process.terminate()
        process.wait(timeout=60)


def _wait_for_token(process: "subprocess.Popen[bytes]", printed: Path) -> str:
    for _ in range(_LONGEST_SECONDS * 5):
        if found := re.search(r"\bstow_[0-9A-Za-z]{36}\b", printed.read_text()):
            return found[0]
        if process.poll() is not None:
            break
        time.sleep(0.2)
    raise ReleaseFailure(f"the service did not start:\n{printed.read_text()[-2000:]}")


def _wait_for_answer(server: TriedServer) -> None:
    for _ in range(_LONGEST_SECONDS * 5):
        try:
            with _call(f"{server.origin}/api/v1", {"Authorization": f"Bearer {server.token}"}):
                return
        except URLError:
            time.sleep(0.2)
    raise ReleaseFailure(f"{server.origin} never answered")


def _sign_in(program: Path, data: Path, server: TriedServer) -> None:
    """A person with a password, and the console that they see."""
    words = [str(program), "account", "create", "--username", "ada", "--admin", "--password-stdin"]
    words += ["--data-dir", str(data)]
    subprocess.run(words, input=_PASSWORD, text=True, env=clean_environment(), capture_output=True, check=True)
    body = json.dumps({"username": "ada", "password": _PASSWORD}).encode()
    with _call(f"{server.origin}/session/login", {"Origin": server.origin}, body) as signed_in:
        cookie = (signed_in.headers["Set-Cookie"] or "").partition(";")[0]
    with _call(server.origin, {"Cookie": cookie}) as page:
        if b'<div id="app">' not in page.read():
            raise ReleaseFailure("the wheel has no console")


def _try_npm(package: Path, folder: Path, server: TriedServer) -> None:
    folder.mkdir()
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "call.js").write_text(_CALL_OF_NPM)
    npm = console.get_npm()
    run([*npm, "install", "--no-audit", "--no-fund", "--loglevel=error", package], folder)
    _expect_task(run(["node", "call.js", server.origin, server.token], folder))


def _expect_task(printed: str) -> None:
    if not re.fullmatch(r"tsk_\w+", printed.strip()):
        raise ReleaseFailure(f"the client answered {printed!r} in place of a task's id")


def _call(url: str, headers: dict[str, str], body: bytes | None = None) -> HTTPResponse:
    heads = {"Content-Type": "application/json", **headers} if body else headers
    answer = urlopen(Request(url, body, heads), timeout=30)  # noqa: S310 - a server of ours
    assert isinstance(answer, HTTPResponse)
    return answer


def _find(program: str) -> str | None:
    return str(BIN / program) if (BIN / program).exists() else shutil.which(program)

"""@stowboard/client as it is published: built, packed, and used against the service in Node and in a browser."""

import base64
import functools
import json
import os
import shutil
import subprocess
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from stowboard_client import __version__
from support.console.visitor import PATIENCE_MS, chromium
from support.media.unique_images import png
from support.servers.stowboard import PROGRAM, Server

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "sdk" / "typescript"
TOOLS = ROOT / "tests" / "tools"
SECONDS = 600
#: Runs every sentence in a page of another origin than the service's.
RUN_SENTENCES = """async (given) => {
  const [client, { failures }] = await Promise.all([import('/dist/index.js'), import('/sentences.mjs')])
  return failures(client, given)
}"""


def run(*words: str | Path, at: Path, **environment: str) -> str:
    """What it printed. It has to go well."""
    settings = {**os.environ, "NO_COLOR": "1", **environment}
    done = subprocess.run(words, cwd=at, env=settings, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it is installed: packed, and unpacked again."""
    npm = shutil.which("npm")
    if npm is None or not (TOOLS / "node_modules" / ".bin" / "publint").exists():
        pytest.skip("NOT TESTED: the client for TypeScript; install Node, and run `npm ci` in tests/tools")
    folder = tmp_path_factory.mktemp("typescript")
    shutil.copytree(
        SOURCES, folder / "sdk" / "typescript", ignore=shutil.ignore_patterns("node_modules", "dist", "schema.d.ts")
    )
    shutil.copy(ROOT / "LICENSE", folder)
    at = folder / "sdk" / "typescript"
    (at / "node_modules").symlink_to(TOOLS / "node_modules")
    run(npm, "run", "build", at=at, OPENAPI_FROM=str(PROGRAM))
    run(npm, "pack", "--silent", at=at)
    [packed] = at.glob("*.tgz")
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    shutil.copy(packed, folder / "package.tgz")
    return folder / "package"


def test_the_package_has_what_it_should_and_its_version_is_that_of_the_python_client(package: Path) -> None:
    names = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    assert {"LICENSE", "README.md", "package.json", "dist/index.js", "dist/index.d.ts", "dist/schema.d.ts"} <= names
    assert {name.partition("/")[0] for name in names} == {"LICENSE", "README.md", "package.json", "dist"}
    described = json.loads((package / "package.json").read_text())
    assert described["version"] == __version__
    assert "dependencies" not in described


def test_publint_and_arethetypeswrong_have_nothing_to_say(package: Path) -> None:
    tools = TOOLS / "node_modules" / ".bin"
    assert "All good!" in run(tools / "publint", "run", "--strict", package, at=package)
    run(tools / "attw", package.parent / "package.tgz", "--profile", "esm-only", at=package)


def test_types_of_the_package_find_wrong_calls(package: Path) -> None:
    """Each line but the first two has one error; a checker that finds nothing at all would be no proof."""
    (package / "use.ts").write_text(
        "import { Stowboard } from './dist/index.js'\n"
        "const stow = new Stowboard({ url: 'https://stow.test', token: () => 'x' })\n"
        "await stow.tasks.create({ titel: 'x' })\n"
        "await stow.request('get', '/media/asset')\n"
        "await stow.request('get', '/media/assets/{asset_id}')\n"
        "for await (const task of stow.tasks.list({ status: 'doing' })) console.log(task.id)\n"
        "const url: number = (await stow.upload(new Blob([]), { kind: 'image' })).url\n"
    )
    words = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"]
    compiler = TOOLS / "node_modules" / ".bin" / "tsc"
    done = subprocess.run([compiler, *words, "use.ts"], cwd=package, capture_output=True, text=True, check=False)
    assert [line.partition("(")[2].partition(",")[0] for line in done.stdout.splitlines() if line[:3] == "use"] == [
        "3", "4", "5", "6", "7",
    ], done.stdout  # fmt: skip


def test_every_sentence_holds_in_node(package: Path, server: Server) -> None:
    image = base64.b64encode(png(40, 30)).decode()
    there = {"ORIGIN": server.origin, "TOKEN": server.admin_token, "IMAGE": image, "PACKAGE": str(package)}
    run("node", TOOLS / "client" / "in_node.mjs", at=package, **there)


class _QuietFiles(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def site(folder: Path) -> Iterator[str]:
    """The files of a folder, at an origin of their own."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_QuietFiles, directory=folder)) as files:
        thread = threading.Thread(target=files.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://localhost:{files.server_port}"
        finally:
            files.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def page(package: Path) -> Iterator[Any]:
    shutil.copy(TOOLS / "client" / "sentences.mjs", package)
    (package / "index.html").write_text("<!doctype html><title>A page of another origin</title>")
    with site(package) as origin, chromium() as browser:
        page = browser.new_page(base_url=origin)
        page.set_default_timeout(PATIENCE_MS)
        yield page


@pytest.fixture(scope="module")
def web_server(make_server: Callable[[dict[str, str]], Server]) -> Server:
    return make_server({"STOWBOARD_RATE_LIMIT_PER_MINUTE": "6000000"})


def test_every_sentence_holds_in_a_browser(page: Any, web_server: Server) -> None:
    page.goto("/index.html")
    image = base64.b64encode(png(40, 30)).decode()
    given = {"origin": web_server.origin, "token": web_server.admin_token, "image": image}
    assert page.evaluate(RUN_SENTENCES, given) == []

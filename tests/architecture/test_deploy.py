"""The files for deploying name settings, commands and files that there are."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from build_steps.release import image
from stowboard.cli.running import parser_of
from stowboard.settings import SETTINGS
from support.servers.stowboard import PROGRAM

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
OTHERS = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}
UNITS = sorted(path.name for path in DEPLOY.glob("stowboard*.*"))


def compose(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text())


def parse(words: list[str]) -> None:
    """The words are a command and its options; it is not run."""
    name, *options = words
    parser_of(name)[0].parse_args(options)


def test_every_file_says_how_it_is_tested() -> None:
    for path in DEPLOY.iterdir():
        assert path.read_text().startswith("# Tested "), path.name


def test_settings_in_the_files_are_settings_of_the_service() -> None:
    known = {setting.variable for setting in SETTINGS}
    for path in DEPLOY.iterdir():
        assert set(re.findall(r"\bSTOWBOARD_[A-Z_0-9]+", path.read_text())) <= known, path.name


def test_one_node_is_ten_lines_of_the_image_and_its_volume() -> None:
    lines = [line for line in (DEPLOY / "compose.yaml").read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == 10
    [node] = compose("compose.yaml")["services"].values()
    assert [volume.partition(":")[2] for volume in node["volumes"]] == [image.DATA]
    assert node["read_only"]


def test_nodes_of_the_cluster_have_what_they_need() -> None:
    nodes = compose("cluster.yaml")["services"]
    assert sorted(nodes) == ["api-1", "api-2", "worker-1", "worker-2"]
    for node in nodes.values():
        parse(node["command"])
        assert node["read_only"]
        assert {name for name in node["environment"] if not name.startswith("STOWBOARD_")} == OTHERS


def test_the_proxy_knows_the_nodes_and_nothing_else() -> None:
    upstreams = re.findall(r"server ([\w-]+):8080", (DEPLOY / "nginx.conf").read_text())
    assert sorted(upstreams) == [
        name for name in sorted(compose("cluster.yaml")["services"]) if name.startswith("api-")
    ]


def test_the_image_runs_a_command_that_there_is() -> None:
    config = image.configuration()
    assert config["Entrypoint"][-1].endswith("/stowboard")
    parse(config["Cmd"])
    known = {setting.variable for setting in SETTINGS}
    assert {name for text in config["Env"] if (name := text.partition("=")[0]).startswith("STOWBOARD_")} <= known


def test_the_workflow_of_the_host_runs_what_anybody_can_run() -> None:
    [job] = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text())["jobs"].values()
    assert job["steps"][-1]["run"] == ".ci/run"
    assert all("uses" not in step for step in job["steps"]), "nobody else's code runs with our rights"
    for form in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"):
        assert {"name", "description", "body"} <= yaml.safe_load(form.read_text()).keys(), form.name


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

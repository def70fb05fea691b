"""Tools that know nothing of us read the OpenAPI document.

Redocly's linter is a node program; without node and npm its test is skipped, and says so.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from stowboard.api.documents.openapi import document
from stowboard.catalogue import CATALOGUE
from support.api import example_api

TOOLS = Path(__file__).parents[1] / "tools"
ORIGIN = "https://stowboard.test"


@pytest.fixture(params=[example_api.CATALOGUE, CATALOGUE], ids=["example", "service"], scope="module")
def doc(request: pytest.FixtureRequest) -> dict[str, Any]:
    return document(request.param, ORIGIN)


@pytest.fixture(scope="module")
def redocly() -> Path:
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("NOT TESTED: node and npm are not installed, so the OpenAPI document was not linted")
    program = TOOLS / "node_modules" / ".bin" / "redocly"
    if not program.exists():
        subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=TOOLS, check=True)
    return program


def test_the_document_is_valid_openapi_31(doc: dict[str, Any]) -> None:
    errors = list(OpenAPIV31SpecValidator(doc).iter_errors())
    assert errors == []


def test_the_document_passes_the_recommended_rules_of_redocly(
    doc: dict[str, Any], redocly: Path, tmp_path: Path
) -> None:
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(doc))
    quiet = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    done = subprocess.run(
        [redocly, "lint", file, "--extends=recommended", "--format=json"],
        env=os.environ | quiet, cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    report = json.loads(done.stdout[done.stdout.index("{") :])
    problems = [f"{found['ruleId']}: {found['message']}" for found in report["problems"]]
    assert problems == []
    assert done.returncode == 0

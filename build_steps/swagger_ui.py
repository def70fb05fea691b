"""Swagger UI, for the page at /docs.

It is the npm package `swagger-ui-dist`, and comes with the console's packages, at the version in console/package.json.
Files of that version that are there already are left alone, so a wheel out of an sdist needs no Node. Without Node the
build goes on, and /docs says what to do; CONSOLE_BUILD says how much that matters, as for the console.
"""

import json
import shutil
from pathlib import Path

from build_steps import console

PACKAGE = "swagger-ui-dist"
BUNDLE = "swagger-ui-bundle.js"
FILES = ["LICENSE", "NOTICE", BUNDLE, f"{BUNDLE}.LICENSE.txt", "swagger-ui.css"]


def build(folder: Path) -> None:
    if not is_fresh(folder):
        console.build_if_possible("Swagger UI", lambda: _copy(folder))


def is_fresh(folder: Path) -> bool:
    """The bundle names its own version."""
    bundle, package = folder / BUNDLE, console.SOURCES / "package.json"
    if not bundle.is_file() or not package.is_file():
        return bundle.is_file()
    version = json.loads(package.read_text())["dependencies"][PACKAGE]
    return f'"{version}"'.encode() in bundle.read_bytes()


def _copy(folder: Path) -> None:
    source = console.packages() / PACKAGE
    for name in FILES:
        shutil.copyfile(source / name, folder / name)

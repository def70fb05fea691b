"""Programs of tests/tools that are written for Node."""

import shutil
import subprocess
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(
    NODE is None or not (TOOLS / "node_modules").is_dir(),
    reason="NOT TESTED: JavaScript's libraries; install Node and run `npm ci` in tests/tools",
)


def run_tool(name: str, text: str) -> str:
    """The program's output for this input."""
    assert NODE is not None
    done = subprocess.run([NODE, TOOLS / name], input=text.encode(), capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()

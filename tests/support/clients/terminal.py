"""The command `stow` as people and scripts run it: in this process, in one of its own, or in a pseudo-terminal."""

import contextlib
import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from stowboard_cli.main import run
from support.servers.stowboard import Server, clean_environment

PROGRAM = Path(sys.executable).with_name("stow")


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        assert self.code == 0, self.err
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def one(self) -> Any:
        [line] = self.lines
        return line


class Terminal:
    """With a folder of its own; `token` is what the environment gives."""

    def __init__(self, server: Server, folder: Path, token: str | None = None, url: str | None = None) -> None:
        self.folder = folder
        given = {"STOW_URL": url or server.origin, "STOW_TOKEN": token} if token else {}
        ours = {name: value for name, value in clean_environment().items() if not name.startswith("STOW_")}
        self.environment = ours | given | {"STOW_FOLDER": str(folder), "TZ": "UTC", "NO_COLOR": "1", "TERM": "xterm"}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "SSH_CONNECTION"):
            self.environment.pop(name, None)

    def __call__(self, *words: str, stdin: str = "") -> Ran:
        """In this process, which saves loading the library."""
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, self.environment, clear=True),
            mock.patch.object(sys, "stdin", io.StringIO(stdin)),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                code = run(words)
            except SystemExit as end:  # of argparse
                code = end.code if isinstance(end.code, int) else 1
        return Ran(code, out.getvalue(), err.getvalue())

    def run(self, *words: str, stdin: str = "") -> Ran:
        """In a process of its own."""
        ran = subprocess.run(
            [PROGRAM, *words],
            env=self.environment,
            input=stdin,
            text=True,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    @contextlib.contextmanager
    def begin(self, *words: str, **options: Any) -> Iterator[subprocess.Popen[str]]:
        """It is ended with the block, whatever happens there."""
        given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        with subprocess.Popen([PROGRAM, *words], env=self.environment, text=True, **given) as process:
            try:
                yield process
            finally:
                process.kill()

    def on_screen(self, *words: str, typed: str = "", folder: Path | None = None) -> tuple[int, str]:
        """In a pseudo-terminal of 100 columns: its code, and all that was to be seen."""
        ours, theirs = pty.openpty()
        environment = self.environment | {"COLUMNS": "100"}
        process = subprocess.Popen(
            [PROGRAM, *words], env=environment, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        os.write(ours, typed.encode())
        seen = b""
        with contextlib.suppress(OSError):  # the end of a pseudo-terminal
            while piece := os.read(ours, 65536):
                seen += piece
        os.close(ours)
        return process.wait(timeout=120), seen.decode().replace("\r\n", "\n")

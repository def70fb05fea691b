"""A command `stow` for scripts: each is a fork of a process that is loaded already, which takes a third of the work."""

import gc
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from stowboard_cli.commands import COMMANDS
from stowboard_cli.main import main

#: Gives its words, environment, folder and files to the loaded process, and ends as the fork does.
_COMMAND = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
    door.connect({door!r})
    order = {{"words": sys.argv, "environment": dict(os.environ), "folder": os.getcwd()}}
    socket.send_fds(door, [json.dumps(order).encode()], [0, 1, 2])
    sys.exit(int(door.recv(100) or 70))
"""
_LONGEST = 1 << 17


@contextmanager
def loaded_stow(folder: Path) -> Iterator[Path]:
    """A folder with the command, for the front of a PATH."""
    folder.mkdir()
    command = folder / "stow"
    command.write_text(_COMMAND.format(python=sys.executable, door=str(folder / "door")))
    command.chmod(0o755)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
        door.bind(str(folder / "door"))
        door.listen()
        words = [sys.executable, "-P", __file__, str(door.fileno())]
        with subprocess.Popen(words, pass_fds=[door.fileno()]) as process:
            try:
                yield folder
            finally:
                process.kill()


def _serve(door: socket.socket) -> None:
    for name in {"stow", "running", *(command.module for command in COMMANDS.values())}:
        import_module(f"stowboard_cli.{name}")
    import_module("stowboard_client")
    assert len(list(Path("/proc/self/task").iterdir())) == 1, "a thread would be missing in the forks"
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
    while True:
        caller, _ = door.accept()
        if not os.fork():
            door.close()
            _become(caller)
        caller.close()


def _become(caller: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    message, files, _, _ = socket.recv_fds(caller, _LONGEST, 3)
    order = json.loads(message)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    sys.argv = order["words"]
    code: object = 70
    try:
        main()
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        caller.send(str(code).encode())
        os._exit(0)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as listening:
        _serve(listening)

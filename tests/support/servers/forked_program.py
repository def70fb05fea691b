"""`stowboard`, loaded already and waiting: `python forked_program.py SOCKET` forks for each command that it is given.
A command may also be a script of the tests.

A fork is the command from its first line on. It does all that a start does but the loading, in a quarter of the time.
And its passwords are cheap: to keep or check one takes a thousandth of the work. What a real one takes is tested in
contract/test_people.py.
"""

import json
import os
import runpy
import socket
import sys
import time
from importlib import import_module
from pathlib import Path

from stowboard.access.accounts import passwords
from stowboard.cli.main import main
from stowboard.cli.serving.memory import loaded_for_good

_LONGEST = 1 << 17
_TESTS = Path(__file__).parents[2]


def become_next_command(control: socket.socket) -> None:
    """Return in a fork that is to run it; the first process goes on until nobody gives it commands any more."""
    assert len(list(Path("/proc/self/task").iterdir())) == 1, "a thread would be missing in the forks"
    while True:
        message, files, _, _ = socket.recv_fds(control, _LONGEST, 2)
        if not message:
            sys.exit()
        order = json.loads(message)
        if "ended" in order:
            control.send(str(os.waitstatus_to_exitcode(os.waitpid(order["ended"], 0)[1])).encode())
            continue
        child = os.fork()
        if not child:
            _become(order["command"], order["environment"], order["folder"], files)
            return
        for file in files:
            os.close(file)
        control.send(str(child).encode())


def _become(command: list[str], environment: dict[str, str], folder: str, files: list[int]) -> None:
    os.setsid()
    os.chdir(folder)
    for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), *files)):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    sys.argv = command


if __name__ == "__main__":
    passwords.MEMORY_KIB = 46
    with loaded_for_good():
        for name in ("running", "serving.server", "serving.background", "doctor", "token", "account"):
            import_module(f"stowboard.cli.{name}")
    with socket.socket(fileno=int(sys.argv[1])) as commands:
        become_next_command(commands)
    if sys.argv[0].endswith(".py"):
        sys.path.insert(0, str(_TESTS))
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        main()

"""The most memory that a `stowboard` command had, as the kernel counted it."""

import os
import subprocess
from collections.abc import Mapping

from support.server import PROGRAM


def peak_of(environment: Mapping[str, str], *words: str) -> float:
    """Run the command to its end, which has to be a good one; in MiB."""
    process = subprocess.Popen([PROGRAM, *words], env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss / 1024

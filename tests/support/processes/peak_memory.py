"""The most memory that a `stowboard` command had, as the kernel counted it."""

import contextlib
import subprocess
import time
from collections.abc import Mapping

from support.processes.figures import peak_memory_mib
from support.servers.stowboard import PROGRAM


def peak_of(environment: Mapping[str, str], *words: str) -> float:
    """Run the command to its end, which has to be a good one; in MiB."""
    process = subprocess.Popen([PROGRAM, *words], env=environment, stdout=subprocess.DEVNULL)
    peak = 0.0
    while process.poll() is None:
        with contextlib.suppress(ValueError, OSError):  # it ends at this moment
            peak = max(peak, peak_memory_mib(process.pid))
        time.sleep(0.01)
    assert process.returncode == 0
    return peak

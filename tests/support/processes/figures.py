"""The kernel's figures of a running process."""

import os
from pathlib import Path

from support.processes.find import children_of

#: Environment of a program whose freed memory goes back to the kernel at once: glibc's larger blocks, and all of
#: jemalloc's. Else its resident memory is also what the allocators keep, which is another figure in each run.
GIVING_BACK = {"MALLOC_MMAP_THRESHOLD_": "32768", "_RJEM_MALLOC_CONF": "dirty_decay_ms:0,muzzy_decay_ms:0"}


def open_files(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def open_files_allowed(pid: int) -> int:
    [line] = [
        line for line in Path(f"/proc/{pid}/limits").read_text().splitlines() if line.startswith("Max open files")
    ]
    return int(line.split()[3])


def memory_mib(pid: int) -> float:
    """Resident memory now."""
    return _status(pid, "VmRSS")


def peak_memory_mib(pid: int) -> float:
    return _status(pid, "VmHWM")


def _status(pid: int, name: str) -> float:
    [line] = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith(name + ":")]
    return int(line.split()[1]) / 1024


def threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def processor_seconds(pid: int) -> float:
    """User and system time of the process and of its children that run."""
    ticks = 0
    for process in [pid, *children_of(pid)]:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")

"""A launcher for programs that read untrusted bytes: it gives up all they do not need, then becomes the program.

    python -I -S confine.py PARENT CPU_SECONDS MEMORY_BYTES FILE_BYTES NICENESS program arguments…

The program has bounded CPU time, address space and size of files, no core dumps, and the given priority. The kernel
kills it first when memory runs out. It cannot gain privileges. It has no network where the system lets us take that
away (containers often do not; then ffmpeg's own list of protocols holds). It dies with the process PARENT.

It imports little, and only of the standard library: it runs before every probe of a video and every decoder.
"""

import ctypes
import os
import resource
import signal
import sys

_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 24, 38
#: CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: a service that runs as root may rely on them to reach its own folder.
_KEPT_CAPABILITIES = (1, 2)
_CPU_GRACE_SECONDS = 5
_MOST_FILES = 64
#: Our exit code if the program could not be started.
_NOT_STARTED = 125


def main() -> None:
    parent, cpu_seconds, memory, file_size, niceness = map(int, sys.argv[1:6])
    program = sys.argv[6:]
    libc = ctypes.CDLL(None)
    _leave_network(libc)
    _drop_privileges(libc)
    _limit(cpu_seconds, memory, file_size)
    _yield_to_others(niceness)
    _restore_signals()
    # After all changes of credentials, which would clear it.
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died before we asked
        sys.exit(1)
    os.execv(program[0], program)  # noqa: S606 (it is what this program is for)


def _leave_network(libc: ctypes.CDLL) -> None:
    # Root needs no namespace of users: in one, it would lose access to folders of other users.
    if libc.unshare(_CLONE_NEWNET) != 0:
        libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET)


def _drop_privileges(libc: ctypes.CDLL) -> None:
    for capability in range(64):
        if capability not in _KEPT_CAPABILITIES:
            libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _limit(cpu_seconds: int, memory: int, file_size: int) -> None:
    wanted = {
        resource.RLIMIT_CPU: (cpu_seconds, cpu_seconds + _CPU_GRACE_SECONDS),
        resource.RLIMIT_AS: (memory, memory),
        resource.RLIMIT_FSIZE: (file_size, file_size),
        resource.RLIMIT_NOFILE: (_MOST_FILES, _MOST_FILES),
        resource.RLIMIT_CORE: (0, 0),
    }
    for kind, (soft, hard) in wanted.items():
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))


def _yield_to_others(niceness: int) -> None:
    """Take a low priority, and be the first that the kernel kills when memory runs out.

    The program has a session of its own. Most desktops and servers share out the processor between sessions first
    (sched(7), autogroup), so there its priority among all others is that of its session.
    """
    os.nice(niceness)
    for name, value in (("autogroup", niceness), ("oom_score_adj", 1000)):
        try:
            with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123 (pathlib is slow to import)
                file.write(str(value))
        except OSError:  # a kernel without it, or one that was asked too often just now
            pass


def _restore_signals() -> None:
    """Python ignores these signals, and the program would inherit that."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(_NOT_STARTED)

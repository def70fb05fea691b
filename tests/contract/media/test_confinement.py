"""A program that reads untrusted bytes gets what it was given and no more, and does not outlive its use."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path

import pytest
import uvloop
from msgspec.structs import replace

from stowboard.media.videos.ffmpeg.running import MEBIBYTE, ProgramFailed, ProgramLimitExceeded, ProgramNotStarted, run
from support.processes.confined import ROOMY, is_alive, lines_of
from support.waiting import until

FOREVER = "import time; time.sleep(600)"
#: Starts a program that would go on for long, and says its number.
FORKING = f"""
import subprocess, sys
print(subprocess.Popen([sys.executable, "-I", "-S", "-c", {FOREVER!r}]).pid, flush=True)
"""


async def test_what_it_prints_is_heard_line_by_line() -> None:
    assert await lines_of("print('a'); print('b\\xe9'.encode('latin-1')); print('c', end='')") == [
        "a",
        "b'b\\xe9'",
        "c",
    ]


async def test_an_error_is_told_with_its_last_words() -> None:
    with pytest.raises(ProgramFailed) as failed:
        await lines_of("import sys; sys.stderr.write('x' * 1_000_000 + 'the end'); sys.exit(3)")
    assert failed.value.returncode == 3
    assert failed.value.stderr.endswith("the end")
    assert len(failed.value.stderr) < 10_000


async def test_too_much_memory_is_refused() -> None:
    with pytest.raises(ProgramLimitExceeded, match="memory"):
        await lines_of("x = bytearray(1 << 30)")


async def test_too_much_time_on_the_processor_ends_it() -> None:
    with pytest.raises(ProgramLimitExceeded, match="processor"):
        await lines_of("while True: pass", replace(ROOMY, cpu_s=1))


async def test_a_program_that_never_ends_is_ended() -> None:
    with pytest.raises(ProgramLimitExceeded, match="time"):
        await lines_of(FOREVER, replace(ROOMY, wall_s=1))


async def test_others_go_first_whether_they_are_in_its_session_or_not() -> None:
    if not Path("/proc/self/autogroup").exists():
        pytest.skip("NOT TESTED HERE: this kernel does not share out the processor between sessions")

    async def gives_way_to_all() -> bool:
        asked = "import os; print(os.nice(0)); print(open('/proc/self/autogroup').read().split()[-1])"
        return await lines_of(asked) == ["10", "10"]

    # Linux lets a session of a usual user change this ten times a second.
    await until(gives_way_to_all)


async def test_a_file_that_grows_without_end_is_cut(tmp_path: Path) -> None:
    file = tmp_path / "large"
    code = f"import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL); f = open({str(file)!r}, 'wb')"
    with pytest.raises(ProgramLimitExceeded, match="size"):
        await lines_of(f"{code}\nwhile True: f.write(bytes(65536))")
    assert file.stat().st_size <= MEBIBYTE


async def test_a_line_that_never_ends_is_not_kept() -> None:
    with pytest.raises(ProgramLimitExceeded, match="line"):
        await lines_of("import sys\nwhile True: sys.stdout.write('x' * 65536)")


async def test_what_it_started_dies_with_it() -> None:
    [child] = await lines_of(FORKING)
    await until(lambda: not is_alive(int(child)))


async def test_what_left_its_group_holds_nothing_up() -> None:
    heard: list[str] = []

    async def keep(line: str) -> None:
        heard.append(line)

    with suppress(ProgramFailed):
        await run([sys.executable, "-I", "-S", "-c", FORKING.replace("])", "], start_new_session=True)")], ROOMY, keep)
    os.kill(int(heard[0]), signal.SIGKILL)


async def test_what_it_started_dies_when_its_time_is_over() -> None:
    heard: list[str] = []

    async def keep(line: str) -> None:
        heard.append(line)

    command = [sys.executable, "-I", "-S", "-c", FORKING + FOREVER]
    wall_s = 1.0
    while not heard:  # on a busy machine it may take longer to begin
        wall_s *= 2
        with pytest.raises(ProgramLimitExceeded, match="time"):
            await run(command, replace(ROOMY, wall_s=wall_s), keep)
    await until(lambda: not is_alive(int(heard[0])))


async def test_a_cancellation_ends_it_at_once() -> None:
    running: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def keep(line: str) -> None:
        running.set_result(line)

    command = [sys.executable, "-I", "-S", "-c", f"import os; print(os.getpid(), flush=True)\n{FOREVER}"]
    task = asyncio.create_task(run(command, ROOMY, keep))
    pid = int(await running)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not is_alive(pid)


async def test_who_listens_can_end_it() -> None:
    class Enough(Exception):
        pass

    pids: list[int] = []

    async def refuse(line: str) -> None:
        pids.append(int(line))
        raise Enough

    command = [sys.executable, "-I", "-S", "-c", f"import os; print(os.getpid(), flush=True)\n{FOREVER}"]
    with pytest.raises(Enough):
        await run(command, ROOMY, refuse)
    assert not is_alive(pids[0])


async def test_it_dies_with_the_process_that_started_it(tmp_path: Path) -> None:
    """Even if that is killed and can do nothing about it."""
    program = f"""
import asyncio, sys
from stowboard.media.videos.ffmpeg.running import run
from support.processes.confined import ROOMY
async def tell(line): print(line, flush=True)
code = "import os; print(os.getpid(), flush=True)\\n{FOREVER}"
asyncio.run(run([sys.executable, "-I", "-S", "-c", code], ROOMY, tell))
"""
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert parent.stdout is not None
    pid = int(await parent.stdout.readline())
    assert is_alive(pid)
    parent.kill()
    await parent.wait()
    await until(lambda: not is_alive(pid))


async def test_our_secrets_are_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STOWBOARD_DIGEST_KEY", "secret")
    [seen] = await lines_of("import os; print(dict(os.environ))")
    assert "STOWBOARD" not in seen
    assert "secret" not in seen


async def test_it_can_gain_no_privileges_and_leaves_no_core() -> None:
    code = "import resource; print(resource.getrlimit(resource.RLIMIT_CORE)); print(open('/proc/self/status').read())"
    [core, *status] = await lines_of(code)
    assert core == "(0, 0)"
    assert "NoNewPrivs:\t1" in status
    [capabilities] = [int(line.split()[1], 16) for line in status if line.startswith("CapEff")]
    assert capabilities & ~0b110 == 0


async def test_it_has_no_network() -> None:
    if not may_leave_network():
        pytest.skip("NOT TESTED HERE: this system lets no process leave its network")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        code = f"import socket; socket.create_connection(('127.0.0.1', {listener.getsockname()[1]}), 2)"
        with pytest.raises(ProgramFailed, match="Network is unreachable"):
            await lines_of(code)


async def test_a_program_that_is_not_there_is_no_fault_of_the_bytes() -> None:
    async def ignore(_: str) -> None: ...

    with pytest.raises(ProgramNotStarted, match="No such file"):
        await run(["/no/such/program"], ROOMY, ignore)


@pytest.mark.parametrize(
    "promise",
    [
        test_what_it_prints_is_heard_line_by_line,
        test_a_line_that_never_ends_is_not_kept,
        test_what_it_started_dies_with_it,
        test_what_left_its_group_holds_nothing_up,
        test_a_cancellation_ends_it_at_once,
        test_who_listens_can_end_it,
    ],
)
def test_the_loop_that_the_service_runs_on_keeps_the_promise(
    promise: Callable[[], Coroutine[None, None, None]],
) -> None:
    """The others run on asyncio's own, whose child processes work in another way."""
    uvloop.run(promise())


def may_leave_network() -> bool:
    pid = os.fork()
    if pid == 0:
        import ctypes

        libc = ctypes.CDLL(None)
        os._exit(0 if libc.unshare(0x40000000) == 0 or libc.unshare(0x50000000) == 0 else 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0

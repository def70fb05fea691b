"""Scripts of tests that run in a process of their own until they are killed: forks of one that is loaded."""

import os
import tempfile
from pathlib import Path
from types import ModuleType

from support.servers.forked import ForkedProcess, launch
from support.servers.stowboard import clean_environment
from support.waiting import until


async def begin_script(script: ModuleType, *words: str) -> ForkedProcess:
    """Return once it has said `ready`."""
    assert script.__file__ is not None
    with tempfile.TemporaryFile() as said:
        process = launch([script.__file__, *words], clean_environment(), said, said, Path.cwd())

        def is_ready() -> bool:
            text = os.pread(said.fileno(), 10_000, 0)  # the place in the file is its, too
            assert process.poll() is None, text.decode()
            return b"ready\n" in text

        await until(is_ready)
    return process


def end_script(process: ForkedProcess) -> None:
    process.kill()
    process.wait()

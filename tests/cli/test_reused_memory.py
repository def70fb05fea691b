"""A server uses its memory again for each part of a body, instead of asking the system."""

import platform
import subprocess
import sys

import pytest

#: Chunks come and go as those of an upload do. Prints how many pages the system had to give meanwhile.
PROGRAM = """
from resource import RUSAGE_SELF, getrusage
from stowboard.cli.serving.memory import reuse_memory
from stowboard.http.granian.server import LARGEST_READ

def come_and_go():
    chunks = [b"x" * LARGEST_READ for _ in range(12)]

reuse_memory()
come_and_go()
before = getrusage(RUSAGE_SELF).ru_minflt
for _ in range(40):
    come_and_go()
print(getrusage(RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have ways of their own")
def test_the_memory_of_chunks_is_used_again() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=120)
    assert int(run.stdout) < 1000


def test_what_a_server_has_loaded_is_not_looked_through_for_garbage() -> None:
    program = """
import gc
from stowboard.cli.serving.memory import loaded_for_good
with loaded_for_good():
    looked_meanwhile = gc.isenabled()
    import stowboard.cli.serving.server
print(looked_meanwhile, gc.isenabled(), gc.get_freeze_count() > 10_000)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout == "False True True\n"

"""Types that several threads use for the first time at once: msgspec 0.22 crashes there."""

import subprocess
import sys

_RACE = """
import sys, threading
import msgspec
{given}
sys.setswitchinterval(1e-6)
fields = {{f"field{{number}}": int for number in range(30)}}
for _ in range(100):
    Inner = msgspec.defstruct("Inner", fields.items())
    Outer = msgspec.defstruct("Outer", [("inner", list[Inner]), *fields.items()])
    values = dict.fromkeys(fields, 1)
    use = {use}
    found, together = [], threading.Barrier(4)

    def work():
        together.wait()
        found.append(use())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == 4 * [Outer(inner=[Inner(**values)], **values)]
"""


def race(given: str, use: str) -> subprocess.CompletedProcess[str]:
    """Four threads use a hundred new types. `use` is the function that they call, made of Outer, Inner and values."""
    program = _RACE.format(given=given, use=use)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

"""The library and `stow` also run on macOS and Windows: they need nothing that Linux alone has.

A program on Linux is kept from the modules that Windows lacks. That is no test on Windows itself.
"""

import ast
import os
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src"
#: Modules that Windows does not have; `_posixsubprocess`, `posix` and `select` belong to Python's own start.
MISSING = (
    "fcntl",
    "resource",
    "pwd",
    "grp",
    "termios",
    "tty",
    "pty",
    "syslog",
    "spwd",
    "crypt",
    "nis",
    "curses",
    "uvloop",
)
#: Of modules that both have, the parts that only one has.
POSIX_ONLY = {
    "os": {
        "fork", "forkpty", "getuid", "geteuid", "getgid", "getegid", "setuid", "setgid", "setsid", "getpgid", "killpg",
        "chown", "lchown", "fchown", "fchmod", "mkfifo", "mknod", "nice", "uname", "statvfs", "fdatasync", "pread",
        "pwrite", "sendfile", "posix_fadvise", "posix_fallocate", "sched_getaffinity", "memfd_create", "wait", "wait3",
        "wait4", "ttyname", "openpty", "getloadavg", "sysconf", "O_DIRECT", "O_CLOEXEC", "O_NONBLOCK", "O_DIRECTORY",
        "O_NOFOLLOW", "O_TMPFILE",
    },
    "signal": {"SIGKILL", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPIPE", "SIGALRM", "alarm", "pause"},
    "socket": {"AF_UNIX", "SO_REUSEPORT"},
    "time": {"tzset"},
}  # fmt: skip

PROGRAM = f"""
import importlib, pkgutil, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {MISSING!r}:
            raise ImportError(f"this system has no {{name}}")

for name in {MISSING!r}:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Blocker())
import stowboard_cli, stowboard_client
for package in (stowboard_cli, stowboard_client):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith(".__main__"):
            importlib.import_module(module.name)
from stowboard_cli.main import run
for words in sys.argv[1:]:
    assert run(words.split()) == 0, words
assert not set({MISSING!r}) & set(sys.modules)
"""


def test_all_of_it_is_imported_and_run_without_modules_that_windows_lacks(tmp_path: Path) -> None:
    profiles = '{"current": "a", "profiles": {"a": {"url": "http://a.test", "token": "t"}}}'
    (tmp_path / "credentials.json").write_text(profiles)
    words = ["--help", "--version", "profile ls", "profile use a"]
    environment = {**os.environ, "STOW_FOLDER": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"name":"a"' in done.stdout


def test_no_part_of_a_module_is_used_that_windows_lacks() -> None:
    for file in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert node.attr not in POSIX_ONLY.get(node.value.id, ()), f"{file.name}: {ast.unparse(node)}"


def test_text_is_read_and_written_in_one_encoding() -> None:
    """Elsewhere the default is a code page of the machine."""
    for file in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                named = {keyword.arg for keyword in node.keywords}
                wrong = node.func.attr in ("read_text", "write_text") and "encoding" not in named
                assert not wrong, f"{file.name}: {ast.unparse(node)}"

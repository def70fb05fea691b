"""Processes of this machine, found by what they were started with, and by whom."""

from pathlib import Path


def find_processes(*words: str) -> list[int]:
    """Those in whose command line all of these occur."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if all(word in command for word in words):
            found.append(int(process.name))
    return found


def has_ended(pid: int) -> bool:
    """Also if nobody has asked for its exit code. Its first thread may be gone while others hold its sockets."""
    process = Path(f"/proc/{pid}")
    try:
        state = (process / "stat").read_text().rpartition(")")[2].split()[0]
        return state == "Z" and len(list((process / "task").iterdir())) == 1
    except (FileNotFoundError, ProcessLookupError):
        return True


def parent_of(pid: int) -> int:
    """0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def children_of(pid: int) -> list[int]:
    return [child for process in Path("/proc").glob("[0-9]*") if parent_of(child := int(process.name)) == pid]

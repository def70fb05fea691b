"""A picture of the terminal: commands that are run in a pseudo-terminal, and what was to be seen there, as an SVG."""

import io
import os
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from support.clients.terminal import Terminal
from support.servers.stowboard import Server

NAME = "terminal"
COMMANDS = [
    ["upload", "holiday", "--tag", "holiday", "--fields", "outcome,id,filename,size"],
    ["upload", "holiday", "--tag", "holiday", "--fields", "outcome,id,filename,size"],
    ["task", "add", "Renew cert fri 9am #ops every month !2", "--fields", "title,recurrence,priority"],
    ["board", "show", "Launch"],
]
_COLUMNS = 100
_THEME = TerminalTheme((30, 32, 38), (222, 224, 229), [(222, 224, 229)] * 8)
#: The line is drawn again; what stood in it is gone.
_REDRAWN = re.compile(r".*\r\x1b\[K")
#: rich would have the font come from elsewhere.
_FONT = re.compile(r"@font-face \{.*?\}", re.DOTALL)


def draw(server: Server, bearer: dict[str, str], place: Path, folder: Path) -> None:
    terminal = Terminal(server, place / "terminal", bearer["authorization"].split()[-1])
    terminal.environment.pop("NO_COLOR")
    holiday = place / "shell" / "holiday"
    holiday.mkdir(parents=True)
    for name, size in (("dunes.tif.zip", 9_400_000), ("letter.txt", 2_000)):
        (holiday / name).write_bytes(os.urandom(size))
    console = Console(record=True, width=_COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for words in COMMANDS:
        code, seen = terminal.on_screen(*words, folder=holiday.parent)
        assert code == 0, seen
        console.print(Text(f"$ stow {' '.join(map(_quoted, words))}", style="bold"))
        console.print(Text.from_ansi("\n".join(_REDRAWN.sub("", line) for line in seen.split("\n")).rstrip()))
        console.print()
    picture = console.export_svg(title="stow", theme=_THEME, unique_id="stow")
    file = folder / f"{NAME}.svg"
    file.write_text(_FONT.sub("", picture).replace("Fira Code", "ui-monospace"))
    print(file.name, f"{file.stat().st_size // 1024} kB")


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word

"""Tasks and boards as people name them: by id, or by a text that fits exactly one."""

import re
from argparse import ArgumentParser
from itertools import islice
from typing import Any

from stowboard_cli.exits import INVALID, NOT_FOUND, CommandFailure
from stowboard_cli.profiles.space import ALL
from stowboard_client import Board, Client, Task, errors

#: The most tasks that are named if a text fits several.
_CANDIDATES = 5
#: The most characters of a search.
_LONGEST_QUERY = 200
_SHORTEST_PART = 3
TASK_HELP = "its id, or a part of its title that no other has"


def task_argument(parser: ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help=TASK_HELP)


def board_argument(parser: ArgumentParser) -> None:
    parser.add_argument("board", metavar="BOARD", help="its name or id")


def get_task_named(client: Client, text: str, *, put_away: bool = False, open_first: bool = False) -> Task:
    """The task with this id, or the one whose title has this text. Raises CommandFailure, naming those it could be.

    With `put_away` it looks in the trash and the archive instead. With `open_first` it looks for a done task only if no
    open task fits.
    """
    if text.startswith("tsk_"):
        return client.tasks.get(text)
    found = _put_away(client, text) if put_away else _with_title(client, text)
    if open_first:
        found = [task for task in found if task.status != "done"] or found
    exact = [task for task in found if task.title.casefold() == text.casefold()]
    chosen = exact if len(exact) == 1 else found
    if not chosen:
        raise CommandFailure(NOT_FOUND, f"No task has {text!r} in its title. See: stow task ls")
    if len(chosen) > 1:
        names = "\n".join(f"  {task.id}  {task.title}" for task in chosen[:_CANDIDATES])
        raise CommandFailure(INVALID, f"{text!r} could be several tasks; name one by its id:\n{names}")
    return chosen[0]


def _put_away(client: Client, text: str) -> list[Task]:
    """Tasks in the trash; if none there fits, archived ones."""
    trash = [task for task in client.tasks.list(trashed="only") if _fits(text, task.title)]
    return trash or _with_title(client, text, archived="only")


def _with_title(client: Client, text: str, **filters: Any) -> list[Task]:
    """Tasks with this text in their title. Search finds most of them in one request. It does not find sealed tasks or
    parts of words; for these all titles are read.
    """
    for words in dict.fromkeys((_words(text), None)):
        found = [task for task in list_tasks(client, q=words, **filters) if _fits(text, task.title)]
        if found:
            return found
    return []


def _fits(text: str, title: str) -> bool:
    """True if the title has this text; one or two letters have to be a word of it, since nearly any title has them."""
    if text.isascii() and len(text) < _SHORTEST_PART:
        return text.casefold() in re.findall(r"\w+", title.casefold()) or text.casefold() == title.casefold()
    return text.casefold() in title.casefold()


def get_board_named(client: Client, text: str) -> Board:
    """Raises CommandFailure."""
    if text.startswith("brd_"):
        return client.boards.get(text)
    found = [board for board in client.boards.list() if board.name.casefold() == text.casefold()]
    if not found:
        raise CommandFailure(NOT_FOUND, f"There is no board {text!r}. See: stow board ls")
    if len(found) > 1:
        names = "\n".join(f"  {board.id}  {board.name}" for board in found[:_CANDIDATES])
        raise CommandFailure(INVALID, f"Several boards have that name; name one by its id:\n{names}")
    return found[0]


def list_tasks(client: Client, limit: int | None = None, **filters: Any) -> list[Task]:
    """List tasks. The index that lists need, which each space activates once, is activated on the way."""
    try:
        return list(islice(client.tasks.list(**filters), limit))
    except errors.TaskIndexNotActivated:
        for space in client.spaces.list() if client.space == ALL else (None,):
            client.tasks.activate_index(space=space.id if space else None)
        return list(islice(client.tasks.list(**filters), limit))


def _words(text: str) -> str | None:
    """The words of a title as a search: its quotes, colons and minus signs would be operators there."""
    return " ".join(re.findall(r"\w+", text))[:_LONGEST_QUERY].rstrip() or None

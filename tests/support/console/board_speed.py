"""How fast a board of 2,000 cards opens, how fast a card moves or is dragged, and when a second browser shows it.

Two figures each: on the clock, from the click or key until the paint is done, and of that the time in which the page's
own thread worked, out of a trace. The second does not depend on what else the machine has to do.
"""

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from support.console.visitor import Visitor
from support.servers.stowboard import Server

CARDS, TIMES = 2_000, 3
_MOVES = ("Alt+ArrowRight", "Alt+ArrowDown", "Alt+ArrowDown", "Alt+ArrowLeft", "Alt+ArrowUp")
#: A frame's callbacks run before its paint, a timer that they set after it. What lies between is marked in the trace.
_OPEN = """([link, first, all]) => new Promise((done) => {
  const begin = performance.now(), seen = []
  const measured = (name) => setTimeout(() => {
    performance.measure(name, {start: begin})
    seen.push(performance.now() - begin)
    if (name === 'all cards') done(seen)
  })
  const look = (wanted, name) => requestAnimationFrame(() => {
    if (document.querySelectorAll('[data-card]').length < wanted) return look(wanted, name)
    measured(name)
    if (wanted === first) look(all, 'all cards')
  })
  document.querySelector(link).click()
  look(first, 'first cards')
})"""
_WATCH_KEYS = """() => {
  window.painted = []
  addEventListener('keydown', (event) => {
    if (!event.key.startsWith('Arrow')) return
    const begin = performance.now()
    requestAnimationFrame(() => setTimeout(() => {
      performance.measure('moved', {start: begin})
      window.painted.push(performance.now() - begin)
    }))
  }, {capture: true})
}"""

#: Each frame of a drag, from its beginning until its paint is done.
_WATCH_FRAMES = """() => {
  const frame = () => {
    const begin = performance.now()
    setTimeout(() => performance.measure('dragged', {start: begin}))
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}"""


def measure(
    browser: Any, server: Server, bearer: dict[str, str], visitor: Callable[[], Visitor], folder: Path | None
) -> None:
    board = _fill(server, bearer)
    with tempfile.TemporaryDirectory() as place:
        _measure_opening(browser, visitor(), board, folder or Path(place))
        _measure_moves(browser, visitor(), board, folder or Path(place))
        _measure_drag(browser, visitor(), board, folder or Path(place))
    _measure_second_browser(visitor(), visitor(), board)


def _fill(server: Server, headers: dict[str, str]) -> str:
    now = int(time.time() * 1000)
    with httpx2.Client(base_url=server.base_url, headers=headers, timeout=60) as api:
        board = api.post("/taskapp/boards", json={"name": "Large"}).json()["data"]
        for number in range(CARDS):
            task: dict[str, Any] = {"title": f"Card {number:03}", "tags": ["large"], "boardId": board["id"]}
            if number % 2:
                task |= {"dueAt": now + (number - 50) * 3_600_000}
            if number % 10 == 1:
                task |= {"recurrence": "FREQ=WEEKLY", "body": "Some **words** about it."}
            made = api.post("/taskapp/tasks", json=task | {"columnId": board["columns"][number % 3]["id"]})
            assert made.status_code == 201, made.text
    return str(board["id"])


def _measure_opening(browser: Any, visitor: Visitor, board: str, folder: Path) -> None:
    link = f"a[href='/boards/{board}']"
    asked, known = [], []
    with _traced(browser, visitor, folder / "opening.json") as worked:
        for _ in range(TIMES):
            visitor.go("/boards")
            visitor.page.locator(link).wait_for()
            visitor.page.wait_for_timeout(2000)  # until the code of the other screens is there, as it is for a person
            asked.append(visitor.page.evaluate(_OPEN, [link, 1, CARDS]))
            visitor.page.go_back()
            visitor.page.locator(link).wait_for()
            known.append(visitor.page.evaluate(_OPEN, [link, 1, CARDS]))
    first, whole = worked("first cards"), worked("all cards")
    for name, seen, at in (("asked of the server", asked, 0), ("seen before", known, 1)):
        print(f"board of {CARDS} cards, {name}: from click to paint {_list(each[0] for each in seen)} ms,")
        print(f"  of which the page worked {_list(first[at::2])} ms")
        print(f"  all of its cards after {_list(each[1] for each in seen)} ms, worked {_list(whole[at::2])} ms")
    print(f"refused by the policy: {visitor.refused()}, asked elsewhere: {visitor.elsewhere}")
    visitor.context.close()


def _measure_moves(browser: Any, visitor: Visitor, board: str, folder: Path) -> None:
    visitor.go(f"/boards/{board}")
    visitor.page.locator("[data-card]").nth(CARDS - 1).wait_for(state="attached")
    visitor.page.evaluate(_WATCH_KEYS)
    visitor.page.locator("[data-task]").nth(3).focus()
    with _traced(browser, visitor, folder / "moves.json") as worked:
        for key in _MOVES:
            with visitor.page.expect_response("**/move"):
                visitor.page.keyboard.press(key)
            visitor.page.wait_for_timeout(300)
    print(f"a card moved: from key to paint {_list(visitor.page.evaluate('window.painted'))} ms,")
    print(f"  of which the page worked {_list(worked('moved'))} ms")
    visitor.context.close()


def _measure_drag(browser: Any, visitor: Visitor, board: str, folder: Path) -> None:
    visitor.go(f"/boards/{board}")
    visitor.page.locator("[data-card]").nth(CARDS - 1).wait_for(state="attached")
    mouse, box = visitor.page.mouse, visitor.page.locator("[data-card]").nth(3).bounding_box()
    assert box is not None
    mouse.move(box["x"] + 20, box["y"] + 12)
    mouse.down()
    mouse.move(box["x"] + 40, box["y"] + 20)
    visitor.page.locator(".ghost").wait_for()
    with _traced(browser, visitor, folder / "drag.json") as worked:
        visitor.page.evaluate(_WATCH_FRAMES)
        mouse.move(box["x"] + 700, box["y"] + 300, steps=60)
        mouse.move(box["x"] + 20, box["y"] + 12, steps=60)
    frames = sorted(worked("dragged"))
    at = [frames[int(share * (len(frames) - 1))] for share in (0.5, 0.9, 1)]
    print(
        f"a card dragged over three columns: in {len(frames)} frames the page worked {_list(at)} ms (half, 90 %, most)"
    )
    visitor.page.keyboard.press("Escape")
    mouse.up()
    visitor.context.close()


def _measure_second_browser(first: Visitor, second: Visitor, board: str) -> None:
    for visitor in (first, second):
        visitor.go(f"/boards/{board}")
        visitor.role("link", "Card 000").wait_for()
    first.role("link", "Card 000").focus()
    seen = []
    for key, column in zip(_MOVES[::3] * 2, ("In progress", "To do") * 2, strict=True):
        begin = time.perf_counter()
        first.page.keyboard.press(key)
        second.role("list", column).get_by_role("link", name="Card 000", exact=True).wait_for()
        seen.append((time.perf_counter() - begin) * 1000)
        second.page.wait_for_timeout(500)
    print(f"a move seen in a second browser after {_list(seen)} ms")
    for visitor in (first, second):
        visitor.context.close()


@contextmanager
def _traced(browser: Any, visitor: Visitor, path: Path) -> Iterator[Callable[[str], list[float]]]:
    """Gives, once it is over, the milliseconds that the page's thread worked within each measure of a name."""
    browser.start_tracing(page=visitor.page, path=str(path))
    events: list[dict[str, Any]] = []
    yield lambda name: _worked(events, name)
    browser.stop_tracing()
    events += json.loads(path.read_text())["traceEvents"]


def _worked(events: list[dict[str, Any]], name: str) -> list[float]:
    marks = [each for each in events if each["name"] == name and each.get("cat") == "blink.user_timing"]
    begins, ends = (
        sorted((each["ts"], each["tid"], each["pid"]) for each in marks if each["ph"] == kind) for kind in "be"
    )
    found = []
    for (begin, thread, process), (end, *_) in zip(begins, ends, strict=True):
        tasks = (each for each in events if each["name"] == "RunTask" and each.get("ph") == "X")
        own = (each for each in tasks if (each["tid"], each["pid"]) == (thread, process))
        found.append(sum(_within(each, begin, end) for each in own))
    return found


def _within(task: dict[str, Any], begin: int, end: int) -> float:
    """The part of a task's processor time that lies between two moments."""
    shared = min(task["ts"] + task["dur"], end) - max(task["ts"], begin)
    return float(max(0.0, shared / max(1, task["dur"])) * task.get("tdur", task["dur"]) / 1000)


def _list(values: Sequence[float] | Iterator[float]) -> str:
    return ", ".join(f"{value:.0f}" for value in values)

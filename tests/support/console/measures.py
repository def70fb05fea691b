"""What the console costs: a board of 500 cards, a library of 100,000 assets, a move seen in a second browser.

    PYTHONPATH=tests python -m support.console.measures [folder for traces] [board]

The figures are worth what the machine is idle. A trace opens in the browser's own tools (Performance, load profile).
"""

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw
import httpx2

from stowboard.core.ids import new_id
from support.clients.people import invited
from support.console import library
from support.console.visitor import DESKTOP, Visitor, chromium
from support.servers.stowboard import Server

CARDS, ASSETS = 500, 100_000
PERSON = "robin"
UNLIMITED = {"STOWBOARD_RATE_LIMIT_PER_MINUTE": "6000000", "STOWBOARD_SIGN_INS_PER_MINUTE": "100000"}
#: Milliseconds from a click or a key until what it is for is painted.
_OPENED = """(link) => new Promise((done) => {
  const begin = performance.now(), seen = []
  document.querySelector(link).click()
  const painted = () => requestAnimationFrame(() => setTimeout(() => {
    seen.push(performance.now() - begin)
    if (seen.length === 2) done(seen)
  }))
  const look = (wanted) => {
    if (document.querySelectorAll('[data-card]').length < wanted) return requestAnimationFrame(() => look(wanted))
    painted()
    if (wanted === 1) look(CARDS)
  }
  look(1)
})""".replace("CARDS", str(CARDS))
_PAINTED = """() => {
  window.painted = []
  new PerformanceObserver((list) => window.painted.push(...list.getEntries().map((each) => [each.name, each.duration])))
    .observe({type: 'event', durationThreshold: 16, buffered: false})
}"""
_HEAP = "Performance.getMetrics"


def main(folder: Path | None = None, what: str = "all") -> None:
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        server = Server(Path(place), UNLIMITED).start()
        try:
            bearer = invited(server, PERSON).bearer()
            library.fill(server, bearer, pictures=6)
            board = _board(server, bearer)
            _measure_board(browser, server, board, folder)
            _measure_second_browser(browser, server, board)
            if what == "all":
                _multiply_assets(server)
                _measure_library(browser, server)
        finally:
            server.kill()


def _board(server: Server, headers: dict[str, str]) -> str:
    with httpx2.Client(base_url=server.base_url, headers=headers, timeout=60) as api:
        board = str(api.post("/taskapp/boards", json={"name": "Large"}).json()["data"]["id"])
        for number in range(CARDS):
            task = api.post("/taskapp/tasks", json={"title": f"Card {number:03}", "tags": ["large"]}).json()["data"]
            status = ("todo", "in_progress", "done")[number % 3]
            api.patch(f"/taskapp/tasks/{task['id']}/move", json={"status": status, "board": board})
    return board


def _visitor(browser: Any, server: Server) -> Visitor:
    visitor = Visitor(browser.new_context(viewport=DESKTOP), server)
    visitor.sign_in(PERSON)
    return visitor


def _measure_board(browser: Any, server: Server, board: str, folder: Path | None) -> None:
    visitor = _visitor(browser, server)
    visitor.go("/boards")
    link = f"a[href='/boards/{board}']"
    visitor.page.locator(link).hover()
    opened = []
    for number in range(5):
        if folder is not None and number == 4:
            browser.start_tracing(page=visitor.page, path=str(folder / "board.json"))
        opened.append(visitor.page.evaluate(_OPENED, link))
        if number < 4:
            visitor.page.go_back()
            visitor.page.locator(link).wait_for()
    visitor.page.evaluate(_PAINTED)
    visitor.page.locator("[data-task]").nth(3).focus()
    for key in ("Alt+ArrowRight", "Alt+ArrowDown", "Alt+ArrowDown", "Alt+ArrowLeft", "Alt+ArrowUp"):
        with visitor.page.expect_response("**/move"):
            visitor.page.keyboard.press(key)
    visitor.page.wait_for_timeout(500)
    if folder is not None:
        browser.stop_tracing()
    moved = [ms for name, ms in visitor.page.evaluate("window.painted") if name == "keydown"]
    first, whole = zip(*opened, strict=True)
    print(f"board of {CARDS} cards, from click to paint with its requests: the first cards after {_list(first)} ms")
    print(f"all of its cards after {_list(whole)} ms")
    print(f"a card moved: {_list(moved)} ms from key to paint (those above 16 ms)")
    print(f"refused by the policy: {visitor.refused()}, asked elsewhere: {visitor.elsewhere}")
    visitor.context.close()


def _measure_second_browser(browser: Any, server: Server, board: str) -> None:
    first, second = _visitor(browser, server), _visitor(browser, server)
    for visitor in (first, second):
        visitor.go(f"/boards/{board}")
        visitor.role("link", "Card 000").wait_for()
    first.role("link", "Card 000").focus()
    seen = []
    for key, column in (
        ("Alt+ArrowRight", "In progress"),
        ("Alt+ArrowLeft", "To do"),
        ("Alt+ArrowRight", "In progress"),
    ):
        begin = time.perf_counter()
        first.page.keyboard.press(key)
        second.role("list", column).get_by_role("link", name="Card 000", exact=True).wait_for()
        seen.append((time.perf_counter() - begin) * 1000)
    print(f"a move seen in a second browser after {_list(seen)} ms")
    for visitor in (first, second):
        visitor.context.close()


def _multiply_assets(server: Server) -> None:
    """Rows straight into the database, each like one that was uploaded."""
    connection = apsw.Connection(str(server.data_dir / "stowboard.db"))
    connection.set_busy_timeout(60_000)
    names = [row[1] for row in connection.execute("PRAGMA table_info(asset)")]
    pattern = connection.execute("SELECT * FROM asset WHERE kind = 'image' AND visibility = 'public'").fetchall()
    place = names.index("id")
    with connection:
        for number in range(ASSETS):
            row = list(pattern[number % len(pattern)])
            row[place] = new_id("ast")
            connection.execute(f"INSERT INTO asset VALUES ({', '.join('?' * len(names))})", row)
    connection.close()


def _measure_library(browser: Any, server: Server) -> None:
    visitor = _visitor(browser, server)
    devtools = visitor.context.new_cdp_session(visitor.page)
    devtools.send("Performance.enable")
    visitor.go("/media?kind=image")
    visitor.role("button", "List").click()
    visitor.page.locator("ul.list li").nth(8).wait_for()
    begin, known = time.perf_counter(), 0
    for goal in range(10_000, ASSETS + 1, 10_000):
        while known < goal:
            known = visitor.page.evaluate(_SCROLL)
        devtools.send("HeapProfiler.collectGarbage")
        values = {each["name"]: each["value"] for each in devtools.send(_HEAP)["metrics"]}
        heap, nodes = values["JSHeapUsedSize"] / 1e6, int(values["Nodes"])
        print(f"{known:7} assets scrolled past, {heap:.1f} MB, {nodes} nodes, {time.perf_counter() - begin:.0f} s")
    print(f"refused by the policy: {visitor.refused()}, complaints: {visitor.complaints}")
    visitor.context.close()


#: To the end of what is known, until more is known; the number of rows that there is room for.
_SCROLL = """async () => {
  const list = [...document.querySelectorAll('*')].find((each) => each.scrollHeight > each.clientHeight + 200
    && getComputedStyle(each).overflowY === 'auto' && each.querySelector('li'))
  const before = list.scrollHeight
  for (let round = 0; round < 20; round += 1) {
    list.scrollTop = list.scrollHeight
    await new Promise((next) => setTimeout(next, 15))
  }
  const row = list.querySelector('li').getBoundingClientRect().height
  return Math.round(list.scrollHeight / row)
}"""


def _list(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.0f}" for value in values)


if __name__ == "__main__":
    main(*(Path(word) for word in sys.argv[1:2]), *sys.argv[2:3])

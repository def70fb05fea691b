"""The console's speed: a board of 2,000 cards, a library of 100,000 assets, a move seen in a second browser.

    PYTHONPATH=tests python -m support.console.measures [folder for traces] [board]

The figures are worth what the machine is idle. A trace opens in the browser's own tools (Performance, load profile).
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import apsw

from stowboard.core.ids import new_id
from support.clients.people import invited
from support.console import board_speed, library
from support.console.visitor import DESKTOP, OPEN_LIBRARY, Visitor, chromium
from support.servers.stowboard import Server

ASSETS = 100_000
PERSON = "robin"
UNLIMITED = {"STOWBOARD_RATE_LIMIT_PER_MINUTE": "6000000", "STOWBOARD_SIGN_INS_PER_MINUTE": "100000"}
_HEAP = "Performance.getMetrics"


def main(folder: str | None = None, what: str = "all") -> None:
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        server = Server(Path(place), UNLIMITED).start()
        try:
            bearer = invited(server, PERSON).bearer()
            library.fill(server, bearer, pictures=6)
            board_speed.measure(
                browser, server, bearer, lambda: _visitor(browser, server), Path(folder) if folder else None
            )
            if what == "all":
                _multiply_assets(server)
                _measure_library(browser, server)
        finally:
            server.kill()


def _visitor(browser: Any, server: Server) -> Visitor:
    context = browser.new_context(viewport=DESKTOP)
    visitor = Visitor(context, server)
    visitor.sign_in(PERSON)
    return visitor


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
    visitor.context.add_init_script(OPEN_LIBRARY)
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


if __name__ == "__main__":
    main(*sys.argv[1:3])

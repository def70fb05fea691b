"""A person at the console, in a real browser that notes what it asked for and what it complained about."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from support.clients.people import PASSWORD, invitation
from support.servers.stowboard import Server
from support.waiting import PATIENCE_SECONDS

#: The shell has no windows, and takes half the work for the same page.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
AXE = Path(__file__).parents[2] / "tools" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE_MS = 1000 * PATIENCE_SECONDS
#: For a request on a connection that the server closes just then, since nothing came on it for ten seconds.
RETRIES = 3
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
#: A name as an installation has it, for the server here.
HOST = "stowboard.test"
#: A script for a context that has the Library open at first. A page without an address has no storage.
OPEN_LIBRARY = """try {
  if (!sessionStorage.begun) localStorage.setItem('stowboard.person.space', 'spc_library');
  sessionStorage.begun = 'yes';
} catch {}"""
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
#: Violations of the page's policy are events, not always messages.
_WATCH_POLICY = """
  window.refusedByPolicy = [];
  document.addEventListener('securitypolicyviolation',
    (event) => window.refusedByPolicy.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
"""
_LOOK = """async (rules) => {
  const found = await axe.run(document, { runOnly: rules, resultTypes: ['violations'] });
  return found.violations;
}"""
_SETTLE = """async () => {
  const painted = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await painted();
  await painted();
  const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
  await Promise.allSettled(transitions.map((each) => each.finished));
}"""


class Visitor:
    def __init__(self, context: Any, server: Server, origin: str | None = None) -> None:
        self.server, self.origin, self.context = server, origin or server.origin, context
        self.name = ""
        self.elsewhere: list[str] = []
        self.complaints: list[str] = []
        self.calls: list[str] = []
        self.page = context.new_page()
        self.page.add_init_script(_WATCH_POLICY)
        self.page.on("request", self._note)
        self.page.on("console", self._complain)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def join(self, name: str, role: str = "member") -> None:
        """Accept an invitation, which signs in."""
        ticket = invitation(self.server, name, role)
        self._post("/session/redeem", {"ticket": ticket, "password": PASSWORD})
        self.name = name

    def sign_in(self, name: str, password: str = PASSWORD) -> None:
        self._post("/session/login", {"username": name, "password": password})
        self.name = name

    def api(self) -> httpx2.Client:
        """The API, as this person."""
        headers = {"sec-fetch-site": "same-origin"}
        answer = self.context.request.post(
            f"{self.origin}/session/token", data={}, headers=headers, max_retries=RETRIES
        )
        bearer = {"authorization": f"Bearer {answer.json()['access_token']}"}
        return httpx2.Client(base_url=self.server.base_url, headers=bearer)

    def go(self, path: str) -> None:
        self.page.goto(self.origin + path)

    def path(self) -> str:
        return str(self.page.url).removeprefix(self.origin)

    def role(self, role: str, name: str, **options: Any) -> Any:
        """The elements of this role with exactly this name."""
        return self.page.get_by_role(role, name=name, exact=True, **options)

    def axe(self, *, dark: bool = True) -> list[str]:
        """The violations that axe-core finds here, as lines to read: all rules in light, colours alone in dark."""
        # Through the debugger: the page's own policy lets nobody add a script.
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text("utf-8"))
        wrong = []
        if dark:
            self.page.emulate_media(color_scheme="dark")
            wrong = self._violations(["color-contrast"])
            self.page.emulate_media(color_scheme="light")
        return wrong + self._violations(_RULES)

    def axe_on_phone(self) -> list[str]:
        """The same in light, with this page in the window of a phone: what soak looks at on every screen."""
        before = self.page.viewport_size
        self.page.set_viewport_size(PHONE)
        wrong = self.axe(dark=False)
        self.page.set_viewport_size(before)
        return wrong

    def _violations(self, rules: list[str]) -> list[str]:
        # Another scheme shows from the next frame on, and colours may pass into it.
        self.page.evaluate(_SETTLE)
        violations: list[dict[str, Any]] = self.page.evaluate(_LOOK, rules)
        return [
            f"{each['id']}: {node['target']} {node['failureSummary']}" for each in violations for node in each["nodes"]
        ]

    def refused(self) -> list[str]:
        return list(self.page.evaluate("window.refusedByPolicy ?? []"))

    def _post(self, path: str, body: dict[str, str]) -> None:
        """As a page of ours does."""
        headers = {"sec-fetch-site": "same-origin"}
        answer = self.context.request.post(self.origin + path, data=body, headers=headers, max_retries=RETRIES)
        assert answer.ok, answer.text()

    def _note(self, request: Any) -> None:
        if not request.url.startswith((self.origin + "/", "data:", "blob:")):
            self.elsewhere.append(request.url)
        if "/api/v1/" in request.url:
            self.calls.append(f"{request.method} {request.url.partition('/api/v1')[2]}")

    def _complain(self, message: Any) -> None:
        # An answer that is refused or does not come is an error to the browser; the page shows it to the person.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.complaints.append(message.text)


@contextmanager
def chromium(*options: str) -> Iterator[Any]:
    """A browser. Without one the test is skipped, and says so."""
    if CHROMIUM is None:
        pytest.skip("NOT TESTED: neither chromium-headless-shell nor chromium is installed, so nothing was opened")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="NOT TESTED: playwright is not installed, so nothing was opened"
    )
    playwright.expect.set_options(timeout=PATIENCE_MS)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *options])
        yield browser
        browser.close()

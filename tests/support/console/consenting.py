"""Somebody whom applications ask, with a browser that notes what it complained about."""

from typing import Any

from support.clients.people import PASSWORD, fresh_name, invited
from support.servers.stowboard import Server

#: Where nobody listens: the browser's request is answered by the test.
CALLBACK = "http://127.0.0.1:49999/callback"


class Person:
    def __init__(self, server: Server, context: Any, role: str = "member") -> None:
        self.server, self.name, self.page = server, fresh_name("ann"), context.new_page()
        self.browser = invited(server, self.name, role)
        self.complaints: list[str] = []
        self.page.route("http://127.0.0.1:49999/**", lambda route: route.fulfill(body="thank you"))
        self.page.on("console", self._complain)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def sign_in(self) -> None:
        self.page.fill("#username", self.name)
        self.page.fill("#password", PASSWORD)
        with self.page.expect_navigation():  # to what the person came for
            self.page.click("form[data-form=signin] button")

    def answer(self, word: str, callback: str = CALLBACK) -> str:
        """Press the button, once it can be; where the application is told."""
        with self.page.expect_request(f"{callback}?**") as asked:
            self.page.click(f"form[data-consent] button:not([disabled]):text('{word}')")
        return str(asked.value.url)

    def _complain(self, message: Any) -> None:
        if message.type == "error" and "the server responded with a status of 4" not in message.text:
            self.complaints.append(message.text)

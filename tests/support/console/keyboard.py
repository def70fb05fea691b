"""A person without a mouse: everything is reached by Tab, arrows and shortcuts."""

from typing import Any

from playwright.sync_api import expect

from support.console.visitor import Visitor

#: The name of what has the focus, as it is told to the person.
_NAME = """() => {
  const on = document.activeElement
  return on.getAttribute('aria-label') ?? on.labels?.[0]?.innerText.trim() ?? on.innerText?.trim() ?? ''
}"""
_MOST_TABS = 200


class Keyboard:
    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.page = visitor, visitor.page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str, *then: str) -> None:
        self.page.keyboard.type(text)
        self.press(*then)

    def reach(self, name: str, *then: str) -> None:
        """Tab on until what has this name has the focus; then these keys."""
        self.page.get_by_text(name).or_(self.page.get_by_label(name)).first.wait_for(state="attached")
        passed: list[str] = []
        while (now := self.page.evaluate(_NAME)) != name:
            passed.append(now)
            assert len(passed) < _MOST_TABS, f"Tab does not come to {name!r}, only to {sorted(set(passed))}"
            self.press("Tab")
        self.press(*then)

    def dialog(self, name: str) -> Any:
        """Waits for it; what is typed then goes into it."""
        dialog = self.visitor.role("dialog", name)
        expect(dialog.locator(":focus")).to_have_count(1)
        return dialog

    def leave(self, name: str) -> None:
        """Out of the dialog; what is pressed then goes to what was behind it."""
        dialog = self.dialog(name)
        self.press("Escape")
        expect(dialog).to_be_hidden()

    def command(self, words: str) -> None:
        """By its name, in the palette."""
        self.press("Control+k")
        palette = self.dialog("Commands")
        self.type(words)
        expect(palette.get_by_role("option")).to_have_count(1)
        self.press("Enter")
        expect(palette).to_be_hidden()

    def says(self, text: str) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible()

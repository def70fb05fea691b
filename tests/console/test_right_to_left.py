"""Text in a language that goes from right to left is shown so, in a console whose own words go from left to right."""

import base64
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from support.console.visitor import Visitor
from support.media.unique_images import png

Visit = Callable[..., Visitor]
TASK, ITEM, BOARD, COLUMN = "לצבוע את הגדר", "לקנות מכחול", "הגינה", "השבוע"
FILE, ALT, TAG, SPACE, TRASHED = "כרם.png", "שורות של גפנים", "בית", "המשפחה", "לזרוק"
#: What is seen and begins with a Hebrew letter, but goes from left to right.
WRONG = r"""() => [...document.querySelectorAll('body *')].filter((each) => {
  if (!each.checkVisibility() || each.closest('option, datalist, .visually-hidden')) return false
  const own = each.matches('input, textarea')
    ? each.value
    : [...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join('')
  return /^\P{L}*\p{Script=Hebrew}/u.test(own) && getComputedStyle(each).direction !== 'rtl'
}).map((each) => each.outerHTML.slice(0, 160))"""


def fill(visitor: Visitor) -> dict[str, Any]:
    with visitor.api() as api:

        def post(path: str, **body: Any) -> Any:
            answer = api.post(path, json=body)
            assert answer.is_success, answer.text
            return answer.json()["data"]

        space = post("/spaces", name=SPACE)["id"]
        board = post("/taskapp/boards", name=BOARD, spaceId=space)
        post(f"/taskapp/boards/{board['id']}/columns", name=COLUMN, status="todo")
        task = post("/taskapp/tasks", title=TASK, boardId=board["id"], tags=[TAG], body=ALT)
        post(f"/taskapp/tasks/{task['id']}/checklist", title=ITEM)
        post(f"/taskapp/tasks/{task['id']}/comments", body=ITEM)
        gone = post("/taskapp/tasks", title=TRASHED, spaceId=space)
        post(f"/taskapp/tasks/{gone['id']}/trash")
        data = base64.b64encode(png()).decode()
        image = post("/media/upload/image", filename=FILE, data=data, tags=[TAG], alt=ALT, title=ALT, spaceId=space)
        assert api.patch(f"/taskapp/tasks/{task['id']}", json={"attachments": [image["id"]]}).is_success
    return {"space": space, "board": board["id"], "task": task["id"], "image": image["id"]}


def test_what_was_written_from_right_to_left_is_shown_so_on_every_screen(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    made = fill(visitor)
    page.add_init_script(f"localStorage.setItem('stowboard.person.space', '{made['space']}')")
    wrong = []
    for path, seen in (
        ("/tasks?view=all", visitor.role("link", TASK)),
        ("/tasks?view=all&group=board", visitor.role("link", TASK)),
        (f"/tasks/{made['task']}?view=all", visitor.role("complementary", TASK).get_by_text(FILE)),
        ("/boards", visitor.role("link", BOARD)),
        (f"/boards/{made['board']}?task={made['task']}", visitor.role("complementary", TASK).get_by_text(FILE)),
        ("/media", visitor.role("link", FILE)),
        (f"/media/{made['image']}", visitor.role("link", TASK)),
        (f"/media/{made['image']}?full=1", page.locator("dialog[open] h2")),
        ("/trash", visitor.role("button", f"Restore {TRASHED}")),
        ("/spaces", visitor.role("link", f"People of {SPACE}")),
        (f"/spaces/{made['space']}", visitor.role("heading", SPACE)),
    ):
        visitor.go(path)
        expect(seen).to_be_visible()
        wrong += [f"{path}: {each}" for each in page.evaluate(WRONG)]
    visitor.go("/media")
    page.keyboard.press("v")
    visitor.role("link", FILE).wait_for()
    wrong += [f"list of media: {each}" for each in page.evaluate(WRONG)]
    page.keyboard.press("Control+k")
    page.keyboard.type(TASK)
    visitor.role("listbox", "Found").get_by_role("option").filter(has_text=TASK).wait_for()
    wrong += [f"search: {each}" for each in page.evaluate(WRONG)]
    assert wrong == []
    # An empty screen would have nothing wrong either.
    expect(visitor.role("combobox", "Search or command")).to_have_css("direction", "rtl")

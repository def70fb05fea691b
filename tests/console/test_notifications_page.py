"""Notifications in the console: the bell and the inbox, live in every tab; pushes, rules and addresses."""

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from support.api.answers import data_of
from support.console.visitor import HOST, PHONE, Visitor
from support.notifications.browser import SubscribedBrowser
from support.servers.stacks import UNLIMITED
from support.servers.stowboard import Server
from support.waiting import wait_until
from support.webhooks.receiver import ALLOWED, Answer, Receiver

Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def console_server(make_server: Callable[[dict[str, str]], Server]) -> Server:
    """One that sends pushes, to this machine."""
    push = {"STOWBOARD_MAIL_FROM": "stow@example.org", "STOWBOARD_PUSH_HOSTS": "127.0.0.1"}
    return make_server(UNLIMITED | ALLOWED | push)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


def remind(visitor: Visitor, title: str) -> str:
    """A task whose reminder is due now."""
    with visitor.api() as api:
        body = {"title": title, "reminder": int(time.time() * 1000)}
        task_id: str = data_of(api.post("/taskapp/tasks", json=body), 201)["id"]
        return task_id


def test_the_bell_counts_live_and_the_inbox_leads_to_each_subject(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/media")
    visitor.role("link", "Notifications").click()
    visitor.role("heading", "No notifications yet").wait_for()
    assert visitor.axe() == []
    first = remind(visitor, "Renew cert")
    visitor.role("link", "Notifications, 1 unread").wait_for()
    told = visitor.role("list", "Notifications").get_by_role("link")
    expect(told).to_contain_text(["Renew cert"])
    remind(visitor, "Water plants")
    expect(told).to_contain_text(["Water plants", "Renew cert"])
    gone = remind(visitor, "Old plan")
    visitor.role("link", "Notifications, 3 unread").wait_for()
    assert visitor.axe() == []
    page.keyboard.press("j")
    expect(told.first).to_be_focused()
    page.keyboard.press("r")
    visitor.role("link", "Notifications, 2 unread").wait_for()
    told.filter(has_text="Renew cert").click()
    visitor.role("complementary", "Renew cert").wait_for()
    assert visitor.path() == f"/tasks/{first}"
    visitor.role("link", "Notifications, 1 unread").wait_for()

    with visitor.api() as api:
        data_of(api.delete(f"/taskapp/tasks/{gone}"))
    page.keyboard.press("g")
    page.keyboard.press("n")
    expect(visitor.role("list", "Notifications").get_by_role("listitem").first).to_contain_text("It was deleted")
    expect(told).to_contain_text(["Water plants", "Renew cert"])
    visitor.role("button", "Only unread").click()
    expect(told).to_contain_text(["Water plants"])
    with visitor.api() as api:  # another device of the same person
        newest = data_of(api.get("/notifications"))[0]["id"]
        assert data_of(api.post("/notifications/read", json={"until": newest})) == {"read": 1}
    visitor.role("link", "Notifications").wait_for()
    visitor.role("heading", "You have read everything").wait_for()


def test_a_member_is_told_of_a_space_and_marks_all_as_read(visit: Visit) -> None:
    alice, bob = visit(), visit(viewport=PHONE)
    held: list[Any] = []
    bob.page.route("**/events/stream*", lambda stream: held.append(stream), times=1)
    with (
        bob.page.expect_response("**/notifications?limit=1") as counted,
        bob.page.expect_request("**/events/stream*"),
    ):
        bob.go("/media")
    assert counted.value.json()["meta"]["unread"] == 0
    with alice.api() as api:
        space_id = data_of(api.post("/spaces", json={"name": "Home"}), 201)["id"]
        data_of(api.post(f"/spaces/{space_id}/members", json={"username": bob.name, "role": "editor"}), 201)
        wait_until(lambda: unread_of(bob) == 1)
        with bob.api() as theirs:
            data_of(theirs.post("/spaces/join", json={"spaceId": space_id}))
        task = {"title": "Buy paint", "spaceId": space_id, "assignees": [bob.name]}
        data_of(api.post("/taskapp/tasks", json=task), 201)
    wait_until(lambda: unread_of(bob) == 2)
    held[0].continue_()  # the stream comes late, and misses nothing
    bob.role("link", "Notifications, 2 unread").click()
    rows = bob.role("list", "Notifications").get_by_role("link")
    expect(rows).to_contain_text([f"{alice.name} assigned a task to you", f"{alice.name} shared a space with you"])
    assert bob.axe() == []
    bob.role("button", "Mark all as read").click()
    bob.role("link", "Notifications").wait_for()
    expect(bob.role("button", "Mark all as read")).to_be_disabled()
    rows.nth(1).click()
    bob.role("heading", "Home").wait_for()


def unread_of(visitor: Visitor) -> Any:
    with visitor.api() as api:
        return api.get("/notifications").json()["meta"]["unread"]


def test_a_person_accepts_a_space_that_asks_and_declines_another(visit: Visit) -> None:
    alice, bob = visit(), visit()
    alice.go("/spaces")
    with alice.api() as api:
        ids = [data_of(api.post("/spaces", json={"name": name}), 201)["id"] for name in ("Home", "Work")]
        data_of(api.post(f"/spaces/{ids[1]}/members", json={"username": bob.name, "role": "viewer"}), 201)
    alice.go(f"/spaces/{ids[0]}")
    alice.role("button", "Add a person").click()
    alice.page.get_by_label("Username of somebody who has an account here").fill(bob.name)
    alice.role("button", "Add").click()
    expect(alice.role("list", "Invitations")).to_contain_text(bob.name)
    expect(alice.role("list", "People")).not_to_contain_text(bob.name)
    wait_until(lambda: unread_of(bob) == 2)
    bob.go("/notifications")
    bob.role("button", "Accept Home").wait_for()
    assert bob.axe() == []
    bob.role("button", "Accept Home").click()
    expect(bob.role("button", "Accept Home")).to_have_count(0)
    bob.role("button", "Decline Work").click()
    expect(bob.role("button", "Decline Work")).to_have_count(0)
    with bob.api() as api:
        assert [space["name"] for space in data_of(api.get("/spaces"))][2:] == ["Home"]
    expect(alice.role("list", "People")).to_contain_text(bob.name)


def allows(visitor: Visitor, browser: SubscribedBrowser, endpoint: str) -> None:
    """Stands in for two parts of the browser that need a window and a network: its question, and its push service."""
    subscription = json.dumps({name: browser.subscription(endpoint)[name] for name in ("endpoint", "keys")})
    visitor.page.add_init_script(
        f"""
        let permission = 'default'
        Object.defineProperty(Notification, 'permission', {{ get: () => localStorage.permission ?? permission }})
        Notification.requestPermission = async () => (permission = localStorage.answer ?? 'granted')
        const subscribed = () => ({{
          toJSON: () => ({subscription}),
          unsubscribe: async () => localStorage.removeItem('subscribed'),
        }})
        PushManager.prototype.subscribe = async function ({{ applicationServerKey }}) {{
          localStorage.subscribed = applicationServerKey
          return subscribed()
        }}
        PushManager.prototype.getSubscription = async () => (localStorage.subscribed ? subscribed() : null)
        """
    )


class Pushes:
    """Delivers pushes to the console's worker as the browser does, and notes what it shows; no window can show it."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._session = visitor.context.new_cdp_session(visitor.page)
        found: list[dict[str, Any]] = []
        self._session.on("ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"]))
        self._session.send("ServiceWorker.enable")
        wait_until(lambda: visitor.page.title() != "" and found != [])
        self._id = found[0]["registrationId"]

    @property
    def worker(self) -> Any:
        return self._visitor.context.service_workers[-1]

    def deliver(self, message: str) -> dict[str, Any]:
        """Hand a push to the worker, and return what it shows, with the number on the icon."""
        self.worker.evaluate(
            """() => {
              self.shown = []
              navigator.setAppBadge = async (unread) => (shown[0].unread = unread)
              registration.showNotification = async (title, rest) => shown.push({ title, ...rest })
              WindowClient.prototype.focus = async () => {} // it needs a click of a person
            }"""
        )
        told = {"origin": self._visitor.origin, "registrationId": self._id, "data": message}
        self._session.send("ServiceWorker.deliverPushMessage", told)
        wait_until(lambda: bool(self.worker.evaluate("shown.length")))
        shown: dict[str, Any] = self.worker.evaluate("shown[0]")
        return shown

    def click(self, shown: dict[str, Any], action: str = "") -> None:
        self.worker.evaluate("([action, data]) => follow(action, data)", [action, shown["data"]])


def test_a_browser_is_told_by_push_and_acts_on_it(visit: Visit, receiver: Receiver) -> None:
    visitor, browser = visit(), SubscribedBrowser()
    allows(visitor, browser, receiver.url)
    page = visitor.page
    visitor.go("/settings/notifications")
    page.evaluate("localStorage.answer = 'default'")
    visitor.role("button", "Tell me in this browser").click()
    page.get_by_role("alert").filter(has_text="choose “Allow”").wait_for()
    page.evaluate("localStorage.removeItem('answer')")
    visitor.role("button", "Tell me in this browser").click()
    page.get_by_text("Notifications come to this browser.").wait_for()
    assert visitor.axe() == []
    visitor.role("button", "Send a test").click()
    page.get_by_text("answered 200").wait_for()
    pushes = Pushes(visitor)
    assert pushes.deliver(json.dumps(browser.read(receiver.received[0])))["actions"] == []

    page.reload()  # which tells the server that the browser is there, and breaks nothing
    page.get_by_text("Notifications come to this browser.").wait_for()
    assert page.evaluate("navigator.serviceWorker.controller") is None
    visitor.go("/media")
    task_id = remind(visitor, "Renew cert")
    wait_until(lambda: len(receiver.received) == 2)
    shown = pushes.deliver(json.dumps(browser.read(receiver.received[1])))
    assert (shown["title"], shown["body"], shown["unread"]) == ("Reminder", "Renew cert", 1)
    assert [button["action"] for button in shown["actions"]] == ["complete", "snooze"]
    pushes.click(shown, "snooze")
    with visitor.api() as api:
        assert data_of(api.get(f"/taskapp/tasks/{task_id}"))["reminder"] > time.time() * 1000 + 3_000_000
        pushes.click(shown)
        visitor.role("complementary", "Renew cert").wait_for()
        pushes.click(shown, "complete")
        assert data_of(api.get(f"/taskapp/tasks/{task_id}"))["status"] == "done"
        assert pushes.deliver("no JSON")["title"] == "Stowboard"

        with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/channels")):
            visitor.go("/settings/notifications")  # at each start the browser says that it is there
        (channel,) = data_of(api.get("/notifications/channels"))
        # Deleted from another device, it does not come back by itself.
        data_of(api.delete(f"/notifications/channels/{channel['id']}"))
        page.reload()
        visitor.role("button", "Tell me in this browser").click()
        page.get_by_text("Notifications come to this browser.").wait_for()
        with page.expect_request(lambda request: request.method == "DELETE" and "/channels/" in request.url):
            visitor.role("button", "Sign out").click()
        page.wait_for_url("**/signin")
    assert page.evaluate("localStorage.subscribed ?? ''") == ""


def test_whatever_is_in_the_way_of_pushes_is_explained(visit: Visit, console_server: Server) -> None:
    blocked = visit()
    blocked.go("/settings/notifications")
    blocked.page.get_by_role("note").filter(has_text="are blocked in this browser").wait_for()
    plain = visit()
    plain.context.add_cookies([{**cookie, "domain": HOST} for cookie in plain.context.cookies()])
    plain.origin = f"http://{HOST}:{console_server.port}"
    plain.go("/settings/notifications")
    plain.page.get_by_role("note").filter(has_text="only over https").wait_for()
    plain.complaints.clear()  # those of the browser, about the address
    without = "delete window.PushManager"
    old = visit()
    old.page.add_init_script(without)
    old.go("/settings/notifications")
    old.page.get_by_role("note").filter(has_text="Use a current Firefox").wait_for()
    phone = visit(viewport=PHONE, user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1")
    phone.page.add_init_script(without)
    phone.go("/settings/notifications")
    phone.page.get_by_role("note").filter(has_text="Add to Home Screen").wait_for()
    assert phone.axe() == []


def test_rules_quiet_hours_and_addresses_are_set(visit: Visit, receiver: Receiver) -> None:
    visitor = visit()
    page = visitor.page
    with visitor.api() as api:
        board_id = data_of(api.post("/taskapp/boards", json={"name": "Garden"}), 201)["id"]
        visitor.go("/settings/notifications")
        completed = "A task that I follow is completed"
        tick = page.get_by_label(f"{completed}: Addresses")
        expect(page.get_by_label(f"{completed}: Mail")).to_be_disabled()
        tick.check()
        where = page.get_by_label("Where these rules hold")
        where.select_option(label="Garden")
        expect(tick).to_be_checked()
        tick.uncheck()
        visitor.role("button", f"Remove this rule: {completed}").wait_for()
        rules = [rule for rule in data_of(api.get("/notifications/rules")) if rule["kind"] == "completed"]
        assert rules == [
            {"scope": "all", "kind": "completed", "channels": ["inbox", "url"]},
            {"scope": board_id, "kind": "completed", "channels": ["inbox"]},
        ]
        visitor.role("button", f"Remove this rule: {completed}").click()
        expect(tick).to_be_checked()
        where.select_option("all")
        tick.uncheck()
        expect(tick).not_to_be_checked()

        page.get_by_label("Quiet hours", exact=True).check()
        page.get_by_label("from").fill("21:30")
        visitor.role("button", "Save").click()
        page.get_by_text("Saved").wait_for()
        assert data_of(api.get("/access/me"))["quietHours"]["from"] == "21:30"

    visitor.role("button", "Add an address").click()
    dialog = visitor.role("dialog", "Add an address")
    dialog.get_by_label("Service").select_option("gotify")
    dialog.get_by_label("Address", exact=True).fill(receiver.url)
    dialog.get_by_label("Name").fill("Phone")
    assert visitor.axe(dark=False) == []
    visitor.role("button", "Add").click()
    token = dialog.get_by_label("Token of the application")
    expect(token).to_have_accessible_description(re.compile("the application's token"))
    token.fill("app-token")
    visitor.role("button", "Add").click()
    receiver.answer = lambda _: Answer(401, body=b"wrong token")
    visitor.role("button", "Send a test to Phone").click()
    page.get_by_text("127.0.0.1 answered 401").wait_for()
    visitor.role("button", "Log of Phone").click()
    expect(visitor.role("group", "What was sent to Phone")).to_contain_text("wrong token")
    receiver.answer = lambda _: Answer(200)
    visitor.role("button", "Send a test to Phone").click()
    page.get_by_text("Phone answered 200").wait_for()
    expect(visitor.role("group", "What was sent to Phone").get_by_role("strong")).to_have_text(["200", "401"])
    assert visitor.axe() == []
    visitor.role("button", "Turn off Phone").click()
    visitor.role("button", "Turn on Phone").click()
    visitor.role("button", "Turn off Phone").wait_for()
    visitor.role("button", "Delete Phone").click()
    visitor.role("button", "Delete").click()
    page.get_by_text("Nothing is sent anywhere.").wait_for()

"""Rules: for each kind, everywhere, in a space or for a board; the narrowest wins."""

import time
from typing import Any

import pytest

from support.api.answers import data_of, error_of
from support.clients.people import fresh_name
from support.clients.space_people import SpacePerson, people
from support.mail.relay import MailRelay, subject_in
from support.servers.stowboard import Server
from support.waiting import wait_until

TASKS, RULES, INBOX = "/taskapp/tasks", "/notifications/rules", "/notifications"


def set_rules(person: SpacePerson, *rules: tuple[str, str, list[str] | None]) -> dict[tuple[str, str], list[str]]:
    body = {"rules": [{"scope": scope, "kind": kind, "channels": ways} for scope, kind, ways in rules]}
    shown: list[dict[str, Any]] = data_of(person.api.patch(RULES, json=body))
    return {(each["scope"], each["kind"]): each["channels"] for each in shown}


def titles(person: SpacePerson) -> set[str]:
    return {each["title"] for each in data_of(person.api.get(INBOX))}


def remind(person: SpacePerson, title: str, **members: Any) -> None:
    data_of(person.api.post(TASKS, json={"title": title, "reminder": int(time.time() * 1000), **members}), 201)


def test_every_kind_has_a_rule_from_the_start(server: Server) -> None:
    with people(server, "ann") as (ann,):
        rules = data_of(ann.api.get(RULES))
        assert {each["scope"] for each in rules} == {"all"}
        by_kind = {each["kind"]: each["channels"] for each in rules}
        pushed = {kind for kind, ways in by_kind.items() if ways == ["inbox", "push"]}
        assert pushed == {"assigned", "mentioned", "reminder", "shared"}
        assert all(ways == ["inbox"] for kind, ways in by_kind.items() if kind not in pushed)
        assert len(by_kind) == 9


def test_the_narrowest_rule_decides(server: Server) -> None:
    with people(server, "ann") as (ann,):
        space_id = ann.make_space()
        board = {"name": "Loud", "spaceId": space_id}
        board_id = data_of(ann.api.post("/taskapp/boards", json=board), 201)["id"]
        set_rules(ann, (space_id, "reminder", []), (board_id, "reminder", ["inbox"]))
        remind(ann, "muted", spaceId=space_id)
        remind(ann, "loud", boardId=board_id)
        remind(ann, "own")
        wait_until(lambda: titles(ann) == {"loud", "own"})
        rules = set_rules(ann, (space_id, "reminder", None), ("all", "reminder", ["push"]))
        assert (space_id, "reminder") not in rules
        assert rules["all", "reminder"] == ["push"]
        remind(ann, "pushed alone", spaceId=space_id)
        remind(ann, "loud again", boardId=board_id)
        wait_until(lambda: titles(ann) == {"loud", "own", "loud again"})


@pytest.mark.parametrize("scope", ["brd_01kbr2x4q8e9w6y3t7n5m1c0vz", "spc_01kbr2x4q8e9w6y3t7n5m1c0vz", "~bob", "home"])
def test_a_scope_out_of_reach_is_not_found_and_named(server: Server, scope: str) -> None:
    with people(server, "ann") as (ann,):
        body = {"rules": [{"scope": scope, "kind": "reminder", "channels": []}]}
        answer = ann.api.patch(RULES, json=body)
        assert error_of(answer) == (404, "not_found")
        assert scope in answer.json()["error"]["message"]


def test_a_board_of_somebody_else_is_not_found_as_one_that_never_was(server: Server) -> None:
    with people(server, "ann", "eve") as (ann, eve):
        board_id = data_of(ann.api.post("/taskapp/boards", json={"name": "b"}), 201)["id"]
        body = {"rules": [{"scope": board_id, "kind": "reminder", "channels": []}]}
        theirs = eve.api.patch(RULES, json=body)
        assert error_of(theirs) == (404, "not_found")
        never = board_id[:-3] + "zzz"
        body["rules"][0]["scope"] = never
        assert theirs.text.replace(board_id, never) == eve.api.patch(RULES, json=body).text


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    "rule", [{"kind": "loud"}, {"channels": ["pigeon"]}, {"channels": ["mail"]}, {"scope": ""}, {"channels": "inbox"}]
)
def test_a_wrong_rule_is_refused(server: Server, rule: dict[str, Any]) -> None:
    with people(server, "ann") as (ann,):
        body = {"rules": [{"scope": "all", "kind": "reminder", "channels": ["inbox"], **rule}]}
        assert error_of(ann.api.patch(RULES, json=body)) == (400, "validation_failed")


def test_reminders_by_mail_are_the_rule_of_reminders(telling_server: Server, relay: MailRelay) -> None:
    with people(telling_server, "ann") as (ann,):
        address = f"{fresh_name('ann')}@example.com"
        account_id = data_of(ann.api.get("/access/me"))["id"]
        answer = ann.api.patch(
            f"/access/accounts/{account_id}", json={"email": address}, headers=telling_server.headers
        )
        assert answer.status_code == 200, answer.text

        def mails() -> list[str]:
            return [str(message["subject"]) for message in relay.taken if message["to"] == address]

        data_of(ann.api.patch("/access/me", json={"remindByMail": True}))
        assert rule_of_reminders(ann) == ["inbox", "push", "mail"]
        remind(ann, "By mail")
        wait_until(lambda: mails() == ["Reminder: By mail"])
        evil = "=?utf-8?q?x=0D=0AContent-Type:_text/html=0D=0A=0D=0A<a_href=//evil.example>Pay?="
        remind(ann, evil)
        wait_until(lambda: len(mails()) == 2)
        (raw,) = [raw for raw in relay.raw if f"To: {address}".encode() in raw and b"By mail" not in raw]
        assert subject_in(raw) == f"Reminder: {evil}"
        assert b"evil.example" not in raw.partition(b"\r\n\r\n")[0]
        set_rules(ann, ("all", "reminder", ["inbox"]), ("all", "token_made", ["mail"]))
        assert data_of(ann.api.get("/access/me"))["remindByMail"] is False
        remind(ann, "In the inbox")
        wait_until(lambda: "In the inbox" in titles(ann))
        made = {"owner": ann.name, "scopes": ["tasks:read"]}
        ann.api.post("/access/tokens", json=made, headers=telling_server.headers).raise_for_status()
        wait_until(lambda: mails()[2:] == ["A token was made for you"])
        set_rules(ann, ("all", "reminder", ["mail"]))
        assert data_of(ann.api.get("/access/me"))["remindByMail"] is True
        remind(ann, "Private", visibility="zero-knowledge")
        wait_until(lambda: mails()[3:] == ["Reminder: A task"])


def rule_of_reminders(person: SpacePerson) -> list[str]:
    (ways,) = [
        each["channels"]
        for each in data_of(person.api.get(RULES))
        if (each["scope"], each["kind"]) == ("all", "reminder")
    ]
    return list(ways)

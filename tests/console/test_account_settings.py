"""Settings: a person's profile, password, passkeys, two factors and recovery codes."""

import re
from collections.abc import Callable

import httpx2
import pytest
from playwright.sync_api import expect

from stowboard.core.ids import new_id
from support.clients.credentials import bearer
from support.clients.passkeys import named_origin
from support.clients.people import PASSWORD, Browser
from support.console.settings import grow_old, line, shown_once
from support.console.visitor import Visitor
from support.servers.stowboard import Server
from support.stored.rows import rows

Visit = Callable[..., Visitor]
AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


def test_a_profile_and_a_password_are_changed_and_other_browsers_signed_out(visit: Visit) -> None:
    visitor = visit()
    forgotten, other = Browser(visitor.origin), Browser(visitor.origin)
    forgotten.headers["user-agent"] = "Forgotten/1.0"
    assert forgotten.sign_in(visitor.name).is_success
    assert other.sign_in(visitor.name).is_success
    visitor.go("/settings")
    visitor.page.get_by_label("Display name").fill("Vera Visitor")
    address = visitor.page.get_by_label("E-mail address")
    address.fill("vera@example")
    visitor.role("button", "Save").click()
    expect(address).to_have_accessible_description(re.compile("^E-mail address: expected an address such as"))
    address.fill("vera@example.com")
    visitor.role("checkbox", "Send me reminders by e-mail").check()
    visitor.page.get_by_label("Time zone").select_option("Europe/Berlin")
    visitor.role("button", "Save").click()
    expect(visitor.page.get_by_text("Profile saved")).to_be_visible()
    expect(visitor.page.get_by_text("This address is not confirmed, so nothing is mailed to it.")).to_be_visible()
    visitor.page.reload()
    expect(visitor.page.get_by_label("Time zone")).to_have_value("Europe/Berlin")
    expect(visitor.role("navigation", "Main").get_by_text("Vera Visitor")).to_be_visible()

    visitor.role("link", "Sessions").click()
    line(visitor, "Sessions", "Tests/1.0").get_by_role("button").click()
    expect(visitor.role("list", "Sessions").get_by_role("listitem")).to_have_count(2)
    assert other.get("/session").status_code == 401
    visitor.role("button", "Sign out everywhere else").click()
    expect(visitor.role("list", "Sessions").get_by_role("listitem")).to_have_count(1)
    assert forgotten.get("/session").status_code == 401

    assert other.sign_in(visitor.name).is_success
    whose = f"(SELECT id FROM account WHERE username = '{visitor.name}')"
    rows(
        visitor.server,
        "INSERT INTO account_identity (id, account_id, issuer, subject, created_at)"
        f" VALUES ('{new_id('idn')}', {whose}, 'https://id.example.com', '1234', 1794700000000)",
    )
    grow_old(visitor)
    visitor.role("link", "Signing in").click()
    password = visitor.page.get_by_label("New password")
    password.fill(f"{visitor.name}-1234567890")
    visitor.role("button", "Change password").click()
    visitor.role("dialog", "Confirm that it is you").get_by_label("Password").fill(PASSWORD)
    visitor.role("button", "Confirm").click()
    expect(password).to_have_accessible_description("Password: it is the username. Choose another one.")
    password.fill("another four wooden words")
    visitor.role("button", "Change password").click()
    expect(visitor.page.get_by_text("Every other browser was signed out")).to_be_visible()
    assert other.get("/session").status_code == 401
    assert other.sign_in(visitor.name, "another four wooden words").is_success
    visitor.role("button", "Remove https://id.example.com").click()
    visitor.role("dialog", "Remove https://id.example.com").get_by_role("button", name="Remove").click()
    expect(visitor.role("list", "Providers")).to_have_count(0)


@pytest.fixture
def with_passkey(visit: Visit, console_server: Server) -> Visitor:
    """Somebody in the settings, with a passkey that is named laptop."""
    visitor = visit(origin=named_origin(console_server))
    devtools = visitor.context.new_cdp_session(visitor.page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    visitor.go("/settings/sign-in")
    visitor.role("button", "Add a passkey").click()
    visitor.page.get_by_label("Name", exact=True).fill("laptop")
    visitor.role("button", "Add").click()
    expect(line(visitor, "Passkeys", "laptop")).to_contain_text("For localhost")
    return visitor


def turn_on(visitor: Visitor) -> list[str]:
    """Turn two factors on. The recovery codes, which are shown first."""
    visitor.role("button", "Turn on").click()
    codes = str(visitor.page.get_by_label("Recovery codes. Copy it now: it is shown only once.").input_value())
    expect(visitor.page.get_by_text("Two factors are off.")).to_be_visible()
    visitor.role("button", "I have kept them: turn on two factors").click()
    expect(visitor.page.get_by_text("Two factors are on.")).to_be_visible()
    return codes.split("\n")


def test_a_passkey_is_renamed_proves_who_one_is_and_is_removed(with_passkey: Visitor) -> None:
    visitor = with_passkey
    visitor.role("button", "Rename laptop").click()
    visitor.page.get_by_label("Name", exact=True).fill("old laptop")
    visitor.role("dialog", "Rename").get_by_role("button", name="Save").click()
    line(visitor, "Passkeys", "old laptop").wait_for()
    turn_on(visitor)
    grow_old(visitor)
    visitor.role("button", "Turn off").click()
    visitor.role("button", "Use a passkey").click()
    expect(visitor.page.get_by_text("Two factors are off.")).to_be_visible()
    visitor.role("button", "Remove old laptop").click()
    visitor.role("dialog", "Remove old laptop").get_by_role("button", name="Remove").click()
    expect(visitor.page.get_by_text("There are no passkeys yet.")).to_be_visible()


def test_two_factors_are_turned_on_after_recovery_codes_were_shown(with_passkey: Visitor) -> None:
    visitor = with_passkey
    codes = turn_on(visitor)
    assert len(set(codes)) == 10
    expect(visitor.page.get_by_text("10 codes left.")).to_be_visible()
    visitor.role("button", "Make new codes").click()
    assert shown_once(visitor, "Recovery codes. Copy it now: it is shown only once.").split("\n") != codes


def test_without_a_passkey_two_factors_stay_off_and_no_codes_are_made(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/settings/sign-in")
    visitor.role("button", "Turn on").click()
    expect(visitor.page.get_by_text("Add a passkey first: it is the second factor.")).to_be_visible()
    expect(visitor.page.get_by_text("There are none.")).to_be_visible()


def test_with_two_factors_a_password_is_a_proof_together_with_a_recovery_code(with_passkey: Visitor) -> None:
    visitor = with_passkey
    codes = turn_on(visitor)
    grow_old(visitor)
    visitor.role("button", "Turn off").click()
    dialog = visitor.role("dialog", "Confirm that it is you")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog.get_by_text("use a passkey, or add a recovery code")).to_be_visible()
    dialog.get_by_label("Recovery code").fill("not-a-code")
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog.get_by_text("This is not one of your recovery codes, or it was used before.")).to_be_visible()
    dialog.get_by_label("Recovery code").fill(codes[0])
    dialog.get_by_role("button", name="Confirm").click()
    expect(visitor.page.get_by_text("Two factors are off.")).to_be_visible()
    expect(visitor.page.get_by_text("9 codes left.")).to_be_visible()


def test_another_address_asks_for_a_proof_and_is_shown_until_its_link_was_opened(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/settings")
    visitor.page.get_by_label("E-mail address").fill("vera@example.org")
    grow_old(visitor)
    visitor.role("button", "Save").click()
    visitor.role("dialog", "Confirm that it is you").get_by_label("Password").fill(PASSWORD)
    visitor.role("button", "Confirm").click()
    expect(visitor.page.get_by_text("Profile saved")).to_be_visible()
    rows(visitor.server, f"UPDATE account SET pending_email = 'new@example.org' WHERE username = '{visitor.name}'")
    visitor.page.reload()
    waits = "new@example.org becomes your address when you open the link that was mailed to it."
    expect(visitor.page.get_by_text(waits)).to_be_visible()
    # Whatever else is saved, the address that waits goes on waiting.
    visitor.page.get_by_label("Display name").fill("Vera")
    visitor.role("button", "Save").click()
    expect(visitor.page.get_by_text("Profile saved")).to_be_visible()
    expect(visitor.page.get_by_text(waits)).to_be_visible()


def test_a_new_password_ends_tokens_and_applications_if_asked_to(visit: Visit) -> None:
    visitor = visit()
    other = Browser(visitor.origin)
    assert other.sign_in(visitor.name).is_success
    made = other.post("/api/v1/access/me/tokens", json={"name": "script"}, headers=other.bearer())
    token = bearer(made.json()["data"]["token"])
    assert httpx2.get(f"{visitor.server.base_url}/access/me", headers=token).status_code == 200
    visitor.go("/settings/sign-in")
    visitor.page.get_by_label("New password").fill("another four wooden words")
    visitor.page.get_by_label("Also end my tokens and applications").check()
    visitor.role("button", "Change password").click()
    expect(visitor.page.get_by_text("your tokens and applications have ended")).to_be_visible()
    assert httpx2.get(f"{visitor.server.base_url}/access/me", headers=token).status_code == 401

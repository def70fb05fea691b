"""The spaces that an application reaches."""

import httpx2

from support.api.answers import data_of
from support.clients.applications import granted, registered
from support.clients.space_people import people
from support.servers.stowboard import Server


def reached(server: Server, token: str) -> list[str]:
    with httpx2.Client(base_url=server.base_url, headers={"authorization": f"Bearer {token}"}) as client:
        return [space["id"] for space in data_of(client.get("/spaces"))]


def test_an_application_reaches_the_spaces_that_its_person_ticked_and_no_other(server: Server) -> None:
    application = registered(server)
    with people(server, "alice", "bob") as (alice, bob):
        home, work, foreign = alice.make_space(), alice.make_space("Work"), bob.make_space("Elsewhere")
        page = application.ask(alice.browser).text
        assert (home in page, work in page, foreign in page) == (True, True, False)
        own = [f"~{alice.name}", "spc_library"]
        plain = application.sign_in(alice.browser)
        assert reached(server, plain["access_token"]) == own
        ticked = application.sign_in(alice.browser, spaces=[home, foreign])
        assert reached(server, ticked["access_token"]) == [*own, home]
        assert reached(server, granted(application.refresh(ticked["refresh_token"]))["access_token"]) == [*own, home]

"""The route of `POST /mcp`. The code behind it is loaded at the first call, since few installations have agents."""

from stowboard.agents.settings import AgentSettings
from stowboard.api.perform import Performer
from stowboard.core.caller import AGENTS_DOOR
from stowboard.core.services import Late, Services
from stowboard.http.answering import AnsweringExchange
from stowboard.http.body_memory import BodyMemory
from stowboard.http.exchange import Handler, Route
from stowboard.http.origin import Origins


def agents_routes(
    performer: Performer, services: Services, origins: Origins, memory: BodyMemory, settings: AgentSettings
) -> list[Route]:
    def load() -> Handler:
        from stowboard.agents.offer import build_door

        return build_door(performer, services, origins, memory, settings).answer

    door = Late(load)

    async def answer(exchange: AnsweringExchange) -> None:
        await (await door.use())(exchange)

    return [Route("POST", AGENTS_DOOR, answer, cross_origin=False)]

"""The route of `POST /mcp`. The code behind it is loaded at the first call, since few installations have agents."""

import asyncio

from stowboard.agents.settings import AgentSettings
from stowboard.api.perform import Performer
from stowboard.core.caller import AGENTS_DOOR
from stowboard.core.services import Services
from stowboard.http.answering import AnsweringExchange
from stowboard.http.body_memory import BodyMemory
from stowboard.http.exchange import Handler, Route
from stowboard.http.origin import Origins


def agents_routes(
    performer: Performer, services: Services, origins: Origins, memory: BodyMemory, settings: AgentSettings
) -> list[Route]:
    found: list[Handler] = []

    async def answer(exchange: AnsweringExchange) -> None:
        if not found:
            found.append(await asyncio.to_thread(load))
        await found[0](exchange)

    def load() -> Handler:
        from stowboard.agents.offer import build_door

        return build_door(performer, services, origins, memory, settings).answer

    return [Route("POST", AGENTS_DOOR, answer, cross_origin=False)]

"""The offer to agents at `POST /mcp`: tools, resources, and a few words on how to use them."""

from stowboard.agents.asked import AgentOperations, Operations
from stowboard.agents.boards import BoardResources
from stowboard.agents.door import AgentDoor
from stowboard.agents.protocol.methods import Methods
from stowboard.agents.settings import AgentSettings
from stowboard.agents.tools import boards, delete_items, find_media, find_tasks, save_media, save_task
from stowboard.agents.words import NOTE
from stowboard.api.admission import Admission
from stowboard.api.perform import Performer
from stowboard.core.caller import AGENTS_DOOR
from stowboard.core.services import Services
from stowboard.http.body_memory import BodyMemory
from stowboard.http.exchange import Route
from stowboard.http.origin import Origins

TOOLS = [*find_tasks.TOOLS, *save_task.TOOLS, *boards.TOOLS, *find_media.TOOLS, *save_media.TOOLS]
INSTRUCTIONS = (
    "Stowboard keeps a person's tasks on boards, and a library of images, files and videos. Dates are ISO 8601. "
    "Boards and columns go by name. Results name ids; use them in later calls. " + NOTE
)


def agents_routes(
    performer: Performer, services: Services, origins: Origins, memory: BodyMemory, settings: AgentSettings
) -> list[Route]:
    operations = Operations(performer, services)
    tools = [*TOOLS, *delete_items.TOOLS] if settings.delete else TOOLS
    door = AgentDoor(
        methods=Methods(tools, BoardResources(), INSTRUCTIONS),
        asked_by=lambda caller, origin: AgentOperations(caller, origin, operations),
        admission=services.use(Admission),
        origins=origins,
        memory=memory,
        scopes=" ".join(settings.scopes),
    )
    return [Route("POST", AGENTS_DOOR, door.answer, cross_origin=False)]

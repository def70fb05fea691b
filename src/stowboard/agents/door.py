"""POST /mcp: one message, one answer. Tokens, limits, log and errors are those of the API.

origin (403) → token (401) → rate limit (429) → body → revision (400) → method → scope (403) → the tool's own checks

An error of HTTP or of the token is answered as in the API. An error of the message is a JSON-RPC error. An error of a
tool is a result, for the model to read. Nothing is remembered between two requests, so any process may answer any of
them.
"""

from collections.abc import Callable

from stowboard.access.base.errors import CrossSite
from stowboard.agents.protocol.eras import era_of
from stowboard.agents.protocol.messages import RpcError, RpcMessage, read_message, write_error, write_result
from stowboard.agents.protocol.methods import AgentCaller, Methods, ScopesNeeded
from stowboard.api.admission import Admission
from stowboard.api.endpoint import JSON, MEBIBYTE
from stowboard.api.limits.rule import Decision
from stowboard.core.caller import AGENTS_DOOR, Caller
from stowboard.core.errors import PayloadTooLarge, Problem
from stowboard.http.answering import AnsweringExchange
from stowboard.http.body import body_bound, read_body
from stowboard.http.body_memory import BodyMemory
from stowboard.http.exchange import Exchange
from stowboard.http.origin import Origins

#: Room for the longest body of a task, or the largest file in a message, with every character escaped.
LARGEST_MESSAGE = 2 * MEBIBYTE
_HEADERS = [("content-type", JSON), ("cache-control", "no-store")]


class AgentDoor:
    def __init__(
        self,
        methods: Methods,
        asked_by: Callable[[Caller, str], AgentCaller],
        admission: Admission,
        origins: Origins,
        memory: BodyMemory,
        scopes: str,
    ) -> None:
        """`asked_by` gets a caller and the origin of links, and makes what the tools need. `scopes` are the ones that a
        client without a token is told to ask for.
        """
        self._methods, self._asked_by, self._admission = methods, asked_by, admission
        self._origins, self._memory, self._scopes = origins, memory, scopes

    async def answer(self, exchange: AnsweringExchange) -> None:
        try:
            self._check_origin(exchange)
            caller = await self._admit(exchange)
        except Problem as problem:
            raise self._challenged(exchange, problem) from None
        exchange.token_id = caller.token_id
        held = await self._memory.take(body_bound(exchange, LARGEST_MESSAGE))
        try:
            await self._answer(exchange, caller)
        finally:
            if held:
                self._memory.give_back(held)

    def _check_origin(self, exchange: Exchange) -> None:
        """Only browsers send an Origin; only our own pages may call, even if another name leads to this machine."""
        if exchange.has_header("origin") and exchange.header("origin") != self._origins.of(exchange):
            raise CrossSite("Origin names another site. Agents are programs, and send none.")

    async def _admit(self, exchange: AnsweringExchange) -> Caller:
        """Raises MissingToken, InvalidToken, TokenExpired or RateLimited."""
        decisions: list[Decision] = []
        rule = self._admission.rule
        try:
            return await self._admission.admit(exchange, decisions.append, AGENTS_DOOR)
        finally:
            quota = decisions[-1].field if decisions else rule.untouched
            exchange.add([("ratelimit-policy", rule.policy), ("ratelimit", quota)])

    async def _renew(self, exchange: Exchange, caller: Caller) -> Caller:
        """The caller at the end of the body, which may have been slow."""
        try:
            return await self._admission.renew(caller)
        except Problem as problem:
            raise self._challenged(exchange, problem) from None

    async def _answer(self, exchange: AnsweringExchange, caller: Caller) -> None:
        message: RpcMessage | None = None
        try:
            message = read_message(await self._read(exchange))
            caller = await self._renew(exchange, caller)
            exchange.doing = self._methods.name_of(message)
            status, body = await self._outcome(exchange, caller, message)
        except RpcError as error:
            status, body = error.status, write_error(message, error)
        except ScopesNeeded as problem:
            raise self._challenged(exchange, problem) from None
        exchange.respond(status, _HEADERS if body else [], body)

    async def _read(self, exchange: Exchange) -> bytes:
        try:
            return await read_body(exchange, LARGEST_MESSAGE)
        except PayloadTooLarge as problem:
            message = f"{problem.message} add_media gives an address for larger files."
            raise PayloadTooLarge(message, problem.headers) from None

    async def _outcome(self, exchange: Exchange, caller: Caller, message: RpcMessage) -> tuple[int, bytes]:
        if message.is_answer or message.is_notification:
            return 202, b""  # we ignore notifications
        era = era_of(message, exchange)
        result = await self._methods.answer(self._asked_by(caller, self._origins.of(exchange)), era, message)
        return 200, write_result(message, result)

    def _challenged(self, exchange: Exchange, problem: Problem) -> Problem:
        """The problem with the header that tells a client where to get a token (RFC 9728, RFC 6750)."""
        needed = isinstance(problem, ScopesNeeded)
        if problem.status != 401 and not needed:
            return problem
        origin = self._origins.of(exchange)
        fields = [
            f'resource_metadata="{origin}/.well-known/oauth-protected-resource{AGENTS_DOOR}"',
            f'scope="{problem.scopes if isinstance(problem, ScopesNeeded) else self._scopes}"',
        ]
        if problem.code != "missing_token":
            error = "insufficient_scope" if needed else "invalid_token"
            fields.append(f'error="{error}", error_description="{problem.message}"')
        problem.headers += (("www-authenticate", "Bearer " + ", ".join(fields)),)
        return problem

"""The only code that touches the network and the clock, once for threads and once for async.

A driver runs a conversation to its end: it sends the requests that are yielded and sleeps the pauses.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import httpx2

from stowboard_client.transport.call import Call
from stowboard_client.transport.session import Session
from stowboard_client.transport.steps import STREAM, Outcome, Pause, Step, Steps

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SyncDriver:
    session: Session
    http: httpx2.Client
    sleep: Callable[[float], None]

    def run(self, call: Call[T]) -> T:
        return self.drive(self.session.perform(call))

    def drive(self, steps: Steps[T]) -> T:
        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                result: T = end.value
                return result
            outcome = self._take(step)

    def _take(self, step: Step) -> Outcome:
        if isinstance(step, Pause):
            self.sleep(step.seconds)
            return None
        try:
            stream = step.extensions.get(STREAM, False)
            response = self.http.send(step, auth=None, follow_redirects=False, stream=stream)
            if not response.is_success:
                response.read()
        except httpx2.RequestError as error:
            return error
        return response


@dataclass(frozen=True, slots=True)
class AsyncDriver:
    session: Session
    http: httpx2.AsyncClient
    sleep: Callable[[float], Awaitable[None]]

    async def run(self, call: Call[T]) -> T:
        return await self.drive(self.session.perform(call))

    async def drive(self, steps: Steps[T]) -> T:
        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                result: T = end.value
                return result
            outcome = await self._take(step)

    async def _take(self, step: Step) -> Outcome:
        if isinstance(step, Pause):
            await self.sleep(step.seconds)
            return None
        try:
            stream = step.extensions.get(STREAM, False)
            response = await self.http.send(step, auth=None, follow_redirects=False, stream=stream)
            if not response.is_success:
                await response.aread()
        except httpx2.RequestError as error:
            return error
        return response

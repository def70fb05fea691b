"""Agents of a person who has nothing yet."""

from collections.abc import Callable
from typing import Any

import pytest

from support.clients.agents import Agent
from support.clients.credentials import Issue
from support.clients.people import fresh_name
from support.servers.stacks import EMBEDDED, FolderServer
from support.servers.stowboard import Server

MakeAgent = Callable[..., Agent]


@pytest.fixture(scope="module")
def strict_server(folder_server: FolderServer) -> Server:
    """One with tight limits, where agents may delete. What differs on the cluster is tested elsewhere."""
    settings = {
        "STOWBOARD_AGENTS_DELETE": "true",
        "STOWBOARD_OAUTH_REGISTRATIONS_PER_DAY": "1000",
        "STOWBOARD_RATE_LIMIT_PER_MINUTE": "1",
        "STOWBOARD_RATE_LIMIT_BURST": "30",
    }
    return folder_server(EMBEDDED, settings)


@pytest.fixture
def owner() -> str:
    return fresh_name("alice")


@pytest.fixture
def make_agent(server: Server, issue: Issue, owner: str) -> MakeAgent:
    """An agent of the owner's: `make_agent(scopes=["tasks:read"], version=LEGACY)`."""

    def make(version: str = "2026-07-28", **token: Any) -> Agent:
        return Agent(server.origin, issue(**{"owner": owner, **token}), version)

    return make


@pytest.fixture
def agent(make_agent: MakeAgent) -> Agent:
    return make_agent()

"""The server against its own document: schemathesis makes requests of it, valid and invalid, and judges each answer.

Every check runs. The default run has one seed, so that a change is judged by the same requests as the one before it;
`make soak` draws another each time, and tries the bounds of every parameter, requests at random and aliases besides. A
failure prints the seed and a request that shows it; with that seed in SCHEMATHESIS_SEED the run is repeated.
"""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from stowboard.addresses import ADDRESSES
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

EXAMPLES_PER_OPERATION = 6
SEED = os.environ.get("SCHEMATHESIS_SEED", "20261115")
#: An answer without an end, which is waited for in vain; tests/api/events has its tests.
ENDLESS = "streamEvents"
#: Addresses with protocols of their own, which no schema tells whole; each has tests beside its code.
OUTSIDE = [f"--exclude-operation-id={address.name}" for address in ADDRESSES]
#: The operations of tasks under their second address are the same ones.
WITHOUT_ALIASES = "--exclude-operation-id-regex=Alias$"
CONFIG = Path(__file__).with_name("schemathesis.toml")
TESTS = CONFIG.parents[2]
PROGRAM = Path(sys.executable).with_name("schemathesis")


@pytest.fixture
def server(stack: Stack, make_server: MakeServer) -> Server:
    """One of its own: the requests are an admin's, and what they leave in the Library is seen by everybody."""
    return make_server(stack() | UNLIMITED)


@pytest.fixture
def token(server: Server) -> str:
    """A token with every scope, of an owner that has used no Idempotency-Key yet."""
    body = {"owner": f"schemathesis-{secrets.token_hex(4)}", "admin": True, "name": "schemathesis"}
    answer = httpx2.post(f"{server.base_url}/access/tokens", json=body, headers=server.headers)
    assert answer.status_code == 201, answer.text
    secret: str = answer.json()["data"]["token"]
    return secret


def test_the_server_does_what_its_document_says(server: Server, token: str, tmp_path: Path) -> None:
    judge(server, token, tmp_path, "examples,stateful", EXAMPLES_PER_OPERATION, SEED, WITHOUT_ALIASES)


@pytest.mark.soak
def test_the_server_does_what_its_document_says_whatever_is_tried(server: Server, token: str, tmp_path: Path) -> None:
    phases = "examples,coverage,fuzzing,stateful"
    judge(server, token, tmp_path, phases, 4 * EXAMPLES_PER_OPERATION, str(secrets.randbelow(2**32)))


def judge(server: Server, token: str, folder: Path, phases: str, examples: int, seed: str, *more: str) -> None:
    done = subprocess.run(
        [
            PROGRAM, "--config-file", CONFIG, "run", f"{server.origin}/openapi.json",
            "--checks=all", f"--phases={phases}", "--continue-on-failure", "--no-color",
            f"--max-examples={examples}", f"--seed={seed}", f"--exclude-operation-id={ENDLESS}", *OUTSIDE, *more,
        ],
        env=os.environ | {"SCHEMATHESIS_TOKEN": token, "PYTHONPATH": str(TESTS)},
        cwd=folder, capture_output=True, text=True, timeout=7200,
    )  # fmt: skip
    print(f"SCHEMATHESIS_SEED={seed}")
    print(done.stdout[-20_000:], done.stderr[-5_000:])
    assert done.returncode == 0

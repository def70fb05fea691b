"""The receiver of docs/recipes, run as it stands."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from support.clients.task_owner import Owner
from support.servers.ports import free_port
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak

PAGE = Path(__file__).parents[3] / "docs" / "recipes" / "python-receiver.md"
[PROGRAM] = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def test_the_python_receiver_takes_what_is_signed_and_nothing_else(ann: Owner, tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    webhook = ann.client.webhooks.create(url, ["task.*"])
    program, said = tmp_path / "receiver.py", tmp_path / "said.txt"
    program.write_text(PROGRAM)
    with said.open("w") as output:
        environment = os.environ | {"SECRET": webhook.secret, "PORT": str(port)}
        process = subprocess.Popen([sys.executable, program], env=environment, stdout=output, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: _listens(port))
        task = ann.tasks.create("a")
        wait_until(lambda: f"task.created {task.id}\n" in said.read_text())
        forged = {"webhook-id": "evt_1", "webhook-timestamp": "1", "webhook-signature": "v1,x"}
        assert httpx2.post(url, content=b"{}", headers=forged).status_code == 400
        assert httpx2.post(url, content=b"{}").status_code == 400
        wait_until(lambda: [each.status for each in ann.client.webhooks.deliveries(webhook.id)] == ["delivered"])
    finally:
        process.kill()
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def test_it_has_about_twenty_lines() -> None:
    assert len([line for line in PROGRAM.splitlines() if line.strip()]) <= 21

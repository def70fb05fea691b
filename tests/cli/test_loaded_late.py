"""Modules that few processes need are loaded when they are first used, so that an idle server stays small."""

import json
import subprocess
import sys

LATE = (
    "webauthn", "cbor2", "OpenSSL", "joserfc", "cryptography.hazmat.primitives.asymmetric.ec", "smtplib",
    "email.headerregistry", "stowboard.agents.offer", "stowboard.agents.protocol",
)  # fmt: skip


def test_a_server_starts_without_what_passkeys_providers_mail_and_agents_need() -> None:
    modules = "stowboard.app, stowboard.cli.main, stowboard.cli.running, stowboard.cli.serving.server"
    code = f"import json, sys, {modules}; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert not set(LATE) & set(json.loads(run.stdout))

"""The other commands: migrate, openapi, doctor, help and version."""

import email.errors
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import httpx2
import msgspec
import pytest
import yaml

from stowboard.cli.commands import COMMANDS, GROUPS
from support.servers.command import run_here, sentence, stowboard
from support.servers.ports import free_port
from support.servers.postgres import PostgresServer
from support.servers.stowboard import Server, clean_environment


@pytest.mark.parametrize("name", ["", *GROUPS, *COMMANDS])
def test_every_command_explains_itself(name: str) -> None:
    done = run_here([*name.split(), "--help"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: {' '.join(('stowboard', *name.split()))} ")


def test_help_and_usage_leave_nothing_behind(tmp_path: Path) -> None:
    for words in (("--help",), ("serve", "--help")):
        assert "usage: stowboard" in stowboard(tmp_path, *words).stdout
    assert list(tmp_path.iterdir()) == []


def test_the_version_is_told_by_the_command_and_by_the_module(tmp_path: Path) -> None:
    by_command = stowboard(tmp_path, "--version").stdout
    module = [sys.executable, "-m", "stowboard", "--version"]
    by_module = subprocess.run(module, cwd=tmp_path, env=clean_environment(), capture_output=True, text=True).stdout
    assert by_command == by_module
    assert by_command.startswith("stowboard 0.")


def test_an_unknown_command_is_refused(tmp_path: Path) -> None:
    done = stowboard(tmp_path, "sevre")
    assert done.returncode == 2
    assert "sevre" in done.stderr


def test_migrations_are_told_and_then_made(tmp_path: Path) -> None:
    pending = stowboard(tmp_path, "upgrade", "--check")
    assert pending.returncode == 1
    assert pending.stdout.splitlines()[1] == "  0001_platform"
    assert list(tmp_path.iterdir()) == [], "to look changes nothing"
    done = stowboard(tmp_path, "upgrade")
    assert (done.returncode, done.stdout) == (0, "The database is up to date.\n")
    check = stowboard(tmp_path, "upgrade", "--check")
    assert check.returncode == 0
    assert check.stdout.startswith("Nothing to do")


def test_a_running_server_has_nothing_pending(server: Server) -> None:
    assert server.command("upgrade", "--check").stdout.startswith("Nothing to do")


def test_a_migration_without_a_database_is_a_sentence(tmp_path: Path) -> None:
    away = f"postgresql://a:b@127.0.0.1:{free_port()}/x"
    for words in (("upgrade",), ("upgrade", "--check"), ("token", "list"), ("keys", "list")):
        assert "STOWBOARD_DATABASE_URL" in sentence(stowboard(tmp_path, *words, STOWBOARD_DATABASE_URL=away))


def at_origin(document: Any, origin: str) -> Any:
    return msgspec.json.decode(msgspec.json.encode(document).replace(origin.encode(), b"https://origin"))


@pytest.mark.cluster_in_soak
def test_the_openapi_command_prints_what_the_server_serves(server: Server, tmp_path: Path) -> None:
    served = httpx2.get(f"{server.origin}/openapi.json").json()
    as_json = stowboard(tmp_path, "openapi", STOWBOARD_PUBLIC_URL="https://printed.test")
    as_yaml = stowboard(tmp_path, "openapi", "--yaml", STOWBOARD_PUBLIC_URL="https://printed.test")
    printed = msgspec.json.decode(as_json.stdout)
    assert at_origin(printed, "https://printed.test") == at_origin(served, server.origin)
    assert yaml.load(as_yaml.stdout, yaml.CSafeLoader) == printed
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_finds_a_running_server_well(server: Server) -> None:
    done = server.command("doctor")
    assert done.returncode == 0, done.stdout
    for check in ("settings", "permissions", "database", "storage", "files", "jobs", "clock", "valkey", "ffmpeg"):
        assert f"ok    {check}" in done.stdout
    assert "FAIL" not in done.stdout
    has_flaw = not hasattr(email.errors, "HeaderWriteError")
    assert ("CVE-2024-6923" in done.stdout) == has_flaw
    assert f"{'note' if has_flaw else 'ok  '}  python" in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("doctor",), ("jobs",), ("jobs", "dead"), ("jobs", "retry", "job_x"), ("token", "create", "--owner", "ann"),
        ("token", "list"), ("token", "revoke", "tok_x"), ("keys", "list"), ("keys", "rotate"), ("verify",),
        ("backup", "copy"), ("export", "copy"), ("jobs", "list"), ("keys", "rotate", "--digest"), ("audit",),
        ("account", "list"), ("account", "invite"), ("account", "role", "ann", "admin"), ("account", "disable", "ann"),
        ("account", "enable", "ann"), ("account", "reset-link", "ann"), ("account", "signin-link", "ann"),
        ("account", "delete", "ann"), ("tasks", "import", __file__, "--owner", "ann"),
    ],
)  # fmt: skip
def test_a_folder_without_an_installation_is_refused_and_none_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_here(words)
    assert "there is no installation at data/stowboard.db" in done.stderr
    assert (done.exit_code, done.stdout) == (1, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("serve", "--port", "many"), ("serve", "--port", "0"), ("serve", "--nonsense"), ("nonsense",),
        ("token", "create", "--owner", "ann", "--scopes", "nonsense"),
        ("token", "create", "--owner", "ann", "--expires-in", "soon"), ("token", "create", "--owner", ""),
        ("account", "role", "ann", "bosun"),
    ],
)  # fmt: skip
def test_a_wrong_option_exits_with_2(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = stowboard(tmp_path, *words)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr


def test_a_wrong_setting_exits_with_2(tmp_path: Path) -> None:
    assert stowboard(tmp_path, "doctor", STOWBOARD_PORT="many").returncode == 2
    assert stowboard(tmp_path, "doctor", STOWBOARD_NONSENSE="1").returncode == 2


def test_the_doctor_tells_of_a_database_that_is_damaged(tmp_path: Path) -> None:
    stowboard(tmp_path, "upgrade")
    file = tmp_path / "data" / "stowboard.db"
    for name in ("stowboard.db-wal", "stowboard.db-shm"):
        file.with_name(name).unlink(missing_ok=True)
    data = bytearray(file.read_bytes())
    data[8192:] = bytes(len(data) - 8192)
    file.write_bytes(data)
    found = stowboard(tmp_path, "doctor")
    assert (found.returncode, "Traceback" in found.stderr) == (1, False), found.stderr
    assert "FAIL  database     is damaged: " in found.stdout
    verified = stowboard(tmp_path, "verify")
    assert (verified.returncode, "Traceback" in verified.stderr) == (1, False), verified.stderr
    assert "damaged  the database: " in verified.stdout


def test_the_doctor_and_the_list_tell_of_jobs_that_nobody_does(tmp_path: Path) -> None:
    stowboard(tmp_path, "upgrade")
    assert "No job waits" in stowboard(tmp_path, "jobs").stdout
    connection = apsw.Connection(str(tmp_path / "data" / "stowboard.db"))
    connection.execute(
        "INSERT INTO job (id, queue, kind, args, due, dead, attempt, error, created_at)"
        " VALUES ('job_dead', 'sweep', 'media.discard', x'ff', 1, 1, 20, 'never', 1),"
        " ('job_stuck', 'image', 'media.process', x'7b7d', 1, 0, 0, NULL, 1)"
    )
    connection.close()
    listed = stowboard(tmp_path, "jobs").stdout
    assert "dead     job_dead  media.discard" in listed
    assert "waiting  job_stuck  media.process" in listed
    assert "job_dead  media.discard  after 20 attempts: never" in stowboard(tmp_path, "jobs", "dead").stdout
    found = stowboard(tmp_path, "doctor").stdout
    assert "note  jobs         waiting for long: media.process" in found


def test_commands_that_list_only_read_and_wait_for_no_writer(tmp_path: Path) -> None:
    stowboard(tmp_path, "upgrade")
    writer = apsw.Connection(str(tmp_path / "data" / "stowboard.db"))
    writer.execute("BEGIN IMMEDIATE")
    listing = ("token list", "account list", "jobs", "jobs dead", "keys list", "audit")
    done = {words: stowboard(tmp_path, *words.split()) for words in listing}
    writer.close()
    assert {words: one.stderr for words, one in done.items() if one.returncode} == {}


def test_the_doctor_tells_of_a_folder_that_others_can_read(tmp_path: Path) -> None:
    stowboard(tmp_path, "upgrade")
    (tmp_path / "data").chmod(0o755)
    done = stowboard(tmp_path, "doctor")
    assert done.returncode == 0
    assert "chmod 700 data" in done.stdout


def test_the_doctor_tells_of_settings_that_do_not_reach_postgresql(postgres: PostgresServer, tmp_path: Path) -> None:
    settings = {"STOWBOARD_DATABASE_URL": postgres.create_database()}
    name = settings["STOWBOARD_DATABASE_URL"].rpartition("/")[2]
    assert stowboard(tmp_path, "upgrade", **settings).returncode == 0
    assert "ok    database" in stowboard(tmp_path, "doctor", **settings).stdout
    postgres.sql(f"ALTER DATABASE {name} SET synchronous_commit = 'local'")
    assert "note  database     has synchronous_commit = local" in stowboard(tmp_path, "doctor", **settings).stdout
    # As PgBouncer does it, which drops what clients set when they connect.
    postgres.sql(
        "CREATE FUNCTION forget() RETURNS event_trigger LANGUAGE plpgsql AS"
        " $$BEGIN PERFORM set_config('lock_timeout', '0', false); END$$;"
        "CREATE EVENT TRIGGER forget ON login EXECUTE FUNCTION forget();"
        "ALTER EVENT TRIGGER forget ENABLE ALWAYS",
        name,
    )
    assert "does not get the settings of our connections" in stowboard(tmp_path, "doctor", **settings).stdout


def test_the_doctor_tells_of_parts_that_are_away_and_of_the_settings_that_name_them(tmp_path: Path) -> None:
    database, valkey = free_port(), free_port()
    away = {
        "STOWBOARD_DATABASE_URL": f"postgresql://a:b@127.0.0.1:{database},localhost/x",
        "STOWBOARD_BLOBS_URL": "s3://bucket",
        "STOWBOARD_S3_ENDPOINT": f"http://127.0.0.1:{free_port()}",
        "STOWBOARD_S3_TIMEOUT_SECONDS": "1",
        "STOWBOARD_VALKEY_URL": f"redis://127.0.0.1:{valkey},localhost:{valkey}/0",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret-word",
    }
    done = stowboard(tmp_path, "doctor", **away)
    assert done.returncode == 1
    assert "FAIL  database" in done.stdout
    assert f"PostgreSQL at 127.0.0.1:{database} and localhost:5432 does not answer" in done.stdout
    assert "STOWBOARD_DATABASE_URL" in done.stdout
    assert "FAIL  storage" in done.stdout
    assert "STOWBOARD_S3_ENDPOINT" in done.stdout
    assert f"note  valkey       127.0.0.1:{valkey}/0 does not answer" in done.stdout
    assert "ok    clock" in done.stdout
    assert "secret-word" not in done.stdout


def test_the_doctor_tells_of_an_ffmpeg_that_is_not_there(tmp_path: Path) -> None:
    stowboard(tmp_path, "upgrade")
    done = stowboard(tmp_path, "doctor", STOWBOARD_FFMPEG="/no/such/ffmpeg")
    assert done.returncode == 0
    assert "note  ffmpeg" in done.stdout
    assert "STOWBOARD_FFMPEG names '/no/such/ffmpeg'" in done.stdout


def test_the_doctor_tells_of_a_store_that_does_not_know_the_key(server: Server, tmp_path: Path) -> None:
    settings = server.environment
    if "STOWBOARD_BLOBS_URL" not in settings:
        pytest.skip("this stack keeps its files in a folder")
    wrong = {name: value for name, value in settings.items() if name.startswith(("STOWBOARD_", "AWS_"))}
    done = stowboard(tmp_path, "doctor", **wrong | {"AWS_SECRET_ACCESS_KEY": "wrong"})
    assert done.returncode == 1
    assert "FAIL  storage" in done.stdout
    assert "AWS_SECRET_ACCESS_KEY" in done.stdout


def test_what_strangers_wrote_does_not_steer_the_terminal_of_the_operator(tmp_path: Path) -> None:
    stowboard(tmp_path, "upgrade")
    connection = apsw.Connection(str(tmp_path / "data" / "stowboard.db"))
    connection.execute(
        "INSERT INTO audit (id, action, outcome, actor, subject, created_at, data)"
        " VALUES ('aud_1', 'client.refused', 'refused', '', ?, 1, x'7b7d')",
        ("\x1b]0;owned\x07\x9b31m\u202e",),
    )
    connection.close()
    for words in (("audit",), ("audit", "--json")):
        shown = stowboard(tmp_path, *words).stdout
        assert "owned" in shown
        assert not set("\x1b\x07\x9b\u202e") & set(shown), ascii(shown)

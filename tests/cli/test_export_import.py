"""An installation is moved between databases of both kinds, and is the same afterwards: rows, bytes, tokens, links."""

import asyncio
import json
import re
import secrets
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from stowboard.db.migrate import SHIPPED, load
from stowboard.db.open import DatabaseSettings
from stowboard.moving.catalogue import NOT_MOVED, REBUILT, MovedTable, read_tables
from stowboard.moving.open_snapshot import open_snapshot
from stowboard_client import Client, EncryptedBody, Location, task_operation
from support.clients.people import Browser, invited
from support.media.exif import exif, photo
from support.media.pictures import plain
from support.servers.moving import at, command, done, files_in, refusal, rows_of, tables_of
from support.servers.postgres import PostgresServer
from support.servers.seaweedfs import ACCESS_KEY, BUCKET, SECRET_KEY, SeaweedFs
from support.servers.stacks import MakeServer, Stack
from support.servers.stowboard import Server
from support.servers.worker import NO_JOBS, make_due, working
from support.stored.rows import rows
from support.waiting import wait_until
from support.webhooks.receiver import ALLOWED

SEALED = EncryptedBody(version=1, algorithm="A256GCM", key_id="k1", nonce="AAAA", ciphertext="c2VhbGVk")
PICTURE = photo(plain(300, 200), exif())


def signed_in(server: Server, browser: Browser) -> Client:
    return Client(server.origin, browser.bearer()["authorization"].removeprefix("Bearer "))


class Lived:
    """An embedded installation that was used, and is stopped; and what its users remember."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.key = secrets.token_hex(8)
        with Client(server.origin, server.admin_token) as admin:
            self.token = admin.tokens.create("ann").token
            self.own_token = admin.tokens.create("ann", kind="interactive").token
            self.video = admin.videos.create("Harbour").id
            admin.videos.put_captions(self.video, "pt-BR", "WEBVTT\n\n00:01.000 --> 00:02.000\nBom dia.\n")
        self.browser = invited(server, "ann")
        with Client(server.origin, self.token) as ann, Client(server.origin, self.own_token) as herself:
            self._make_tasks(ann, herself)
            self._make_media(ann)
        with signed_in(server, self.browser) as console:
            console.notifications.update_rules([{"scope": "all", "kind": "reminder", "channels": []}])
            console.notifications.add_channel("url", format="slack", url="https://127.0.0.1/chat")
            self.told = (console.notifications.rules(), console.notifications.channels())
        self.reply = self.repeat(server)
        server.stop()
        # As if a job had looked into it, which it does in an installation that does its jobs.
        found = """frames = 2, pages = 7, duration_ms = 2500, poster = '{"width":40,"height":30}'"""
        rows(server, f"UPDATE asset SET {found} WHERE filename = 'note.txt'")

    def _make_tasks(self, ann: Client, herself: Client) -> None:
        board = ann.boards.create("Work")
        for letter in "abc":
            ann.tasks.move(ann.tasks.create(letter, tags=["x", "ö"]).id, "todo", board=board.id)
        ann.tasks.complete(ann.tasks.create("weekly", recurrence="FREQ=WEEKLY").id)
        self.sealed = herself.tasks.create("Diary", visibility="zero-knowledge", encrypted_body=SEALED).id
        ann.tasks.activate_index()
        self.titles = sorted(task.title for task in ann.tasks.list())

    def _make_media(self, ann: Client) -> None:
        asset = ann.uploads.image("cat.jpg", PICTURE, tags=["pets"], visibility="protected")
        self.note = ann.uploads.file("note.txt", b"hello", tags=["words"], metadata={"order": "1"}).id
        self.asset = asset.id
        some = next(iter(ann.tasks.list()))
        change = task_operation("update", id=some.id, attachments=[asset.id], metadata={"order": "ö"}, priority=2)
        ann.tasks.batch([change], idempotency_key="batch")
        self.signed = ann.delivery.url(asset.id).url
        httpx2.get(ann.delivery.url(asset.id, transform_class="thumbnail").url).raise_for_status()
        announced = ann.uploads.presigned("later.bin", 1000)
        self.announced, self.upload_url = announced.id, announced.upload_url
        self.memo, self.away = ann.uploads.file("memo.txt", b"One").id, ann.uploads.file("away.txt", b"put away").id
        ann.uploads.replace(self.memo, b"Two", mime_type="text/plain", original_name="memo.txt")
        with working(self.server):
            ann.uploads.wait_until_ready(self.memo)
        ann.assets.trash(self.away)

    def repeat(self, server: Server) -> bytes:
        """A write under a key, which has one answer wherever it is repeated."""
        headers = {"authorization": f"Bearer {self.token}", "idempotency-key": self.key}
        return httpx2.post(f"{server.base_url}/taskapp/tasks", json={"title": "once"}, headers=headers).content


@pytest.fixture(scope="module")
def lived(make_server: MakeServer) -> Lived:
    return Lived(make_server(NO_JOBS | ALLOWED))


@pytest.fixture
def cluster_settings(postgres: PostgresServer, migrated_template: str, seaweedfs: SeaweedFs) -> dict[str, str]:
    return {
        "STOWBOARD_DATABASE_URL": postgres.create_database(template=migrated_template),
        "STOWBOARD_BLOBS_URL": f"s3://{BUCKET}/{secrets.token_hex(6)}",
        "STOWBOARD_S3_ENDPOINT": seaweedfs.endpoint,
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
    }


def same_address(url: str, server: Server) -> str:
    return server.origin + url.removeprefix("{0.scheme}://{0.netloc}".format(urlsplit(url)))


def test_an_installation_moves_there_and_back_and_is_the_same(
    lived: Lived, cluster_settings: dict[str, str], tmp_path: Path
) -> None:
    cluster = at(tmp_path / "cluster", cluster_settings | NO_JOBS, lived.server.admin_token)
    back = at(tmp_path / "back", NO_JOBS, lived.server.admin_token)
    places = [lived.server, cluster, back]
    exports = [tmp_path / f"export{number}" for number in range(3)]
    for place, arrived, export in zip(places, [None, *exports], exports, strict=False):
        if arrived is not None:
            assert "read back" in done(place, "import", str(arrived))
        done(place, "export", str(export))
    tables = [tables_of(export) for export in exports]
    noted = [table.pop("audit")["rows"] for table in tables]
    assert noted == [noted[0], noted[0] + 1, noted[0] + 2]  # each export is written down
    assert tables[0] == tables[1] == tables[2]
    assert {table: tables[0][table]["rows"] for table in ("account", "session")} == {"account": 1, "session": 1}
    assert files_in(exports[0] / "blobs").keys() == files_in(exports[2] / "blobs").keys()
    assert len(files_in(exports[0] / "blobs")) == 6
    for place in (cluster, back):
        place.start()
        try:
            check_by_http(lived, place)
        finally:
            place.kill()


def check_by_http(lived: Lived, server: Server) -> None:
    assert len(rows(server, "SELECT type FROM search_filling")) == 3  # search will be built again
    browser = Browser(server.origin)
    browser.cookies.update(lived.browser.cookies)
    assert browser.get("/session").json()["data"]["account"]["username"] == "ann"
    assert Browser(server.origin).sign_in("ann").status_code == 200
    with signed_in(server, browser) as console:
        assert (console.notifications.rules(), console.notifications.channels()) == lived.told
    with Client(server.origin, lived.token) as ann, Client(server.origin, lived.own_token) as herself:
        assert [(each.language, each.cues) for each in ann.videos.list_captions(lived.video)] == [("pt-BR", 1)]
        assert sorted(task.title for task in ann.tasks.list()) == sorted([*lived.titles, "once"])
        assert herself.tasks.get(lived.sealed).encrypted_body == SEALED
        assert lived.repeat(server) == lived.reply
        assert [task.position for task in ann.boards.placements(next(iter(ann.boards.list())).id)] == [0, 1, 2]
        cat, note = ann.assets.get(lived.asset), ann.assets.get(lived.note)
        assert (cat.tags, cat.taken_at, cat.camera) == (("pets",), 1714972089000, "Acme Snap 7")
        assert cat.location == Location(latitude=53.545, longitude=-9.966)
        assert (note.frames, note.pages, note.duration, note.preview) == (2, 7, 2.5, "hello")
        assert note.thumbnail_url is not None
        fresh = ann.delivery.url(lived.asset).url
        assert [one.id for one in ann.assets.list(trashed="only")] == [lived.away]
        assert httpx2.get(ann.versions.url(lived.memo, 1).url).content == b"One"
        assert httpx2.get(ann.assets.restore(lived.away).url or "").content == b"put away"
        ann.assets.trash(lived.away)
    for url in (lived.signed, fresh):
        assert httpx2.get(same_address(url, server)).content == PICTURE
    late = httpx2.put(same_address(lived.upload_url, server), content=bytes(1000))
    assert late.json()["error"]["code"] == "signature_expired"


def test_events_keep_their_places_and_those_to_come_follow_them(stack: Stack, tmp_path: Path) -> None:
    source = at(tmp_path / "source", stack()).start()
    target = at(tmp_path / "target", stack(), source.admin_token)
    with Client(source.origin, source.admin_token) as client:
        for title in "abc":
            client.tasks.create(title)
    source.stop()
    for event_id in ("evt_2", "evt_1"):  # written, and on PostgreSQL not yet placed
        rows(
            source,
            "INSERT INTO event (id, type, owner, subject, data, created_at, position)"
            f" SELECT '{event_id}', type, owner, subject, data, 0, (SELECT position FROM next_position)"
            " FROM event ORDER BY id LIMIT 1",
        )
    done(source, "export", str(tmp_path / "export"))
    done(target, "import", str(tmp_path / "export"))
    positions = [position for (position,) in rows(target, "SELECT position FROM event ORDER BY position")]
    assert positions == [1, 2, 3, 4, 5]
    target.start()
    try:
        with Client(target.origin, source.admin_token) as client:
            client.tasks.create("d")
            wait_until(lambda: rows(target, "SELECT position FROM feed") == [(6,)])
            assert [event.sequence for event in client.events.list(cursor="p2")][-1] == 6
    finally:
        target.kill()


def test_an_upload_that_was_on_its_way_ends_by_the_rules_of_the_new_installation(lived: Lived, tmp_path: Path) -> None:
    done(lived.server, "export", str(tmp_path / "export"))
    target = at(tmp_path / "target", {}, lived.server.admin_token)
    done(target, "import", str(tmp_path / "export"))
    make_due(target, "media.expire_uploads")
    target.start()
    try:
        with Client(target.origin, lived.server.admin_token) as admin:
            wait_until(lambda: admin.videos.get(lived.video).status == "expired")
            wait_until(lambda: rows(target, f"SELECT 1 FROM asset WHERE id = '{lived.announced}'") == [])
    finally:
        target.kill()


def test_an_export_into_the_same_folder_again_is_of_the_new_moment(lived: Lived, tmp_path: Path) -> None:
    export, place = tmp_path / "export", at(tmp_path / "place", {})
    shutil.copytree(lived.server.data_dir, place.data_dir)
    done(place, "export", str(export))
    before, contents = files_in(export / "blobs"), len(rows_of(export, "content"))
    rows(place, "DELETE FROM asset WHERE filename = 'note.txt'")
    rows(place, "DELETE FROM content WHERE size = 5")
    done(place, "export", str(export))
    after = files_in(export / "blobs")
    assert len(after) == len(before) - 1
    assert after.items() <= before.items()
    assert len(rows_of(export, "content")) == contents - 1
    assert len(list(export.glob("rows-*"))) == 1


def test_the_folder_is_for_its_owner_alone(lived: Lived, tmp_path: Path) -> None:
    done(lived.server, "export", str(tmp_path / "export"))
    assert (tmp_path / "export").stat().st_mode & 0o077 == 0
    for path in (tmp_path / "export").glob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_an_import_is_refused_where_something_is(lived: Lived, tmp_path: Path) -> None:
    done(lived.server, "export", str(tmp_path / "export"))
    said = refusal(lived.server, "import", str(tmp_path / "export"))
    assert "not empty" in said
    assert "--data-dir" in said
    occupied = at(tmp_path / "occupied", {})
    done(occupied, "upgrade")  # makes keys, which nothing was signed with yet
    (occupied.data_dir / "blobs/asset/00").mkdir(parents=True)
    (occupied.data_dir / "blobs/asset/00/01m7exd4rw13k29w5zhv2jyt00").touch()
    assert "STOWBOARD_BLOBS_URL" in refusal(occupied, "import", str(tmp_path / "export"))
    (occupied.data_dir / "blobs/asset/00/01m7exd4rw13k29w5zhv2jyt00").unlink()
    done(occupied, "import", str(tmp_path / "export"))


def test_an_import_notices_what_others_did_to_the_target_meanwhile(lived: Lived, tmp_path: Path) -> None:
    export, target = tmp_path / "export", at(tmp_path / "target", {})
    done(lived.server, "export", str(export))
    late, first = (export / "blobs" / key for key in sorted(files_in(export / "blobs"), reverse=True)[:2])
    late.rename(tmp_path / "late")
    assert str(late) in refusal(target, "import", str(export))
    (tmp_path / "late").rename(late)
    mine = target.data_dir / "blobs" / first.relative_to(export / "blobs")
    mine.parent.mkdir(parents=True, exist_ok=True)  # it may have been on its way when the other one failed
    mine.write_bytes(bytes(first.stat().st_size))
    assert "gave other bytes" in refusal(target, "import", str(export))
    rows(target, "UPDATE task SET title = 'Changed' WHERE title = 'Diary'")
    assert "the table task is not as it was exported" in refusal(target, "import", str(export))
    rows(target, "UPDATE task SET title = 'Diary' WHERE title = 'Changed'")
    done(target, "import", str(export))
    assert mine.read_bytes() == first.read_bytes()


def test_an_export_of_another_schema_is_refused_and_says_who_has_to_upgrade(lived: Lived, tmp_path: Path) -> None:
    export = tmp_path / "export"
    done(lived.server, "export", str(export))
    manifest = json.loads((export / "manifest.json").read_text())
    for migrations, advice in (
        ([*manifest["migrations"], "newer"], "Upgrade this one first."),
        (manifest["migrations"][:-1], "Upgrade the installation that was exported"),
        (["of", "before", "the", "first", "release"], "made by a development version, not by a release."),
    ):
        (export / "manifest.json").write_text(json.dumps(manifest | {"migrations": migrations}))
        assert advice in refusal(at(tmp_path / "target", {}), "import", str(export))


def test_what_is_no_export_is_told(lived: Lived, tmp_path: Path) -> None:
    target = at(tmp_path / "target", {})
    assert "no manifest.json" in refusal(target, "import", str(tmp_path / "nothing"))
    done(lived.server, "backup", str(tmp_path / "backup"))
    assert "use `stowboard restore`" in refusal(target, "import", str(tmp_path / "backup"))
    (tmp_path / "backup" / "manifest.json").write_text('{"format": "of the future"}')
    assert "manifest.json is damaged" in refusal(target, "import", str(tmp_path / "backup"))


def test_an_export_needs_an_installation_and_a_folder_of_its_own(lived: Lived, tmp_path: Path) -> None:
    nothing = at(tmp_path / "nothing", {})
    assert "there is no installation" in refusal(nothing, "export", str(tmp_path / "export"))
    assert not nothing.data_dir.exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").touch()
    assert "is not empty" in refusal(lived.server, "export", str(tmp_path / "mine"))
    (tmp_path / "export").mkdir()
    (tmp_path / "export" / ".lock").touch()  # as a run leaves it that was killed at its beginning
    done(lived.server, "export", str(tmp_path / "export"))
    other = at(tmp_path / "other", {})
    done(other, "upgrade")
    done(other, "token", "create", "--owner", "bob")
    assert "another installation" in refusal(other, "export", str(tmp_path / "export"))


def test_a_command_at_a_pipe_says_one_line(lived: Lived, tmp_path: Path) -> None:
    result = command(lived.server, "export", str(tmp_path / "export"))
    assert result.stderr == ""
    assert result.stdout.count("\n") == 1


async def tables_at(url: str) -> list[MovedTable]:
    async with open_snapshot(DatabaseSettings(url)) as snapshot:
        return await read_tables(snapshot)


def test_every_table_of_the_migrations_is_moved(stack: Stack, tmp_path: Path) -> None:
    place = at(tmp_path, stack())
    done(place, "upgrade")
    url = place.environment.get("STOWBOARD_DATABASE_URL", f"sqlite:///{place.data_dir}/stowboard.db")
    tables = asyncio.run(tables_at(url))
    scripts = "\n".join(migration.script for migration in load(SHIPPED, "sqlite"))
    made = re.findall(r"^CREATE TABLE (\w+)", scripts, re.MULTILINE)
    assert sorted(table.name for table in tables) == sorted(name for name in made if not name.startswith(REBUILT))
    places = {table.name: number for number, table in enumerate(tables)}
    for child, parent in re.findall(r"CREATE TABLE (\w+) \([^;]*?REFERENCES (\w+)", scripts):
        assert places[parent] < places[child]
    assert not set(NOT_MOVED) & places.keys()

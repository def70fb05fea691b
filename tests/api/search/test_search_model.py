"""Any sequence of what can happen to tasks, assets and videos: a search finds what reading every one of them finds.

What there is told by the operations that read one thing or list all, which know nothing of the index. Everything has a
word of its own run in its title, as the library of media is one for all.
"""

import json
import secrets
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from stowboard.search.asked import read_query
from stowboard_client import Hit, Task, task_operation
from support.clients.task_owner import Owner
from support.search.plain_scan import Text, has_words
from support.servers.stowboard import Server

WORDS = st.sampled_from(["water", "Wässer", "watering", "the plants", "IMG_1234.jpg", "東京都", "e-mail", "the"])
TAGS = st.lists(st.sampled_from(["home", "Garden", "two words"]), unique=True, max_size=2)
CHOICES = st.integers(0, 1000)
QUERIES = (
    "water", "wat", "w", '"the plants"', "-water", "img", "img_12", "京都", "the -plants", "mail", "tag:{}home",
    "-tag:{}garden", "wasser",
)  # fmt: skip
BOUNDED = settings(
    max_examples=3,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],  # to shrink takes minutes, and a failure tells its steps
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def test_a_search_finds_what_reading_everything_finds_whatever_happens(server: Server) -> None:
    run_model(server, None, BOUNDED)


@pytest.mark.soak
def test_a_search_finds_what_reading_everything_finds_for_a_long_time(server: Server, tmp_path: Path) -> None:
    run_model(server, tmp_path, settings(BOUNDED, max_examples=30, stateful_step_count=80, derandomize=False))


def run_model(server: Server, folder: Path | None, bounds: settings) -> None:
    run_state_machine_as_test(lambda: Everything(server, folder), settings=bounds)  # type: ignore[arg-type]


class Everything(RuleBasedStateMachine):
    def __init__(self, server: Server, folder: Path | None) -> None:
        """With a folder tasks are imported, too, each time by a command."""
        super().__init__()
        self.ann, self.folder, self.steps = Owner(server), folder, 0
        self.ann.tasks.activate_index()
        self.tasks, self.assets, self.videos = self.ann.tasks, self.ann.client.assets, self.ann.client.videos
        self.word = "w" + secrets.token_hex(6)
        self.board = self.ann.boards.create("House").id
        self.asset_ids: list[str] = []
        self.video_ids: list[str] = []
        self.tasks.create(self.named("first"))

    def teardown(self) -> None:
        self.ann.close()

    @rule(title=WORDS, body=st.none() | WORDS, tags=TAGS, placed=st.booleans(), sealed=st.booleans())
    def create(self, title: str, body: str | None, tags: list[str], placed: bool, sealed: bool) -> None:
        more: dict[str, Any] = {"board_id": self.board, "position": 0} if placed else {}
        more |= {"visibility": "zero-knowledge"} if sealed else {"body": body}
        self.tasks.create(self.named(title), tags=self.own(tags), priority=2, metadata={"k": "plants"}, **more)

    @rule(title=WORDS)
    def add_a_line(self, title: str) -> None:
        self.tasks.quick_add(f"{self.named(title)} #{self.word}home fri 9am")

    @precondition(lambda self: self.folder is not None)
    @rule(titles=st.lists(WORDS, min_size=1, max_size=3))
    def import_some(self, titles: list[str]) -> None:
        assert self.folder is not None
        file = self.folder / "tasks.jsonl"
        file.write_text("".join(json.dumps({"title": self.named(title)}) + "\n" for title in titles))
        self.ann.server.command("tasks", "import", str(file), "--owner", self.ann.name)

    @rule(task=CHOICES, title=WORDS, body=st.none() | WORDS, tags=TAGS)
    def edit(self, task: int, title: str, body: str | None, tags: list[str]) -> None:
        chosen = self.task(task)
        if chosen.visibility == "zero-knowledge":
            self.tasks.update(chosen.id, title=self.named(title))
        else:
            self.tasks.update(chosen.id, title=self.named(title), body=body, tags=self.own(tags))

    @rule(task=CHOICES)
    def seal(self, task: int) -> None:
        self.tasks.update(self.task(task).id, visibility="zero-knowledge")

    @rule(task=CHOICES, asset=CHOICES)
    def attach(self, task: int, asset: int) -> None:
        attached = [self.asset_ids[asset % len(self.asset_ids)]] if self.asset_ids else []
        self.tasks.update(self.task(task).id, attachments=attached, metadata={"k": "water"})

    @rule(task=CHOICES, archived=st.booleans())
    def archive(self, task: int, archived: bool) -> None:
        (self.tasks.archive if archived else self.tasks.restore)(self.task(task).id)

    @rule(task=CHOICES)
    def complete_and_move(self, task: int) -> None:
        self.tasks.complete(self.task(task).id)
        self.tasks.move(self.task(task).id, "todo", board=self.board)

    @precondition(lambda self: len(self.all_tasks()) > 1)
    @rule(task=CHOICES)
    def delete(self, task: int) -> None:
        self.tasks.delete(self.task(task).id)

    @rule(task=CHOICES, other=CHOICES, title=WORDS, whole=st.booleans(), refused=st.booleans())
    def batch(self, task: int, other: int, title: str, whole: bool, refused: bool) -> None:
        operations = [
            task_operation("create", title=self.named(title), tags=self.own(["home"]), position=0),
            task_operation("update", id=self.task(task).id, title=self.named(title)),
            task_operation("archive", id=self.task(other).id),
            *([task_operation("complete", id="tsk_nothing")] if refused else []),
        ]
        self.ann.http.post("taskapp/tasks/batch", json={"operations": operations, "atomic": whole})

    @rule(old=st.sampled_from(["home", "Garden"]), new=st.sampled_from(["home", "Garden", "two words", "the plants"]))
    def rename_a_tag(self, old: str, new: str) -> None:
        self.ann.client.tags.rename(*self.own([old, new]))
        self.assets.rename_tag(*self.own([old, new]))

    @rule(name=WORDS, alt=st.none() | WORDS, tags=TAGS)
    def upload(self, name: str, alt: str | None, tags: list[str]) -> None:
        content = secrets.token_bytes(8)
        asset = self.ann.client.uploads.file(f"{self.named(name)}.bin", content, alt=alt, tags=self.own(tags))
        self.asset_ids.append(asset.id)

    @precondition(lambda self: self.asset_ids)
    @rule(asset=CHOICES, title=st.none() | WORDS, alt=st.none() | WORDS, tags=TAGS)
    def edit_an_asset(self, asset: int, title: str | None, alt: str | None, tags: list[str]) -> None:
        subject = self.asset_ids[asset % len(self.asset_ids)]
        self.assets.update(subject, title=title and self.named(title), alt=alt, tags=self.own(tags))
        self.assets.batch_tags("add", [subject], self.own(["home"]))

    @precondition(lambda self: self.asset_ids)
    @rule(asset=CHOICES, name=WORDS)
    def replace_an_asset(self, asset: int, name: str) -> None:
        subject, content = self.asset_ids[asset % len(self.asset_ids)], secrets.token_bytes(8)
        self.ann.client.uploads.replace(
            subject, content, mime_type="application/octet-stream", original_name=f"{name}.bin"
        )
        self.ann.client.uploads.wait_until_ready(subject)  # what a job does meanwhile is no step of the model's

    @precondition(lambda self: self.asset_ids)
    @rule(asset=CHOICES, back=st.booleans())
    def trash_an_asset(self, asset: int, back: bool) -> None:
        subject = self.asset_ids[asset % len(self.asset_ids)]
        self.assets.trash(subject)
        if back:
            self.assets.restore(subject)
        else:
            self.asset_ids.remove(subject)

    @precondition(lambda self: self.asset_ids)
    @rule(asset=CHOICES, many=st.booleans())
    def delete_an_asset(self, asset: int, many: bool) -> None:
        subject = self.asset_ids.pop(asset % len(self.asset_ids))
        _ = self.assets.batch_delete([subject]) if many else self.assets.delete(subject)

    @rule(title=WORDS, tags=TAGS)
    def create_a_video(self, title: str, tags: list[str]) -> None:
        self.video_ids.append(self.videos.create(self.named(title), tags=self.own(tags)).id)

    @precondition(lambda self: self.video_ids)
    @rule(video=CHOICES, title=WORDS, tags=TAGS, gone=st.booleans())
    def edit_or_delete_a_video(self, video: int, title: str, tags: list[str], gone: bool) -> None:
        at = video % len(self.video_ids)
        if gone:
            self.videos.delete(self.video_ids.pop(at))
        else:
            self.videos.update(self.video_ids[at], title=self.named(title), tags=self.own(tags))

    @invariant()
    def what_is_found_is_what_there_is(self) -> None:
        self.steps += 1
        query = f"{self.word} {QUERIES[self.steps % len(QUERIES)]}".format(self.word)
        asked = read_query(query)
        tasks = self.all_tasks()
        texts = [_text_of_task(task) for task in tasks if not task.archived and task.visibility != "zero-knowledge"]
        texts += self.media()
        assert sorted(map(_id, self.ann.client.search(query))) == sorted(t.id for t in texts if has_words(t, asked))
        archived = [_text_of_task(task) for task in tasks if task.archived and task.visibility != "zero-knowledge"]
        found = self.tasks.list(q=query, archived="only")
        assert sorted(task.id for task in found) == sorted(text.id for text in archived if has_words(text, asked))

    def media(self) -> list[Text]:
        assets = self.assets.by_ids(self.asset_ids).items if self.asset_ids else ()
        videos = [self.videos.get(subject) for subject in self.video_ids]
        return [
            *(
                Text(one.id, "", one.title or "", (one.filename, one.original_name or "", one.alt or ""), one.tags)
                for one in assets
            ),
            *(Text(one.id, "", one.title, (), one.tags) for one in videos),
        ]

    def all_tasks(self) -> list[Task]:
        return list(self.tasks.list(archived=True, limit=200))

    def task(self, choice: int) -> Task:
        tasks = self.all_tasks()
        return tasks[choice % len(tasks)]

    def named(self, text: str) -> str:
        return f"{self.word} {text}"

    def own(self, tags: list[str]) -> list[str]:
        return [f"{self.word}{tag}" for tag in tags]


def _text_of_task(task: Task) -> Text:
    return Text(task.id, "", task.title, (task.body or "",), task.tags)


def _id(hit: Hit) -> str:
    thing = hit.task or hit.asset or hit.video
    assert thing is not None
    return thing.id

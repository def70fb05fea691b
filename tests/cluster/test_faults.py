"""Parts of an installation of two nodes and two workers fail under load.

Clients see 503 with Retry-After, and of a killed node broken connections; what they were told is true, once, and a few
seconds after the end of the fault nobody notices anything any more.
"""

import random
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from support.clients.acknowledged import FILES, TASKS, Load
from support.clients.tus import new_video_upload
from support.media.clips import AAC, make_clip
from support.media.held_ffmpeg import HeldFfmpeg
from support.processes.confined import is_alive
from support.processes.find import parent_of
from support.servers.cluster import Cluster, WorkerProcess
from support.servers.fault_proxy import CutCommit, Delay, Pass, Stall
from support.servers.worker import end_leases
from support.stored.rows import rows
from support.waiting import wait_until

BEFORE_SECONDS = 0.7


@contextmanager
def loaded(cluster: Cluster) -> Iterator[Load]:
    """The fault happens and ends within the block; then everything becomes as before.

    How soon is printed (`pytest -rP`): below 5 seconds on a machine that has time.
    """
    load = Load(cluster.http, cluster.admin_token)
    with load:
        time.sleep(BEFORE_SECONDS)
        yield load
        back = load.settle()
    cluster.wait_until_ready()
    processed = load.check(cluster.http)
    print(f"back after {back:.2f} s; bytes processed after {processed:.2f} s more; {load.summary()}")


def test_a_killed_node_takes_only_its_connections_with_it(cluster: Cluster) -> None:
    with loaded(cluster) as load:
        rounds = 0
        while load.broken == 0:  # a kill that hits no request proves nothing
            rounds += 1
            assert rounds < 20
            for node in cluster.nodes:
                node.kill()
                time.sleep(0.3)
                node.start()


def test_postgres_killed_and_restarted_is_503_until_it_is_back(cluster: Cluster) -> None:
    with loaded(cluster) as load:
        cluster.postgres.kill()
        time.sleep(0.5)
        cluster.postgres.start()
    assert load.refusals, "nothing was hit, so nothing was proven"
    assert load.broken == 0


def test_connections_that_postgres_ends_are_opened_again(cluster: Cluster) -> None:
    with loaded(cluster) as load:
        for _ in range(4):
            cluster.postgres.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'stowboard'"
            )
            time.sleep(0.2)
    assert load.broken == 0


def test_commits_whose_answer_is_lost_are_done_once(cluster: Cluster) -> None:
    before = {way: way.commits for way in cluster.to_database}
    with loaded(cluster) as load:
        for way in cluster.to_database:
            way.fault = CutCommit(every=5)
        wait_until(lambda: bool(load.refusals) and min(way.commits - before[way] for way in before) > 20)
        for way in cluster.to_database:
            way.fault = Pass()
    assert load.refusals, "nothing was hit, so nothing was proven"
    assert load.broken == 0


def test_a_write_without_a_key_whose_commit_is_not_answered_is_not_called_done_or_undone(cluster: Cluster) -> None:
    way, title = cluster.to_database[0], secrets.token_hex(8)
    headers = {"authorization": f"Bearer {cluster.admin_token}"}
    with httpx2.Client(base_url=cluster.nodes[0].origin, headers=headers, timeout=60) as http:
        assert http.get(TASKS + "/tsk_none").status_code == 404  # its connection is open, and the token known
        way.fault = CutCommit()
        answer = http.post(TASKS, json={"title": title})
        way.fault = Pass()
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "outcome_unknown")
    assert "retry-after" not in answer.headers, "programs that repeat everything would do it twice"
    assert rows(cluster.nodes[0], f"SELECT title FROM task WHERE title = '{title}'") == [(title,)]


def test_an_upload_whose_begin_was_committed_unheard_goes_on(cluster: Cluster) -> None:
    data = secrets.token_bytes(9 << 20)
    way, node = cluster.to_database[0], cluster.node(0, name="fresh").start()
    with httpx2.Client(base_url=node.origin, headers=node.headers, timeout=60) as http:
        http.headers["authorization"] = f"Bearer {cluster.admin_token}"
        upload = new_video_upload(http, len(data))
        before = way.commits
        way.fault = CutCommit(of=b"UPDATE upload SET handle")
        first = upload.patch(0, data[: 6 << 20])
        way.fault = Pass()
        assert way.commits > before, "nothing was hit, so nothing was proven"
        assert first.status_code in (204, 503), first.text
        offset = upload.offset
        assert upload.patch(offset, data[offset:]).status_code == 204
        assert upload.offset == len(data)
    node.stop()


def test_jobs_that_ran_when_postgres_went_away_are_done_soon_after_it_is_back(cluster: Cluster) -> None:
    with cluster.client() as client:
        assets = [client.uploads.file("a.bin", secrets.token_bytes(100)) for _ in range(3)]
        cluster.to_files.fault = Delay(0.5)
        for asset in assets:
            client.uploads.replace(asset.id, secrets.token_bytes(90), mime_type="image/x-any", original_name="b.bin")
        wait_until(
            lambda: rows(cluster.nodes[0], "SELECT id FROM job WHERE queue = 'image' AND token IS NOT NULL") != []
        )
        cluster.postgres.kill()
        time.sleep(2)
        cluster.to_files.fault = Pass()
        cluster.postgres.start()
        versions = [client.uploads.wait_until_ready(asset.id).version for asset in assets]
    assert versions == [2, 2, 2]


def test_without_valkey_nobody_notices_anything(cluster: Cluster) -> None:
    with loaded(cluster) as load:
        cluster.valkey.pause()
        time.sleep(0.7)
        cluster.valkey.resume()
        time.sleep(0.3)
        cluster.valkey.kill()
        time.sleep(0.7)
        cluster.valkey.start()
    assert (load.refusals, load.broken) == ([], 0)


def test_s3_that_refuses_is_503_for_bytes_and_nothing_to_the_rest(cluster: Cluster) -> None:
    with loaded(cluster) as load, away(cluster.to_files.refuse, cluster.to_files.accept):
        cluster.to_files.reset_all()
        time.sleep(1.5)
    check_only_bytes_were_refused(load)


def test_s3_that_hangs_is_503_for_bytes_and_nothing_to_the_rest(cluster: Cluster) -> None:
    proxy = cluster.to_files
    with loaded(cluster) as load:
        proxy.fault = Stall()
        time.sleep(3)
        ready = [httpx2.get(f"{node.origin}/readyz") for node in cluster.nodes]
        proxy.reset_all()
        proxy.fault = Pass()
    assert {answer.status_code for answer in ready} == {200}
    check_only_bytes_were_refused(load)


def test_s3_that_is_slow_is_waited_for(cluster: Cluster) -> None:
    with loaded(cluster) as load:
        cluster.to_files.fault = Delay(0.15)
        time.sleep(2)
        cluster.to_files.fault = Pass()
    assert (load.refusals, load.broken) == ([], 0)


def test_a_node_that_is_cut_off_from_the_database_is_503_and_the_other_goes_on(cluster: Cluster) -> None:
    way = cluster.to_database[0]
    with loaded(cluster) as load:
        way.fault = Stall()
        time.sleep(1)
        with away(way.refuse, way.accept):
            way.reset_all()
            way.fault = Pass()
            time.sleep(0.7)
            cut, other = (httpx2.get(f"{node.origin}/readyz", timeout=120).status_code for node in cluster.nodes)
    assert (cut, other) == (503, 200), "a load balancer turns away from the one that is cut off"
    assert load.refusals, "nothing was hit, so nothing was proven"
    assert load.broken == 0


def test_a_worker_killed_while_it_transcodes_is_replaced_by_another(cluster: Cluster, tmp_path: Path) -> None:
    held_ffmpeg, clip = HeldFfmpeg(tmp_path), make_clip(tmp_path / "clip.mp4", *AAC, size="640x360").read_bytes()
    settings = {"STOWBOARD_FFMPEG": str(held_ffmpeg.program)}
    with replaced_workers(cluster, settings) as workers, cluster.client() as client:
        video = client.videos.upload(clip, "Harbour")
        wait_until(lambda: held_ffmpeg.waiting() != [])
        wait_until(lambda: renditions(cluster, video.id).get("240p") is not None)
        before = renditions(cluster, video.id)
        with loaded(cluster) as load:
            ffmpeg = held_ffmpeg.waiting()
            [victim] = [worker for worker in workers if parent_of(ffmpeg[0]) == worker.pid]
            victim.kill()
            wait_until(lambda: not is_alive(ffmpeg[0]))
            end_leases(cluster.nodes[0])
            wait_until(lambda: held_ffmpeg.waiting() != [])
            assert held_ffmpeg.waiting() != ffmpeg, "another worker has begun it again"
            held_ffmpeg.release()
            wait_until(lambda: None not in renditions(cluster, video.id).values())
    assert (load.refusals, load.broken) == ([], 0)
    after = renditions(cluster, video.id)
    assert (before["360p"], after["240p"]) == (None, before["240p"]), "what was made before the kill is not made again"


@pytest.mark.soak
def test_a_database_that_hangs_for_long_is_503_and_comes_back(cluster: Cluster) -> None:
    with loaded(cluster) as load:
        for way in cluster.to_database:
            way.fault = Stall()
        time.sleep(25)
        for way in cluster.to_database:
            way.fault = Pass()
    assert load.refusals, "nothing was hit, so nothing was proven"
    assert load.broken == 0
    assert load.slowest < 22, "a statement has 15 s"


@pytest.mark.soak
def test_faults_one_after_the_other_for_minutes(cluster: Cluster) -> None:
    faults: list[Callable[[Cluster], None]] = [
        test_a_killed_node_takes_only_its_connections_with_it,
        test_postgres_killed_and_restarted_is_503_until_it_is_back,
        test_connections_that_postgres_ends_are_opened_again,
        test_commits_whose_answer_is_lost_are_done_once,
        test_jobs_that_ran_when_postgres_went_away_are_done_soon_after_it_is_back,
        test_without_valkey_nobody_notices_anything,
        test_s3_that_refuses_is_503_for_bytes_and_nothing_to_the_rest,
        test_s3_that_hangs_is_503_for_bytes_and_nothing_to_the_rest,
        test_a_node_that_is_cut_off_from_the_database_is_503_and_the_other_goes_on,
    ]
    for _ in range(40):
        random.choice(faults)(cluster)


@contextmanager
def away(go: Callable[[], None], come: Callable[[], None]) -> Iterator[None]:
    go()
    try:
        yield
    finally:
        come()


@contextmanager
def replaced_workers(cluster: Cluster, settings: dict[str, str]) -> Iterator[list[WorkerProcess]]:
    """Inside of the block, the cluster's workers are others, with these settings as well."""
    for worker in cluster.workers:
        worker.stop()
    others = [cluster.worker(f"other{number}", settings).start() for number in range(2)]
    try:
        yield others
    finally:
        for worker in others:
            worker.kill()
        for worker in cluster.workers:
            worker.start()


def renditions(cluster: Cluster, video_id: str) -> dict[str, str | None]:
    """Where the bytes of each rendition are, if they are."""
    return dict(rows(cluster.nodes[0], f"SELECT name, blob_key FROM video_rendition WHERE video_id = '{video_id}'"))


def check_only_bytes_were_refused(load: Load) -> None:
    assert load.refusals, "nothing was hit, so nothing was proven"
    assert all(refusal.path == FILES or refusal.path.endswith("/replace") for refusal in load.refusals)
    assert load.broken == 0

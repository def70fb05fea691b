"""Background jobs over the API: seen and retried by admins."""

import httpx2

from support.api.answers import data_of, error_of
from support.clients.credentials import Issue, bearer
from support.clients.people import audit_of
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until


def dead_job(server: Server, job_id: str, error: str) -> None:
    """A job that was given up; its kind is one that may run at any time."""
    rows(
        server,
        "INSERT INTO job (id, queue, kind, args, due, attempt, error, dead, created_at) VALUES"
        f" ('{job_id}', 'sweep', 'access.sweep_codes', '{{}}', 1794700000000, 8, '{error}', 1, 1794600000000)",
    )


def test_an_admin_sees_what_was_given_up_and_has_it_tried_again(server: Server, admin: httpx2.Client) -> None:
    dead_job(server, "job_seen", "the store was away")
    [job] = [each for each in data_of(admin.get("/api/v1/jobs?status=dead")) if each["id"] == "job_seen"]
    assert abs(job.pop("dueAt") - 1794700000000) < 60_000
    assert job == {
        "id": "job_seen", "kind": "access.sweep_codes", "status": "dead", "attempts": 8, "error": "the store was away",
    }  # fmt: skip
    counts = data_of(admin.get("/api/v1/jobs/counts"))
    [count] = [each for each in counts if (each["kind"], each["status"]) == (job["kind"], "dead")]
    assert count["count"] >= 1
    retried = admin.post("/api/v1/jobs/job_seen/retry")
    assert (retried.status_code, data_of(retried)) == (200, {"id": "job_seen", "retried": True})
    assert audit_of(server, action="job.retry")[0]["subject"] == "job_seen"
    # It is done, and gone.
    wait_until(lambda: rows(server, "SELECT 1 FROM job WHERE id = 'job_seen'") == [])
    assert error_of(admin.post("/api/v1/jobs/job_seen/retry")) == (404, "not_found")


def test_jobs_are_listed_by_pages_newest_first(server: Server, admin: httpx2.Client) -> None:
    made = [f"job_page{number}" for number in range(5)]
    for job_id in made:
        dead_job(server, job_id, "the store was away")
    listed, cursor = [], ""
    while cursor is not None:
        page = admin.get(f"/api/v1/jobs?status=dead&limit=2{cursor and '&cursor=' + cursor}").json()
        assert page["meta"]["limit"] == 2
        listed += [each["id"] for each in page["data"]]
        cursor = page["meta"]["nextCursor"]
        assert page["meta"]["hasMore"] is (cursor is not None)
    assert [each for each in listed if each in made] == made[::-1]
    first = admin.get("/api/v1/jobs?status=dead&limit=1").json()["meta"]["nextCursor"]
    assert error_of(admin.get(f"/api/v1/jobs?cursor={first}")) == (400, "invalid_cursor")
    assert error_of(admin.get("/api/v1/jobs?status=gone")) == (400, "invalid_parameter")
    rows(server, "DELETE FROM job WHERE id LIKE 'job_page%'")


def test_jobs_are_for_admins_alone(web: httpx2.Client, issue: Issue) -> None:
    headers = bearer(issue("alice").token)
    assert error_of(web.get("/api/v1/jobs", headers=headers)) == (403, "admin_required")
    assert error_of(web.get("/api/v1/jobs/counts", headers=headers)) == (403, "admin_required")
    assert error_of(web.post("/api/v1/jobs/job_seen/retry", headers=headers)) == (403, "admin_required")

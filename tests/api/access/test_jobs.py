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
    queue = data_of(admin.get("/api/v1/jobs"))
    [job] = [each for each in queue["jobs"] if each["id"] == "job_seen"]
    assert abs(job.pop("dueAt") - 1794700000000) < 60_000
    assert job == {
        "id": "job_seen", "kind": "access.sweep_codes", "state": "dead", "attempts": 8, "error": "the store was away",
    }  # fmt: skip
    [count] = [each for each in queue["counts"] if (each["kind"], each["state"]) == (job["kind"], "dead")]
    assert count["number"] >= 1
    retried = admin.post("/api/v1/jobs/job_seen/retry")
    assert (retried.status_code, data_of(retried)) == (200, {"id": "job_seen", "retried": True})
    assert audit_of(server, action="job.retry")[0]["subject"] == "job_seen"
    # It is done, and gone.
    wait_until(lambda: rows(server, "SELECT 1 FROM job WHERE id = 'job_seen'") == [])
    assert error_of(admin.post("/api/v1/jobs/job_seen/retry")) == (404, "not_found")


def test_jobs_are_for_admins_alone(web: httpx2.Client, issue: Issue) -> None:
    headers = bearer(issue("alice").token)
    assert error_of(web.get("/api/v1/jobs", headers=headers)) == (403, "admin_required")
    assert error_of(web.post("/api/v1/jobs/job_seen/retry", headers=headers)) == (403, "admin_required")

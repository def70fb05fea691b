"""A server that may open no more files says so, and goes on by itself as soon as it may."""

import resource

import httpx2

from support.api.answers import data_of, error_of
from support.api.space_matrix import PNG
from support.servers.stowboard import Server

FEWER_THAN_ARE_OPEN = 5


def test_a_request_that_needs_a_file_is_told_to_come_again(own_server: Server) -> None:
    with httpx2.Client(base_url=own_server.base_url, headers=own_server.headers) as web:
        assert data_of(web.get("/taskapp/boards")) == []
        usual, most = resource.prlimit(own_server.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(own_server.pid, resource.RLIMIT_NOFILE, (FEWER_THAN_ARE_OPEN, most))
        refused = [
            web.post("/media/upload/image", json={"filename": "a.png", "data": PNG}),
            web.get(own_server.origin + "/"),
            web.get(own_server.origin + "/docs/manual/"),
        ]
        missing = web.get(own_server.origin + "/nowhere", headers={"accept": "text/html"})
        resource.prlimit(own_server.pid, resource.RLIMIT_NOFILE, (usual, most))
        assert [error_of(answer) for answer in refused] == [(503, "service_unavailable")] * len(refused)
        assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
        assert missing.status_code == 404
        data_of(web.post("/media/upload/image", json={"filename": "a.png", "data": PNG}), 201)

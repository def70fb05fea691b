"""No type is examined by two threads at once, which crashes msgspec: rows and answers are read in several."""

import pytest

from support.processes.first_use import race

ROWS = "from stowboard.db.rows import Columns"
READ_A_ROW = "(lambda columns: lambda: columns.read([[Inner(**values)], *values.values()]))(Columns(Outer))"
ANSWERS = "from types import SimpleNamespace as Thing; from stowboard.api.endpoint import Endpoint, view_of"
SHOW_A_THING = (
    "(lambda endpoint: lambda: view_of(endpoint.answer, Thing(inner=[Thing(**values)], **values)))"
    "(Endpoint('GET', '/things', None, Outer))"
)
MODELS = "from stowboard_client.transport.decoding import decode"
READ_AN_ANSWER = "lambda: decode(msgspec.json.encode(Outer(inner=[Inner(**values)], **values)), Outer)"


@pytest.mark.parametrize(
    ("given", "use"),
    [(ROWS, READ_A_ROW), (ANSWERS, SHOW_A_THING), (MODELS, READ_AN_ANSWER)],
    ids=["rows", "answers", "models of the client"],
)
def test_threads_may_use_a_type_for_the_first_time_at_once(given: str, use: str) -> None:
    done = race(given, use)
    assert done.returncode == 0, done.stderr[-2000:]

import asyncio
from pathlib import Path

import pytest

from stowboard import __version__
from stowboard.core.errors import ServiceUnavailable
from stowboard.core.services import Late, Services


def test_a_component_is_found_by_its_type() -> None:
    services = Services()
    services.add(dict, found := {"a": 1})
    assert services.use(dict) is found


def test_a_component_that_nobody_built_is_named() -> None:
    with pytest.raises(LookupError, match="No dict was added"):
        Services().use(dict)


def test_a_type_stands_for_one_component() -> None:
    services = Services()
    services.add(dict, {})
    with pytest.raises(LookupError, match="dict was added twice"):
        services.add(dict, {})


async def test_a_late_value_is_made_once_however_many_ask_at_once() -> None:
    made: list[object] = []

    def make() -> object:
        made.append(object())
        return made[-1]

    late = Late(make)
    assert made == []
    first, *others = await asyncio.gather(*(late.use() for _ in range(20)))
    assert made == [first]
    assert all(other is first for other in (*others, late.load(), await late.use()))


async def test_a_late_value_that_could_not_be_made_is_tried_again() -> None:
    tries = iter([ImportError("no such module"), None])

    def make() -> str:
        if problem := next(tries):
            raise problem
        return "made"

    late = Late(make)
    with pytest.raises(ImportError):
        await late.use()
    assert await late.use() == "made"


async def test_nothing_is_loaded_after_another_release_was_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "__init__.py"
    monkeypatch.setattr("stowboard.core.services._INSTALLED", installed)
    early, late = Late(lambda: "of the old release"), Late(lambda: "of the new release")
    installed.write_text(f'__version__ = "{__version__}"')
    await early.use()
    installed.write_text('__version__ = "99.0.0"')
    assert await early.use() == "of the old release"
    with pytest.raises(ServiceUnavailable, match="restart"):
        await late.use()
    installed.unlink()
    with pytest.raises(ServiceUnavailable, match="restart"):
        await late.use()

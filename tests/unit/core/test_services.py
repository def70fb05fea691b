import pytest

from stowboard.core.services import Services


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

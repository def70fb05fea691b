"""A component declares its settings beside the fields that have their values and defaults.

    class EventSettings(msgspec.Struct, frozen=True):
        kept_days: Annotated[int, Setting("event_days", between(4, 3660))] = 30

Every field has a default. A field without a Setting gets the value of the setting that has its name, if there is one.
docs/operations.md says what each setting is for.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_type_hints

import msgspec

PREFIX = "STOWBOARD_"
T = TypeVar("T")


class Setting(msgspec.Struct, frozen=True):
    name: str
    #: The text of an option, a variable or a file into the value. Raises ValueError with the end of a sentence.
    read: Callable[[str], Any]
    #: The unit of the setting in units of the field: a setting in MiB has a field in bytes.
    unit: int = 1
    #: The default, in the unit of the setting. It is the field's, unless that depends on other settings.
    default: Any = msgspec.UNSET

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()


def settings_of(component: type[Any]) -> list[Setting]:
    """Each setting that the fields of the component declare, with its default."""
    defaults = component()
    return [
        setting
        if setting.default is not msgspec.UNSET
        else msgspec.structs.replace(setting, default=_divided(getattr(defaults, field), setting.unit))
        for field, setting in _declared(component).items()
    ]


def compose(component: type[T], values: Mapping[str, Any], **derived: Any) -> T:
    """The component's settings, by name; `derived` are fields that depend on more than one value."""
    declared = _declared(component)
    given = {name: values[name] for name in get_type_hints(component) if name in values and name not in declared}
    for field, setting in declared.items():
        value = values[setting.name]
        given[field] = value if value is None or setting.unit == 1 else value * setting.unit
    return component(**(given | derived))


def _divided(default: Any, unit: int) -> Any:
    return default if default is None or unit == 1 else default // unit


def _declared(component: type[Any]) -> dict[str, Setting]:
    hints = get_type_hints(component, include_extras=True)
    found = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    return {name: each for name, metadata in found.items() for each in metadata if isinstance(each, Setting)}

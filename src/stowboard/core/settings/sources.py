"""Where the values of settings come from: an option, the environment, one TOML file, or the default, in that order."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from stowboard.core.settings.declared import PREFIX, Setting


class WrongSetting(Exception):
    """A sentence for the operator that names the setting."""


def read_values(
    settings: Sequence[Setting], options: Mapping[str, Any], environment: Mapping[str, str], file: Path | None
) -> dict[str, Any]:
    """The value of each, by its name. An option that is None was not given. Raises WrongSetting."""
    values = {setting.name: setting.default for setting in settings}
    name = environment.get(PREFIX + "CONFIG")
    values |= _from_file(settings, file or (Path(name) if name else None))
    values |= _from_environment(settings, environment)
    values |= _from_options(settings, options)
    return values | {each.name: _read_secret(each, values) for each in settings if f"{each.name}_file" in values}


def _read_secret(setting: Setting, values: Mapping[str, Any]) -> Any:
    """The value of a secret that may be in a file instead, which the setting `…_file` names."""
    given: str | None = values[setting.name]
    file: Path | None = values[f"{setting.name}_file"]
    variable = setting.variable
    if file is None:
        return given
    if given is not None:
        raise WrongSetting(f"{variable} and {variable}_FILE are both set; take one of them away.")
    try:
        return setting.read(file.read_text().strip())
    except OSError as error:
        raise WrongSetting(f"{variable}_FILE {file} cannot be read: {error.strerror}.") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise WrongSetting(f"{variable}_FILE {file}: it {error}.") from None


def _from_options(settings: Sequence[Setting], options: Mapping[str, Any]) -> dict[str, Any]:
    known = {setting.name: setting for setting in settings}
    given = {name: str(value) for name, value in options.items() if value is not None}
    return {name: _read(known[name], text, f"--{name.replace('_', '-')}") for name, text in given.items()}


def _from_file(settings: Sequence[Setting], file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    import tomllib  # it takes 25 ms, a twentieth of a start, and most have no file

    try:
        content = tomllib.loads(file.read_text())
    except OSError as error:
        raise WrongSetting(f"The settings file {file} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrongSetting(f"The settings file {file} is not TOML: {error}.") from None
    known = {setting.name: setting for setting in settings}
    unknown = [name for name in content if name not in known]
    if unknown:
        hint = _nearest(unknown[0], known)
        raise WrongSetting(f"The settings file {file} has {unknown[0]!r}, which is not a setting.{hint}")
    return {name: _read(known[name], _as_text(value), f"{name} in {file}") for name, value in content.items()}


def _as_text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _from_environment(settings: Sequence[Setting], environment: Mapping[str, str]) -> dict[str, Any]:
    known = {setting.variable: setting for setting in settings}
    given = {name: text for name, text in environment.items() if name.startswith(PREFIX) and text != ""}
    unknown = [name for name in given if name not in known and name != PREFIX + "CONFIG"]
    if unknown:
        raise WrongSetting(f"{unknown[0]} is not a setting.{_nearest(unknown[0], known)}")
    return {known[name].name: _read(known[name], text, name) for name, text in given.items() if name in known}


def _nearest(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches  # a third of a megabyte, needed only after a mistake

    bare = {each.removeprefix(PREFIX): each for each in known}
    close = get_close_matches(name.removeprefix(PREFIX), bare, n=1)
    return f" Is {bare[close[0]]} meant?" if close else " docs/operations.md lists them."


def _read(setting: Setting, text: str, place: str) -> Any:
    try:
        return setting.read(text)
    except ValueError as error:
        raise WrongSetting(f"{place} {error}.") from None

"""Print a script that completes commands and options in your shell.

bash: stow completion bash > ~/.local/share/bash-completion/completions/stow
zsh:  stow completion zsh > a file _stow in a folder of $fpath
fish: stow completion fish > ~/.config/fish/completions/stow.fish
"""

from argparse import ArgumentParser, Namespace

from stowboard_cli.commands import COMMANDS, GROUPS
from stowboard_cli.running import parser_of
from stowboard_cli.stow import Stow

_PROGRAMS = ("stow", "stowboard-client")


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])


def run(stow: Stow, given: Namespace) -> None:
    stow.printer.text({"bash": _bash, "zsh": _zsh, "fish": _fish}[given.shell]())


def _bash() -> str:
    cases = "\n".join(f'    "{words}") words="{" ".join(found)}" ;;' for words, found in _following().items())
    lines = [
        "_stow() {",
        '  local words line="${COMP_WORDS[*]:1:COMP_CWORD-1}"',
        "  while :; do",
        '    case "$line" in',
        cases,
        "    *) words= ;;",
        "    esac",
        '    [ -n "$words" ] && break',
        '    case "$line" in *" "*) line="${line% *}" ;; *) line= ;; esac',
        "  done",
        '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
        "}",
        f"complete -o default -F _stow {' '.join(_PROGRAMS)}",
    ]
    return "\n".join(lines)


def _zsh() -> str:
    return f"#compdef {' '.join(_PROGRAMS)}\nautoload -U +X bashcompinit && bashcompinit\n{_bash()}"


def _fish() -> str:
    lines = []
    for words, found in _following().items():
        seen = [f"__fish_seen_subcommand_from {word}" for word in words.split()]
        condition = "; and ".join(seen) or "__fish_use_subcommand"
        for word in found:
            option = f"-l {word.removeprefix('--')}" if word.startswith("--") else f"-a {word}"
            lines.append(f"complete -c stow -n '{condition}' {option}")
    return "\n".join(lines)


def _following() -> dict[str, list[str]]:
    """The words that may follow others: commands, or the options of a command."""
    found: dict[str, list[str]] = {"": list(dict.fromkeys(words.split()[0] for words in COMMANDS))}
    for group in GROUPS:
        found[group] = [words.split()[1] for words in COMMANDS if words.startswith(f"{group} ")]
    for words, command in COMMANDS.items():
        parser, _ = parser_of(words, command)
        found[words] = [option for option in parser._option_string_actions if option.startswith("--")]
    return found

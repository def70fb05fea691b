"""The subcommands of `stowboard account`. Each imports what it needs when it runs."""

from typing import Annotated

import typer

from stowboard.cli.options import Config, DataDir, read_settings

account_app = typer.Typer(help="Make, invite, change and remove people.", no_args_is_help=True)
Username = Annotated[str, typer.Argument(help="The account's username.")]


@account_app.command("create")
def account_create(
    username: Annotated[str, typer.Option(help="The owner of their tasks; it never changes.")],
    admin: Annotated[bool, typer.Option("--admin", help="Make an admin.")] = False,
    password_stdin: Annotated[bool, typer.Option("--password-stdin", help="Read the password from one line.")] = False,
    display_name: Annotated[str, typer.Option(help="How they are called.")] = "",
    email: Annotated[str | None, typer.Option(help="Their address.")] = None,
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Make an account."""
    from stowboard.cli.people import accounts

    settings = read_settings(config, data_dir=data_dir)
    accounts.create(settings, username, admin, password_stdin, display_name, email)


@account_app.command("invite")
def account_invite(
    username: Annotated[str | None, typer.Option(help="Fixes the name. Without it they choose a fresh one.")] = None,
    admin: Annotated[bool, typer.Option("--admin", help="Invite an admin.")] = False,
    email: Annotated[str | None, typer.Option(help="Their address.")] = None,
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Make a link by which somebody makes their account. It works once, for a week."""
    from stowboard.cli.people import accounts

    accounts.invite(read_settings(config, data_dir=data_dir), username, admin, email)


@account_app.command("list")
def account_list(data_dir: DataDir = None, config: Config = None) -> None:
    """List the accounts, newest first."""
    from stowboard.cli.people import accounts

    accounts.show_all(read_settings(config, data_dir=data_dir))


@account_app.command("role")
def account_role(
    username: Username,
    role: Annotated[str, typer.Argument(help="member or admin.")],
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Make somebody an admin, or a member again."""
    from stowboard.cli.people import accounts

    accounts.change_role(read_settings(config, data_dir=data_dir), username, role)


@account_app.command("disable")
def account_disable(username: Username, data_dir: DataDir = None, config: Config = None) -> None:
    """Let nobody sign in as this account, and no token act for its owner, until it is enabled again."""
    from stowboard.cli.people import accounts

    accounts.disable(read_settings(config, data_dir=data_dir), username)


@account_app.command("enable")
def account_enable(username: Username, data_dir: DataDir = None, config: Config = None) -> None:
    """Let a disabled account sign in again."""
    from stowboard.cli.people import accounts

    accounts.enable(read_settings(config, data_dir=data_dir), username)


@account_app.command("reset-link")
def account_reset_link(username: Username, data_dir: DataDir = None, config: Config = None) -> None:
    """Make a link by which the person chooses a new password. It works once, for a day."""
    from stowboard.cli.people import accounts

    accounts.reset_link(read_settings(config, data_dir=data_dir), username)


@account_app.command("signin-link")
def account_sign_in_link(username: Username, data_dir: DataDir = None, config: Config = None) -> None:
    """Make a link that signs the person in without password or passkey. It works once, for a day."""
    from stowboard.cli.people import accounts

    accounts.sign_in_link(read_settings(config, data_dir=data_dir), username)


@account_app.command("allow-passwords")
def account_allow_passwords(
    hours: Annotated[int, typer.Option(min=0, max=8760, help="For how long; 0 ends it now.")] = 24,
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Let passwords sign people in for a while although password_sign_in is off: when the provider is away."""
    from stowboard.cli.people import accounts

    accounts.allow_passwords(read_settings(config, data_dir=data_dir), hours)


@account_app.command("delete")
def account_delete(username: Username, data_dir: DataDir = None, config: Config = None) -> None:
    """Delete an account, its sessions and every token of its owner. Tasks stay."""
    from stowboard.cli.people import accounts

    accounts.delete(read_settings(config, data_dir=data_dir), username)

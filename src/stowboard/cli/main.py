"""The `stowboard` command. Each subcommand imports what it needs when it runs, so that none waits for the others."""

from pathlib import Path
from typing import Annotated

import typer

from stowboard import __version__
from stowboard.cli.memory import loaded_for_good
from stowboard.cli.options import Config, DataDir, read_settings
from stowboard.cli.people.commands import account_app
from stowboard.core.setting_sources import WrongSetting

app = typer.Typer(
    help="Stowboard: media and tasks behind one REST API. Start with `stowboard serve`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
token_app = typer.Typer(help="Make, list and revoke access tokens.", no_args_is_help=True)
keys_app = typer.Typer(help="List and rotate the keys that sign cursors and URLs.", no_args_is_help=True)
tasks_app = typer.Typer(help="Bring tasks in from elsewhere.", no_args_is_help=True)
jobs_app = typer.Typer(help="See background jobs, and retry those that were given up.", invoke_without_command=True)
app.add_typer(account_app, name="account")
app.add_typer(token_app, name="token")
app.add_typer(keys_app, name="keys")
app.add_typer(tasks_app, name="tasks")
app.add_typer(jobs_app, name="jobs")


def main() -> None:
    """The console script. A wrong setting is a sentence, not a traceback."""
    try:
        app()
    except WrongSetting as error:
        typer.echo(f"stowboard: {error}", err=True)
        raise SystemExit(2) from None


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on. Default: 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on. Default: 8080.")] = None,
    data_dir: DataDir = None,
    workers: Annotated[int | None, typer.Option(help="Server processes; more than one with PostgreSQL.")] = None,
    config: Config = None,
    metrics_file: Annotated[Path | None, typer.Option(hidden=True)] = None,
) -> None:
    """Run the service. The first start of an empty data folder prints an admin token."""
    settings = read_settings(config, data_dir=data_dir, host=host, port=port, workers=workers)
    if metrics_file is None and settings.workers > 1:
        from stowboard.cli.supervise import supervise

        supervise(settings)
        return
    with loaded_for_good():
        from stowboard.cli.serve import serve_alone, serve_as_child
    if metrics_file is not None:
        serve_as_child(settings, metrics_file)
    else:
        serve_alone(settings)


@app.command()
def worker(data_dir: DataDir = None, config: Config = None) -> None:
    """Do background work only, beside servers that have STOWBOARD_JOBS_IN_SERVER=false or as well as them."""
    with loaded_for_good():
        from stowboard.cli.worker import run_worker
    run_worker(read_settings(config, data_dir=data_dir))


@app.command()
def migrate(
    data_dir: DataDir = None,
    config: Config = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with 1 if something is pending.")
    ] = False,
) -> None:
    """Bring the database's schema up to date. `serve` does it too."""
    from stowboard.cli.migrate import run_migrations

    run_migrations(read_settings(config, data_dir=data_dir), check)


@app.command()
def openapi(
    data_dir: DataDir = None,
    config: Config = None,
    yaml: Annotated[bool, typer.Option("--yaml", help="In YAML instead of JSON.")] = False,
) -> None:
    """Print the OpenAPI 3.1 document. Needs no server and no database."""
    from stowboard.cli.openapi import print_document

    print_document(read_settings(config, data_dir=data_dir), yaml)


@app.command()
def doctor(data_dir: DataDir = None, config: Config = None) -> None:
    """Check settings, database, storage, ffmpeg, clock and permissions, and say what to do."""
    from stowboard.cli.doctor import examine

    examine(read_settings(config, data_dir=data_dir))


@app.command()
def verify(data_dir: DataDir = None, config: Config = None) -> None:
    """Read the database and every file, beside the service or without it; exit with 1 if something was damaged."""
    from stowboard.cli import verify

    verify.run(read_settings(config, data_dir=data_dir))


@app.command("export")
def export_(
    folder: Annotated[Path, typer.Argument(help="Where to; a new folder, or that of an earlier export.")],
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Write rows and files to a folder from which `import` makes the same installation, on databases of any kind."""
    from stowboard.cli import export

    export.run(read_settings(config, data_dir=data_dir), folder)


@app.command("import")
def import_(
    folder: Annotated[Path, typer.Argument(help="What `stowboard export` wrote.")],
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Bring an export into an empty installation, and check it. Run it again if it was broken off."""
    from stowboard.cli import import_

    import_.run(read_settings(config, data_dir=data_dir), folder)


@app.command()
def backup(
    folder: Annotated[Path, typer.Argument(help="Where to; a new folder, or that of an earlier backup.")],
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Back up an embedded database and its files, while the service runs. A second time only what is new is copied."""
    from stowboard.cli import backup

    backup.run(read_settings(config, data_dir=data_dir), folder)


@app.command()
def restore(
    folder: Annotated[Path, typer.Argument(help="What `stowboard backup` wrote.")],
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Restore a backup into an empty data folder, and check it. Run it again if it was broken off."""
    from stowboard.cli import restore

    restore.run(read_settings(config, data_dir=data_dir), folder)


@app.command()
def audit(
    actor: Annotated[str | None, typer.Option(help="Only what this person or owner did.")] = None,
    action: Annotated[str | None, typer.Option(help="Only this, such as token.create.")] = None,
    subject: Annotated[str | None, typer.Option(help="Only what was done to this id or name.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, help="The newest so many.")] = 100,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Show what was done to accounts, tokens and the installation, oldest first."""
    from stowboard.cli.people import audit

    audit.show(read_settings(config, data_dir=data_dir), actor, action, subject, limit, as_json)


@token_app.command("create")
def token_create(
    owner: Annotated[str, typer.Option(help="Whose tasks the token acts on.")],
    admin: Annotated[bool, typer.Option("--admin", help="Add the scope admin.")] = False,
    namespace: Annotated[str | None, typer.Option(help="The app that the token belongs to.")] = None,
    scopes: Annotated[str | None, typer.Option(help="Comma-separated. Default: every scope but admin.")] = None,
    interactive: Annotated[bool, typer.Option("--interactive", help="A token of a person's own client.")] = False,
    expires_in: Annotated[str | None, typer.Option(help="Such as 90d, 12h, 30m. Default: never.")] = None,
    name: Annotated[str, typer.Option(help="A note to recognise it by.")] = "",
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Make a token. The last line of the output is the token alone; it cannot be shown again."""
    from stowboard.cli import token

    token.create(
        read_settings(config, data_dir=data_dir), owner, admin, namespace, scopes, interactive, expires_in, name
    )


@token_app.command("list")
def token_list(data_dir: DataDir = None, config: Config = None) -> None:
    """List the live tokens, newest first."""
    from stowboard.cli import token

    token.show_all(read_settings(config, data_dir=data_dir))


@token_app.command("revoke")
def token_revoke(
    token_id: Annotated[str, typer.Argument(help="The id, tok_…, as `token list` shows it.")],
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Revoke a token. It stops working within a second, in running servers too."""
    from stowboard.cli import token

    token.revoke(read_settings(config, data_dir=data_dir), token_id)


@keys_app.command("list")
def keys_list(data_dir: DataDir = None, config: Config = None) -> None:
    """List the live signing keys, without their secrets."""
    from stowboard.cli import keys

    keys.show_all(read_settings(config, data_dir=data_dir))


@keys_app.command("rotate")
def keys_rotate(
    digest: Annotated[bool, typer.Option("--digest", help="The key of what is stored of tokens.")] = False,
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Add a signing key. It signs after a minute; what the key before it signed stays valid until the next rotation."""
    from stowboard.cli import keys

    keys.rotate(read_settings(config, data_dir=data_dir), digest)


@tasks_app.command("import")
def tasks_import(
    file: Annotated[Path, typer.Argument(help="JSON lines: on each, a task as POST /taskapp/tasks takes it.")],
    owner: Annotated[str, typer.Option(help="Whose tasks they shall be.")],
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Store tasks in bulk, with createdAt, completedAt, archived if given. The same file twice stores nothing twice."""
    from stowboard.cli import tasks

    tasks.import_file(read_settings(config, data_dir=data_dir), file, owner)


@jobs_app.callback()
def jobs(context: typer.Context, data_dir: DataDir = None, config: Config = None) -> None:
    """List background jobs: those that were given up, that wait, that run and that will be tried again."""
    if context.invoked_subcommand is None:
        from stowboard.cli import jobs

        jobs.show_all(read_settings(config, data_dir=data_dir))


@jobs_app.command("list")
def jobs_list(data_dir: DataDir = None, config: Config = None) -> None:
    """The same."""
    from stowboard.cli import jobs

    jobs.show_all(read_settings(config, data_dir=data_dir))


@jobs_app.command("dead")
def jobs_dead(data_dir: DataDir = None, config: Config = None) -> None:
    """List the jobs whose attempts are used up, latest first."""
    from stowboard.cli import jobs

    jobs.show_dead(read_settings(config, data_dir=data_dir))


@jobs_app.command("retry")
def jobs_retry(
    job_id: Annotated[str, typer.Argument(help="The id, job_…, as `jobs dead` shows it.")],
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Give a dead job fresh attempts."""
    from stowboard.cli import jobs

    jobs.retry(read_settings(config, data_dir=data_dir), job_id)


def _version(shown: bool) -> None:
    if shown:
        typer.echo(f"stowboard {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
) -> None:
    pass

"""Every command: its words, what it does, and the function that does it."""

from typing import NamedTuple


class OperatorCommand(NamedTuple):
    summary: str
    module: str
    #: Its text is the description, or that of a module with one command; `{function}_arguments` adds its options.
    function: str = "run"


COMMANDS = {
    "serve": OperatorCommand("Run the service. The first start prints an admin token.", "serve"),
    "worker": OperatorCommand("Do background work only, without serving requests.", "worker"),
    "upgrade": OperatorCommand("Bring the database up to date, or with --check say what that changes.", "upgrade"),
    "doctor": OperatorCommand("Check everything that the service needs, and say what to do.", "doctor"),
    "verify": OperatorCommand("Read the database and every file, and report what is damaged.", "moving.verify"),
    "backup": OperatorCommand(
        "Back up an embedded database and its files, while the service runs.", "moving.copying", "backup"
    ),
    "restore": OperatorCommand(
        "Restore a backup into an empty data folder, and check it.", "moving.copying", "restore"
    ),
    "export": OperatorCommand("Write rows and files to a folder that `import` can read.", "moving.copying", "export"),
    "import": OperatorCommand(
        "Bring an export into an empty installation, and check it.", "moving.copying", "import_export"
    ),
    "account create": OperatorCommand("Make an account.", "account", "create_account"),
    "account invite": OperatorCommand(
        "Print a link for a new account. It works once, for a week.", "account", "invite"
    ),
    "account list": OperatorCommand("List the accounts, newest first.", "account", "list_accounts"),
    "account role": OperatorCommand("Make somebody an admin, or a member again.", "account", "change_role"),
    "account disable": OperatorCommand("Block an account and every token of its owner.", "account", "disable"),
    "account enable": OperatorCommand("Let a disabled account sign in again.", "account", "enable"),
    "account reset-link": OperatorCommand("Print a link that sets a new password.", "account", "print_reset_link"),
    "account signin-link": OperatorCommand("Print a link that signs the person in.", "account", "print_sign_in_link"),
    "account allow-passwords": OperatorCommand("Allow passwords for some hours.", "account", "allow_passwords"),
    "account delete": OperatorCommand("Delete an account with its sessions and tokens.", "account", "delete"),
    "token create": OperatorCommand("Make an access token and print it, this once.", "token", "create_token"),
    "token list": OperatorCommand("List the live tokens, newest first.", "token", "list_live_tokens"),
    "token revoke": OperatorCommand("Revoke a token.", "token", "revoke"),
    "keys list": OperatorCommand("List the live signing keys, without their secrets.", "keys", "list_keys"),
    "keys rotate": OperatorCommand("Add a key that signs cursors and URLs from now on.", "keys", "rotate"),
    "tasks import": OperatorCommand("Store tasks from a file of JSON lines.", "import_tasks"),
    "jobs": OperatorCommand("List background jobs, as `jobs list` does.", "jobs", "list_waiting"),
    "jobs list": OperatorCommand("List background jobs that wait, run or have failed.", "jobs", "list_waiting"),
    "jobs dead": OperatorCommand("List the jobs that were given up, latest first.", "jobs", "list_dead"),
    "jobs retry": OperatorCommand("Give a dead job fresh attempts.", "jobs", "retry"),
    "audit": OperatorCommand("Show what was done to accounts, tokens and the installation.", "audit"),
    "openapi": OperatorCommand("Print the OpenAPI 3.1 document; needs no server.", "openapi"),
}
GROUPS = {
    "account": "Make, invite, change and remove people.",
    "token": "Make, list and revoke access tokens.",
    "keys": "List and rotate the keys that sign cursors and URLs.",
    "tasks": "Bring in tasks from elsewhere.",
}

"""Every command: its words, what it does, and the function that does it, whose module is loaded when it is run."""

from typing import NamedTuple

#: How many spaces a command takes; `all` is for MANY.
ONE, MANY = "one", "many"


class Command(NamedTuple):
    summary: str
    module: str
    #: Its text is the description, or that of a module with one command; `{function}_arguments` adds its options.
    function: str = "run"
    #: How many spaces its option --space may name, for commands that make, list or find things.
    spaces: str = ""


COMMANDS = {
    "login": Command("Sign in to an installation.", "signing_in.login"),
    "logout": Command("Sign out, and end the sign-in at the server.", "signing_in.logout"),
    "whoami": Command("Show who is signed in, and where.", "signing_in.profiles", "show_person"),
    "profile ls": Command("List the installations that you are signed in to.", "signing_in.profiles", "list_profiles"),
    "profile use": Command("Choose the installation that commands speak to.", "signing_in.profiles", "use_profile"),
    "upload": Command("Send files and folders; repeat the command to resume.", "media.upload", spaces=ONE),
    "download": Command("Fetch assets.", "media.download"),
    "replace": Command("Give an asset other bytes; its id and links stay.", "media.replace"),
    "ls": Command("List assets.", "media.ls", spaces=MANY),
    "show": Command("Show all members of an asset, a video or a task.", "media.show"),
    "url": Command("Print the address of an asset.", "media.addresses", "print_url"),
    "tag": Command("Add tags to assets and videos, or remove them.", "media.batches", "tag"),
    "rm": Command("Put assets and videos into the trash.", "media.batches", "remove"),
    "restore": Command("Restore assets and videos from the trash.", "media.batches", "restore"),
    "open": Command("Open an asset in the browser.", "media.addresses", "open_in_browser"),
    "video upload": Command("Send a video.", "videos", "upload", spaces=ONE),
    "video status": Command("Show the processing state of a video.", "videos", "show_status"),
    "video url": Command("Print an address that plays a video.", "videos", "print_url"),
    "task add": Command("Add a task: Renew cert fri 9am #ops every month.", "tasks.add", spaces=ONE),
    "task ls": Command("List tasks.", "tasks.ls", spaces=MANY),
    "task done": Command("Complete tasks.", "tasks.each", "complete", spaces=MANY),
    "task edit": Command("Change a task in your editor.", "tasks.edit", spaces=MANY),
    "task move": Command("Move a task to a status, a board or a place.", "tasks.move", spaces=MANY),
    "task assign": Command("Assign a task to members of its space.", "tasks.parts", "assign", spaces=MANY),
    "task check": Command("Tick an item of a checklist, or add one.", "tasks.parts", "check", spaces=MANY),
    "task comment": Command("Comment on a task, or read its comments.", "tasks.parts", "comment", spaces=MANY),
    "task archive": Command("Hide tasks from lists.", "tasks.each", "archive", spaces=MANY),
    "task restore": Command("Bring tasks back from the trash or the archive.", "tasks.each", "restore", spaces=MANY),
    "task rm": Command("Put tasks in the trash, or delete them for good.", "tasks.each", "remove", spaces=MANY),
    "board ls": Command("List boards.", "boards.manage", "list_boards", spaces=MANY),
    "board show": Command("Show a board, column beside column.", "boards.show", spaces=MANY),
    "board create": Command("Make a board.", "boards.manage", "create", spaces=ONE),
    "board rename": Command("Give a board another name.", "boards.manage", "rename", spaces=MANY),
    "board rm": Command("Delete a board; its tasks stay.", "boards.manage", "delete", spaces=MANY),
    "space ls": Command("List the spaces that you are in.", "spaces", "list_spaces"),
    "space create": Command("Make a shared space.", "spaces", "create"),
    "space members": Command("List the members of a space.", "spaces", "list_members"),
    "space add": Command("Ask somebody to become a member of a space.", "spaces", "add_member"),
    "space invite": Command("Print a link by which people join a space.", "spaces", "invite"),
    "space join": Command("Join a space by a link, or because it asks you.", "spaces", "join"),
    "space leave": Command("Leave a space; what you made there stays.", "spaces", "leave"),
    "notifications": Command("List what you were told, or mark it as read.", "events.notifications"),
    "events tail": Command("Print events as they happen.", "events.tail", spaces=MANY),
    "webhook listen": Command(
        "Forward events to an address of yours, signed as webhooks are.", "events.listen", spaces=MANY
    ),
    "import": Command("Bring in boards and tasks from another program.", "moving.import_file", spaces=ONE),
    "export": Command("Write out tasks, boards and, with --folder, files.", "moving.export", spaces=MANY),
    "api": Command("Send any request to the API.", "api"),
    "mcp": Command("Speak MCP over standard input and output, for programs on this machine.", "mcp"),
    "completion": Command("Print a script that completes commands in your shell.", "completion"),
}  # fmt: skip
GROUPS = {
    "profile": "Installations.",
    "video": "Videos.",
    "task": "Tasks.",
    "board": "Boards.",
    "space": "Shared spaces.",
    "events": "Events.",
    "webhook": "Webhooks.",
}

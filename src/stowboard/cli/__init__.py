"""The operator's command `stowboard`: runs the service, and looks after an installation beside it or without it.

It is built as `stow` is: a command is a module with `arguments` and `run`, and `commands.py` lists them.
"""

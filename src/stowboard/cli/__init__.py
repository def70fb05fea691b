"""The operator's command `stowboard`: runs the service, and looks after an installation beside it or without it.

It is built as `stow` is: `commands.py` lists every command, a function beside `{function}_arguments`, which adds its
options.
"""

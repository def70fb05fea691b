"""The terminal `stow`: media and tasks of a Stowboard installation, for people and scripts far from the server.

It is built on `stowboard_client` alone, and is a package of its own so that `stow --help` need not load that library.
`commands.py` lists every command: a function, beside which `{function}_arguments` adds its options.
"""

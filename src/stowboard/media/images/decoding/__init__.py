"""Decoding of bytes of strangers, in processes of their own: `decoder` is the program, `child` starts and asks it,
`messages` go between them, `pool` keeps processes warm."""

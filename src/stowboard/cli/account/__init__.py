"""`stowboard account`: people, without a server. Whoever can run it is an admin, so it may give any name."""

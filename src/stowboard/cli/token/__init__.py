"""`stowboard token`: access tokens, without a server."""

"""Tasks of the token's owner, with their boards, tags and vault keys."""

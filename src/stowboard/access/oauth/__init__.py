"""The authorization server: OAuth for people's applications, for programs with a secret and for devices."""

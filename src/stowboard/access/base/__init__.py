"""The words and stores that all rooms of access share: accounts, sessions, tickets, passkeys, grants."""

"""The installations that this machine is signed in to, and the token of each."""

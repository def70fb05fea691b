"""The tools that agents have, one file for each group."""

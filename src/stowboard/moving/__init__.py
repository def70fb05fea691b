"""An installation as a folder: moved to databases and stores of another kind, backed up, restored."""

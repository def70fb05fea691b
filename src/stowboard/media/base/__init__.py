"""Words that all rooms of media share: assets, names, types, addresses and errors, and help with rows and files."""

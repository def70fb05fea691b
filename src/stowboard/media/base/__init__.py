"""The words of media: assets, their names, types, addresses and errors, and what every room needs of rows and files."""

"""Commands for images and files."""

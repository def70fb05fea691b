"""Steps of the build: each fills a folder in src/stowboard/built, or writes the lock files."""

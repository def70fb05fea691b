"""The services that Stowboard is measured against, each started on its own defaults and seeded with the same data."""

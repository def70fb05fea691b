"""Disks of the tests' own: images that are mounted, and the image that a power cut would leave."""

"""Images, files and videos: their bytes, files derived from them, and their delivery.

Rooms point down: videos, delivery, assets, images and uploads (which do not know each other), base. `open` builds the
services that they use, `routes` lists their operations.
"""

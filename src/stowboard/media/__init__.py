"""Images, files and videos: their bytes, what is made of them, and who may have them.

Rooms point down: videos, delivery, assets, images and uploads (which do not know each other), base. `open` builds what
they need, `routes` lists what they offer.
"""

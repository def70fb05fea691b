"""Images, files and videos: their bytes, what is made of them, and who may have them."""

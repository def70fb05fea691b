"""Images made of images: which there are (`classes`), how they are made (`pipeline`) and kept (`derive`)."""

"""Work on images: `works` gives it to child processes, `inspection` reads an image, `derivatives` makes each image of a
transform class once."""

"""Work on images: `works` are its threads, `inspection` says what one is, `derivatives` has each class made once."""

"""Work on images: `works` has it done by children, `inspection` says what an image is, `derivatives` makes each class
once."""

"""Files that are no images, and the picture that stands for one: the first page of a PDF, the waveform of a sound."""

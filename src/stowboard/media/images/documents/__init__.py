"""Pictures of files that are not images: the first page of a PDF, the waveform of audio."""

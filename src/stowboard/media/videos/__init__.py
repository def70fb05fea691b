"""Videos: created, received by an upload, finalized, made playable by ffmpeg, and played."""

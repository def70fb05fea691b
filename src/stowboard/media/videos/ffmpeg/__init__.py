"""ffmpeg as the provider: `transcoding` are its jobs, `probe` and `transcode` run confined in child processes."""

"""The built-in video provider: ffmpeg in child processes with limits."""

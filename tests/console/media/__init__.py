"""The library, its uploads, and the panels of pictures and videos, in the browser."""

"""Captions of videos: what people say in them, as text, in several languages."""

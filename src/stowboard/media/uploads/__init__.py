"""Bytes on their way in. An upload is for a purpose; the `Receiver` of that purpose hears what becomes of it."""

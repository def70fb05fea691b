"""Bytes on their way out: `link_routes` gives addresses, `cdn_routes` proves them, `serving` answers."""

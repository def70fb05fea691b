"""Delivery of bytes: `link_routes` gives addresses, `cdn_routes` checks them, `serving` answers."""

"""HTTP without the API: exchanges and their faces, routing, bodies, streams, static files."""

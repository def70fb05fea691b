"""Documents about the API: OpenAPI, discovery, the docs page, the manual."""

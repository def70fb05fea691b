"""Every operation of access, and what is swept away behind them."""

from stowboard.access import token_routes
from stowboard.access.oauth import client_routes
from stowboard.access.tokens import forget_expired
from stowboard.jobs.sweep import sweep

ENDPOINTS = [*token_routes.ENDPOINTS, *client_routes.ENDPOINTS]
PERIODICS = [sweep("platform.sweep_tokens", 3_600_000, forget_expired)]

"""Every endpoint of notifications."""

from stowboard.notifications import channel_routes, inbox_routes, rule_routes

ENDPOINTS = [*inbox_routes.ENDPOINTS, *rule_routes.ENDPOINTS, *channel_routes.ENDPOINTS]

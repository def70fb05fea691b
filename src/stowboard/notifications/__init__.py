"""Notifications: what people are told, in their inbox, in browsers, by mail and at addresses of their own."""

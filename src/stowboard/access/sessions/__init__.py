"""Sessions of browsers: signing in with a password or a link, cookies, bearers, and counting attempts."""

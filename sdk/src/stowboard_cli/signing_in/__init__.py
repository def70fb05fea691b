"""Commands that sign in and out, and choose the installation."""

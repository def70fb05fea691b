"""Settings: how a component declares them, where their values come from, and how text becomes a value."""

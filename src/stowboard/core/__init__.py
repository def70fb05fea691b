"""Words that every layer shares: errors, ids, clock, cursors, signing, settings, log and metrics."""

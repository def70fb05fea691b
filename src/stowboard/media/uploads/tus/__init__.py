"""TUS 1.0.0: `routes` speaks it, `turns` lets in one request at a time, `transfer` moves bytes, `ledger` counts."""

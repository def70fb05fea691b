"""Work for later: a queue of rows in the database, leases, workers and schedules."""

"""One database in two dialects: SQLite and PostgreSQL behind one port, migrations, and the scan behind every list."""

"""What becomes of figures: tables, charts and RESULTS.md."""

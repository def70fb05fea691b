"""The comparisons, by part of the product; each suite yields rows for `bench.harness.rounds` to run."""

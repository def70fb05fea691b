"""What is compared, by part of the product; each suite yields rows for `bench.rounds` to run."""

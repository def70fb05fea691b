"""How rows are measured: installing peers, load, rounds, and the machine they ran on."""

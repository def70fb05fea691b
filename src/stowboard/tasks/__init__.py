"""Tasks and boards: what an owner has to do, in which order, and when."""

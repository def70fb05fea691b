"""`make mutants`: lines that promises rest on are broken one by one, and the nearest tests must notice each."""

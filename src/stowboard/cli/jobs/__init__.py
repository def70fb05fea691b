"""`stowboard jobs`: background jobs that wait, run or were given up."""

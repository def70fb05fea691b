"""Commands for tasks, and how people name tasks and boards."""

"""History: what every change was before, who made it, and how it is taken back."""

"""What several people need to work on one task: checklist, assignees, comments, followers."""

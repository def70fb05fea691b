"""Work of several people on one task: checklist, assignees, comments, followers."""

"""Mail through the operator's relay."""

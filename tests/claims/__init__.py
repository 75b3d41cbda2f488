"""Claims of groups that nobody owns."""

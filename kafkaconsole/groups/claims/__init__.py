"""Claims of groups that nobody owns: made by a team's people, answered by another team's approver or an administrator."""

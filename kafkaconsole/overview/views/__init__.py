"""Pages that join several apps: home, search, a group, its history; and whether the console is healthy."""

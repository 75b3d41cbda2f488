"""What people type about resets, read into domain values."""

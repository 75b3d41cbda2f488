"""Pages: one's own choices, channels, and the log of deliveries."""

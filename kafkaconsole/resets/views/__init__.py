"""HTTP's door to resets: asking, reading, deciding."""

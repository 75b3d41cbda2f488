"""Template tags of request pages."""

"""What these pages show, worked out from rows. Reads only."""

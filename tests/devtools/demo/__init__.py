"""The demo, as people and scripts meet it."""

"""Template tags for the console's own things: offsets, lag, durations, states, the ruler."""

from __future__ import annotations

from django import template

register = template.Library()

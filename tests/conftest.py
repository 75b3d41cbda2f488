"""What every test may ask for."""

from __future__ import annotations

from tests import triggers
from tests.scene import cast, kafka, scene

__all__ = ["cast", "kafka", "scene"]

triggers.let_flush_pass()

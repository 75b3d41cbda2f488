"""What tests of claims take from those of the API."""

from tests.api.conftest import api

__all__ = ["api"]

"""Faults that users of other tools reported, as tests: each name begins with the id of its case (docs/field-cases.md)."""

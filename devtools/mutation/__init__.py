"""Mutation tests of the planning and the parsing: `make mutation` (docs/mutation.md).

mutmut makes the mutants and its trampolines choose one; the tests are collected once and each mutant is tried in a
child process of that one run, because a run of pytest for each takes mutmut itself about a second a mutant.
"""

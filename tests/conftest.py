"""For every test: Hypothesis is repeatable and never a stopwatch."""

from hypothesis import settings

settings.register_profile("veillee", deadline=None, derandomize=True)
settings.load_profile("veillee")

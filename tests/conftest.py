"""For every test: the engine is interpreted unless the run says otherwise; Hypothesis is repeatable and no stopwatch."""

import os

from hypothesis import settings

os.environ.setdefault("VEILLEE_ENGINES", "off")  # before anything of ours is imported

settings.register_profile("veillee", deadline=None, derandomize=True)
settings.load_profile("veillee")

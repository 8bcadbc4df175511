"""Laboratory: contests between bots, learning, balance studies, datasets, and adapters to other frameworks."""

"""Many games at once: the loop of lab/simulate.py, compiled to C."""

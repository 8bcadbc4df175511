"""Many games at once: the loop of lab/many.py, compiled to C."""

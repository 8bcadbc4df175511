"""The search: hot loops over the kernel's contract, compiled to C."""

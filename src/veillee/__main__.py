"""python -m veillee"""

from veillee.cli import main

main()

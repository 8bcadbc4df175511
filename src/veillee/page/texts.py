"""Texts of the page that its reader sees; French in locale/fr.po."""

from __future__ import annotations

from pathlib import Path

from veillee.words import sentences

t = sentences(Path(__file__).parent / "locale")

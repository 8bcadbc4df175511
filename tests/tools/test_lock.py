"""The list of packages of a page."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools/setup"))

import lock  # noqa: E402


def test_a_page_has_the_packages_that_the_product_is_pinned_to():
    chosen = lock.select_packages((ROOT / "requirements/runtime.txt").read_text("utf-8"))
    assert lock.PAGE_LIST.read_text("utf-8") == chosen
    assert {line.split("==")[0] for line in chosen.split("\n") if line[:1].isalpha()} == lock.PAGE_PACKAGES

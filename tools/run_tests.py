"""Run every test on the sources: the engine's on both cores, then those in a real browser, which needs both itself.

A browser test that fails is tried once more, alone, and that is said: a busy machine may be slower than a page's
patience. Every other failure is final.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(__file__).parent.parent / ".pytest_cache" / "v" / "cache" / "lastfailed"
BROWSER = "tests/web"


def pytest(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


def main() -> int:
    code = pytest("-n", "2", "--dist", "worksteal", f"--ignore={BROWSER}")
    if code:
        return code
    FAILED.unlink(missing_ok=True)
    code = pytest(BROWSER)
    failed = list(json.loads(FAILED.read_text())) if code == 1 and FAILED.exists() else []
    if not failed:
        return code
    print(f"Once more, alone: {', '.join(failed)}", flush=True)
    return pytest(*failed)


if __name__ == "__main__":
    sys.exit(main())

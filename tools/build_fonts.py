"""Make the web fonts: Source Serif and Source Sans (OFL) from their PyPI packages, cut down to the letters of our languages.

The result is not part of the repository. Without the packages the pages use the system's fonts: said, not fatal.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

OUT = Path(__file__).parent.parent / "src/veillee/web/static/fonts"
LETTERS = (
    "U+0020-007E,U+00A0-017F,U+2010-2026,U+2030,U+2032,U+2039,U+203A,U+20AC,U+2190-2193,U+2212,U+2713,U+25B6,U+25CF"
)
FONTS = {
    "source-serif-700": ("font_source_serif_pro", "SourceSerifPro-Bold"),
    "source-serif-900": ("font_source_serif_pro", "SourceSerifPro-Black"),
    "source-sans-400": ("font_source_sans_pro", "SourceSansPro-Regular"),
    "source-sans-600": ("font_source_sans_pro", "SourceSansPro-Semibold"),
}


def font_file(package: str, name: str) -> Path | None:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent / "files" / f"{name}.otf"
    return file if file.exists() else None


def main() -> int:
    sources = {target: font_file(*source) for target, source in FONTS.items()}
    if all((OUT / f"{target}.woff2").exists() for target in FONTS):
        return 0
    if None in sources.values() or find_spec("fontTools") is None or find_spec("brotli") is None:
        print("The font packages are not installed: the pages will use the system's fonts.")
        return 0
    from fontTools import subset  # noqa: PLC0415 - only there when it is installed

    OUT.mkdir(parents=True, exist_ok=True)
    for target, source in sources.items():
        # Written beside and renamed, so that an interrupted build leaves no half font behind.
        part = OUT / f"{target}.part"
        subset.main(
            [
                str(source),
                f"--unicodes={LETTERS}",
                "--layout-features=kern,liga,mark,lnum,tnum",
                "--flavor=woff2",
                f"--output-file={part}",
            ]
        )
        part.rename(OUT / f"{target}.woff2")
    print(f"Fonts: {len(sources)} files, {sum(f.stat().st_size for f in OUT.glob('*.woff2')) // 1024} KB.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Builds the web fonts: Source Serif and Source Sans (OFL) from their PyPI packages, subset to the letters of our languages.

The result is part of the repository, so that an installation does not need this tool: `make fonts` runs it again. The
licence (OFL) forbids modified fonts to keep the reserved name, here "Source": ours are called "Veillee".
"""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

OUT = Path(__file__).parents[2] / "src/veillee/web/static/fonts"
LETTERS = (
    "U+0020-007E,U+00A0-017F,U+2010-2026,U+2030,U+2032,U+2039,U+203A,U+20AC,U+2190-2193,U+2212,U+2713,U+25B6,U+25CF"
)
FONTS = {
    "source-serif-700": ("font_source_serif_pro", "SourceSerifPro-Bold", "Veillee Serif", "Bold"),
    "source-serif-900": ("font_source_serif_pro", "SourceSerifPro-Black", "Veillee Serif", "Black"),
    "source-sans-400": ("font_source_sans_pro", "SourceSansPro-Regular", "Veillee Sans", "Regular"),
    "source-sans-600": ("font_source_sans_pro", "SourceSansPro-Semibold", "Veillee Sans", "Semibold"),
}
PICTURES = ("source-serif-900", "source-sans-600")  # uncompressed too: what draws pictures for previews reads no woff2
LICENCE = ("font_source_serif_pro", "LICENSE.txt")
KEPT = (0, 13, 14)  # of a font's name records: whose it is, and its licence


def file_of(package: str, name: str) -> Path | None:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent / "files" / name
    return file if file.exists() else None


def rename(font: Any, family: str, style: str) -> None:
    """Replaces the reserved name in every name record of the font."""
    plain = family.replace(" ", "")
    names = font["name"]
    names.names = [record for record in names.names if record.nameID in KEPT]
    for number, text in (
        (1, family),
        (2, style),
        (3, f"{plain}-{style}"),
        (4, f"{family} {style}"),
        (6, f"{plain}-{style}"),
    ):
        names.setName(text, number, 3, 1, 0x409)
    outlines = font["CFF "].cff
    outlines.fontNames[0] = f"{plain}-{style}"
    top = outlines.topDictIndex[0]
    top.FamilyName, top.FullName, top.Notice = family, f"{family} {style}", ""


def main() -> int:
    sources = {target: file_of(package, f"{name}.otf") for target, (package, name, _, _) in FONTS.items()}
    licence = file_of(*LICENCE)
    if None in (licence, *sources.values()) or find_spec("fontTools") is None or find_spec("brotli") is None:
        print("The fonts are made by packages that are not installed here: `make fonts` installs them.")
        return 1
    assert licence is not None
    from fontTools import subset  # noqa: PLC0415 - only there when it is installed

    OUT.mkdir(parents=True, exist_ok=True)
    for target, source in sources.items():
        options = subset.Options(
            layout_features=["kern", "liga", "mark", "lnum", "tnum"], flavor="woff2", name_IDs=list(KEPT)
        )
        font = subset.load_font(str(source), options)
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=subset.parse_unicodes(LETTERS))
        cutter.subset(font)
        rename(font, *FONTS[target][2:])
        subset.save_font(font, str(OUT / f"{target}.woff2"), options)
        if target in PICTURES:
            options.flavor = font.flavor = None
            subset.save_font(font, str(OUT / f"{target}.otf"), options)
    shutil.copyfile(licence, OUT / "OFL.txt")
    made = [*OUT.glob("*.woff2"), *OUT.glob("*.otf")]
    print(f"Fonts: {len(made)} files, {sum(f.stat().st_size for f in made) // 1024} KB.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

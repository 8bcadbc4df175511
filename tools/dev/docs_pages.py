"""Generates pages when the documentation is built (mkdocs.yml): the rules of each box in both languages, from the
rulebooks that the app shows; notebooks as pages; examples to download; and whole folders in the menu.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))

from veillee import boxes  # noqa: E402
from veillee.games.rulebook import HEAD, PART, book  # noqa: E402

SAID = {
    "fr": {
        "ruling": "notre décision",
        "departure": "notre écart",
        "fact": "donnée publiée",
        "reconstruction": "notre reconstitution",
    },
    "en": {
        "ruling": "our ruling",
        "departure": "our departure",
        "fact": "published fact",
        "reconstruction": "our reconstruction",
    },
}
EXAMPLES = [
    "learn_a_seat.py",
    "ppo.py",
    "rllib_env.py",
    "web_bot.py",
]  # named by a page: also on the site, for readers without the sources
LANGUAGES = {"fr": "Français", "en": "English"}
FOLDERS = {"balance/": "Balance, measured", "data/": "Games as data", "adr/": "Decisions"}  # in the menu, whole
PICTURE = re.compile(r"^!\[(.*?)\]\(position:.*?\)$", re.MULTILINE)  # drawn by the app, from a position
IN_MENU = re.compile(r"^# (.+)$", re.MULTILINE)


def rules(text: str, lang: str) -> str:
    """Returns a rulebook as plain Markdown: rule ids in bold, marks in italics."""
    said = SAID[lang]

    def head(found: re.Match[str]) -> str:
        mark = f" *({said[found[2]]})*" if found[2] else ""
        return f"**{found[1]}**{mark} "

    text = PICTURE.sub(r"> \1", text)
    text = PART.sub(lambda found: f"*({said[found[2]]})* {found[1]}", text)
    return HEAD.sub(head, text)


def notebook(text: str) -> str:
    """Returns a notebook as Markdown: its text, its programs, and the text that each printed."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", []):
            printed = output["text"] if "text" in output else output["data"]["text/plain"]
            parts.append(f"```text\n{''.join(printed).rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def on_files(files: Files, config: Any) -> Files:
    """Adds the generated files (hook of mkdocs)."""
    shelf: list[dict[str, Any]] = []
    for box in boxes():
        pages = []
        for lang, language in LANGUAGES.items():
            text = book(box.folder, lang)
            if text is None:
                continue
            path = f"rules/{box.id}.{lang}.md"
            files.append(File.generated(config, path, content=rules(text, lang)))
            pages.append({language: path})
        shelf.append({box.title["fr"]: pages})
    folders = {
        name: [{_title(file): file.src_uri} for file in files.documentation_pages() if file.src_uri.startswith(folder)]
        for folder, name in FOLDERS.items()
    }
    config.nav = [*config.nav, {"Rules · Règles": shelf}, *({name: pages} for name, pages in folders.items() if pages)]
    for source in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        content = notebook(source.read_text(encoding="utf-8"))
        files.append(File.generated(config, f"notebooks/{source.stem}.md", content=content))
    for name in EXAMPLES:
        files.append(File.generated(config, f"examples/{name}", abs_src_path=str(ROOT / "examples" / name)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Rewrites links into the sources to the copies on the site (hook of mkdocs)."""
    return markdown.replace("](../examples/", "](examples/")


def _title(file: File) -> str:
    found = IN_MENU.search(file.content_string)
    return found[1] if found else file.name
